"""The AEB's points of a tournament that was never played.

A `Question` is what the reader asks, in the words of one regulation; `answered` is what that regulation says.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from django.conf import settings

from scoring import regulations
from scoring.calculator.working import LISTED, MOST_CONTESTANTS, page_address
from scoring.engine.points import hundredths, plain
from scoring.engine.types import Contestant, Event, Reason, Result, Seat, Step
from scoring.ledger.evaluation import FAMILY, FieldResult, category_code
from scoring.regulations.aeb.scheme import Scheme

DERIVED = ("C1", "C2", "n", "C3", "C4", "C5", "p_max", "p_min")  # the steps that no single place has part in
COUNT_PREFIX = "n_"  # of the parameters that say how many players a category has
CURVE_STEPS = 60


@dataclass(frozen=True, slots=True)
class Question:
    """A tournament without names. `c4` None: the mean of `players`, how many hold each category."""

    event_type: str
    format: str
    contestants: int
    boards: int
    venue: str
    c4: Decimal | None
    players: Mapping[str, int]

    @property
    def listed(self) -> int:
        """How many places are worked out one by one."""
        return min(self.contestants, LISTED)

    @property
    def event(self) -> Event:
        """The engine's event: nobody ties, everybody counted holds a licence, the first places are listed."""
        seats = (code for code, number in self.players.items() for _each in range(number))
        return Event(
            event_type=self.event_type,
            format=self.format,
            boards=self.boards,
            venue=self.venue,
            c4=self.c4,
            contestants=tuple(Contestant(str(k), place=k) for k in range(1, self.listed + 1)),
            contestant_count=self.contestants,
            place_rule=settings.PLACE_RULE,
            session_seats=tuple(Seat(str(k), code, True) for k, code in enumerate(seats)),
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What one regulation says. `points`: hundredths of the listed places, even if nothing counts; `last`:
    those of the last place."""

    regulation: Scheme
    question: Question
    result: Result
    steps: tuple[Step, ...]
    points: tuple[int, ...]
    last: int

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why it would not count; empty if it would."""
        return self.result.reasons

    @property
    def drawn(self) -> list[tuple[Decimal, int]]:
        """(place, hundredths) along the curve, also between places; of two contestants at least."""
        curve, event = self.regulation.curve(self.result), self.question.event
        last = self.question.contestants
        places = [1 + Decimal(last - 1) * k / (CURVE_STEPS - 1) for k in range(CURVE_STEPS)]
        return [(place, hundredths(curve.at(self.regulation.position(event, place)))) for place in places]


def answered(regulation: Scheme, question: Question) -> Answer:
    """Raises EngineError where the regulation does not take the question."""
    event = question.event
    result = regulation.score(event)
    steps = tuple(step for step in regulation.explain(event, result, "1") if step.key in DERIVED)
    curve = regulation.curve(result)

    def at(place: int) -> int:
        return hundredths(curve.at(regulation.position(event, place)))

    points = tuple(at(place) for place in range(1, question.listed + 1))
    return Answer(regulation, question, result, steps, points, at(question.contestants))


def translated(question: Question, other: Scheme, event_type: str, c4: Decimal | None) -> Question:
    """The same tournament in the words of another regulation: its type, its C4 and its categories."""
    players: dict[str, int] = {}
    for code, number in question.players.items():
        known = category_code(other, code)
        players[known] = players.get(known, 0) + number
    return replace(question, event_type=event_type, c4=c4, players=players)


def address(question: Question, regulation: str, **more: str) -> str:
    """The calculator's page for a question: what people send each other."""
    parameters = {
        "reglamento": regulation,
        "tipo": question.event_type,
        "formato": question.format,
        "participantes": question.contestants,
        "manos": question.boards,
        "lugar": question.venue,
        "c4": "" if question.c4 is None else plain(question.c4),
        **{f"{COUNT_PREFIX}{code}": number for code, number in question.players.items() if number},
        **more,
    }
    return page_address(parameters)


def question_of(line: FieldResult, regulation: Scheme) -> Question:
    """A ranking that was played, as a question."""
    event = line.event
    return Question(
        event_type=event.event_type,
        format=event.format,
        contestants=event.count,
        boards=event.boards,
        venue=event.venue,
        c4=None,
        players=regulation.strength(event).counts,
    )


def neighbour(regulation: Scheme) -> Scheme | None:
    """The family's next regulation, or after the latest the one before it; None where there is but one."""
    following = sorted(regulations.of_family(FAMILY), key=lambda each: each.valid_from)
    at = following.index(regulation)
    return next(iter(following[at + 1 :] or following[:at][-1:]), None)


def compared_address(regulation: Scheme, line: FieldResult) -> str:
    """The page that says what a ranking would have given under the regulation that came next, or before.

    Empty for a family that the calculator does not know, or that has only one.
    """
    if regulation.family != FAMILY or line.event.count > MOST_CONTESTANTS:
        return ""
    other = neighbour(regulation)
    if other is None:
        return ""
    return address(question_of(line, regulation), regulation.code, comparar=other.code)
