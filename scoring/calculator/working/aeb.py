"""The AEB's points of a hypothetical tournament."""

from collections import Counter
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

EVENT_STEPS = (
    "C1",
    "C2",
    "n",
    "C3",
    "C4",
    "C5",
    "p_max",
    "p_min",
)  # the receipt steps that are the same for all places
COUNT_PREFIX = "n_"  # prefix of the query parameters for the number of players in a category
CURVE_STEPS = 60


@dataclass(frozen=True, slots=True)
class Question:
    """A hypothetical tournament, with event type and categories in the codes of one regulation.

    c4: the mean of the category values; None to compute it from `players`
    players: the number of players by category code
    """

    event_type: str
    format: str
    contestants: int
    boards: int
    venue: str
    c4: Decimal | None
    players: Mapping[str, int]

    @property
    def listed(self) -> int:
        """The number of places that the page lists."""
        return min(self.contestants, LISTED)

    @property
    def event(self) -> Event:
        """The event for the engine, without ties. It lists the first places, and every player is licensed."""
        categories = Counter(self.players).elements()
        return Event(
            event_type=self.event_type,
            format=self.format,
            boards=self.boards,
            venue=self.venue,
            c4=self.c4,
            contestants=tuple(Contestant(str(k), place=k) for k in range(1, self.listed + 1)),
            contestant_count=self.contestants,
            place_rule=settings.PLACE_RULE,
            session_seats=tuple(Seat(str(k), code, True) for k, code in enumerate(categories)),
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The points under one regulation, computed even if the tournament would not count.

    steps: the receipt steps that are the same for all places
    points: the points of the listed places, in hundredths
    last: the points of the last place, in hundredths
    """

    regulation: Scheme
    question: Question
    result: Result
    steps: tuple[Step, ...]
    points: tuple[int, ...]
    last: int

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The reasons why the tournament would not count; empty if it would."""
        return self.result.reasons

    @property
    def curve_points(self) -> list[tuple[Decimal, int]]:
        """The (place, points in hundredths) from which the curve is drawn, also between whole places.

        There must be at least two contestants.
        """
        curve, event = self.regulation.curve(self.result), self.question.event
        last = self.question.contestants
        places = [1 + Decimal(last - 1) * k / (CURVE_STEPS - 1) for k in range(CURVE_STEPS)]
        return [(place, hundredths(curve.at(self.regulation.position(event, place)))) for place in places]


def calculate(regulation: Scheme, question: Question) -> Answer:
    """Return the points for a question under a regulation. Raise EngineError if they cannot be computed."""
    event = question.event
    result = regulation.score(event)
    steps = tuple(step for step in regulation.explain(event, result, "1") if step.key in EVENT_STEPS)
    curve = regulation.curve(result)

    def at(place: int) -> int:
        return hundredths(curve.at(regulation.position(event, place)))

    points = tuple(at(place) for place in range(1, question.listed + 1))
    return Answer(regulation, question, result, steps, points, at(question.contestants))


def under_regulation(question: Question, regulation: Scheme, event_type: str, c4: Decimal | None) -> Question:
    """Return the same question for another regulation, with that regulation's category codes.

    event_type, c4: the values of these fields for the other regulation
    """
    players: dict[str, int] = {}
    for category, number in question.players.items():
        code = category_code(regulation, category)
        players[code] = players.get(code, 0) + number
    return replace(question, event_type=event_type, c4=c4, players=players)


def address(question: Question, regulation: str, **parameters: str) -> str:
    """Return the URL of the calculator for a question.

    regulation: the code of the regulation
    parameters: further query parameters
    """
    query = {
        "reglamento": regulation,
        "tipo": question.event_type,
        "formato": question.format,
        "participantes": question.contestants,
        "manos": question.boards,
        "lugar": question.venue,
        "c4": "" if question.c4 is None else plain(question.c4),
        **{f"{COUNT_PREFIX}{code}": number for code, number in question.players.items() if number},
        **parameters,
    }
    return page_address(query)


def question_of(result: FieldResult, regulation: Scheme) -> Question:
    """Return the question that describes a scored ranking of a real tournament."""
    event = result.event
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
    """Return the AEB regulation to compare with: the next one or, for the latest, the one before.

    Return None if there is no other.
    """
    family = sorted(regulations.of_family(FAMILY), key=lambda scheme: scheme.valid_from)
    index = family.index(regulation)
    return next(iter(family[index + 1 :] or family[:index][-1:]), None)


def comparison_address(regulation: Scheme, result: FieldResult) -> str:
    """Return the calculator's URL that compares a ranking's points with those under `neighbour`.

    Return "" for regulations that are not the AEB's, if there is no neighbour, or for too many contestants.
    """
    if regulation.family != FAMILY or result.event.count > MOST_CONTESTANTS:
        return ""
    alternative = neighbour(regulation)
    if alternative is None:
        return ""
    return address(question_of(result, regulation), regulation.code, comparar=alternative.code)
