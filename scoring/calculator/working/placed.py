"""Swedish and American points of a tournament that was never played: the awards place by place."""

from bisect import bisect
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from scoring.calculator.working import LISTED
from scoring.engine.placed import PlacedEvent
from scoring.engine.types import Contestant, Result, Step
from scoring.ledger.systems.placed import factors_on, half_tables
from scoring.regulations.acbl import CLUB_AWARDS, OVERALL
from scoring.regulations.acbl.club import ClubEvent
from scoring.regulations.acbl.overall import OverallEvent
from scoring.regulations.acbl.tables import UNSOURCED
from scoring.regulations.places.scheme import PlaceScheme
from scoring.regulations.sbf_2019 import BRONZE, SILVER_POINTS
from scoring.regulations.sbf_2019.rules import SbfEvent
from tournaments.drafts import Header
from tournaments.models import Tournament

PERSONS = 2  # of a contestant, where the reader does not say how many tables there are
OF_A_PLACE = ("i", "c", "link", "award")  # the steps that belong to one place alone


@dataclass(frozen=True, slots=True)
class Question:
    """An event as one regulation takes it. `typed`: factors of the reader's own, by name; `missing`: those
    that neither the reader nor the office gives, without which nothing can be worked out."""

    label: str
    regulation: PlaceScheme
    event: PlacedEvent
    typed: Mapping[str, Decimal]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceAward:
    """One paid place: hundredths, and the step that gave them unrounded."""

    place: int
    points: int
    step: Step


@dataclass(frozen=True, slots=True)
class Answer:
    """What one regulation says. `paid` places earn points, the first of them are in `awards`; `last` is the
    last one's award; of the `places` within the rule's depth those beyond `paid` round to nothing; `steps`
    are those of the tournament, then the rounding."""

    question: Question
    result: Result
    decimals: int
    paid: int
    places: int
    steps: tuple[Step, ...]
    awards: tuple[PlaceAward, ...]
    last: int

    @property
    def floor_from(self) -> int | None:
        """The first place whose award is not the last one's times the factor any more, if there is one."""
        return next((each.place for each in self.awards if each.step.code in ("floor", "share")), None)


def ranking(contestants: int) -> dict[str, Any]:
    """What every event by place is given: nobody ties, and the first places are listed."""
    listed = range(1, min(contestants, LISTED) + 1)
    return {
        "contestants": tuple(Contestant(str(k), place=k) for k in listed),
        "contestant_count": contestants,
    }


def answered(question: Question) -> Answer:
    """Raises EngineError where the regulation does not take the question."""
    regulation, event = question.regulation, question.event
    result, ladder = regulation.score(event), regulation.ladder(event)
    # Awards never rise with the place, so that the first that rounds to nothing ends them.
    paid = bisect(range(1, ladder.paid + 1), -1, key=lambda place: -ladder.points(ladder.at(place)))
    steps = regulation.explain(event, result, "1")
    awards = tuple(
        PlaceAward(award.place, award.points, regulation.place_step(event, award.place))
        for award in result.awards[:paid]
    )
    return Answer(
        question=question,
        result=result,
        decimals=regulation.decimals_of(event),
        paid=paid,
        places=ladder.paid,
        steps=tuple(step for step in steps if step.key not in OF_A_PLACE),
        awards=awards,
        last=ladder.points(ladder.at(paid)) if paid else 0,
    )


def bronze(label: str, contestants: int, decimals: int, places_table: str) -> Question:
    """Swedish bronze points by one of the two tables of places."""
    event = SbfEvent(**ranking(contestants), decimals=decimals, places_table=places_table)
    return Question(label, BRONZE, event, {})


def silver(label: str, contestants: int, decimals: int, boards: int) -> Question:
    """Swedish silver points."""
    return Question(
        label, SILVER_POINTS, SbfEvent(**ranking(contestants), decimals=decimals, boards=boards), {}
    )


def overall(
    label: str,
    contestants: int,
    tables: Decimal | None,
    params: Mapping[str, Any],
    day: date,
    typed: Mapping[str, Decimal],
) -> Question:
    """Overall awards with the office's factors of the day; `typed` ones go before them. One query.

    tables: None for as many as so many pairs need
    params: rating, sessions, restriction, limit and contest, as `scoring.ledger.systems` names them
    """
    factors = factors_on(OVERALL.code, _header(day, params)) | typed
    event = OverallEvent(
        **ranking(contestants),
        tables=half_tables(PERSONS * contestants) if tables is None else tables,
        rating=params["rating"],
        sessions=params["sessions"],
        restriction=params["restriction"],
        factors=factors,
    )
    missing = tuple(name for name in UNSOURCED if name not in factors)
    return Question(label, OVERALL, event, typed, missing)


def club(label: str, contestants: int, day: date, typed: Mapping[str, Decimal]) -> Question:
    """Club awards, with the office's depth of the day unless one is typed. One query."""
    factors = factors_on(CLUB_AWARDS.code, _header(day, {})) | typed
    return Question(label, CLUB_AWARDS, ClubEvent(**ranking(contestants), factors=factors), typed)


def _header(day: date, params: Mapping[str, Any]) -> Header:
    """A tournament of the day, as far as the office's factors look at one."""
    return Header(
        name="", club_id=0, event_type="overall", format=Tournament.Format.PAIRS,
        venue=Tournament.Venue.IN_PERSON, start_date=day, end_date=day, boards=0, boards_scheduled=0,
        family=Tournament.Family.ACBL, params=params,
    )  # fmt: skip
