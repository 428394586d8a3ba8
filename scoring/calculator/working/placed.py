"""Points by place of a hypothetical tournament."""

from bisect import bisect
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from scoring.calculator.working import LISTED
from scoring.engine.placed import PlacedEvent
from scoring.engine.types import Contestant, Result, Step
from scoring.ledger.systems.placed import factors_on
from scoring.regulations.calculation import PlacesCalculation
from scoring.regulations.places.scheme import PlaceScheme
from tournaments.drafts import Header
from tournaments.models import Tournament

PLACE_STEPS = ("i", "c", "link", "award")  # the steps of a single place


@dataclass(frozen=True, slots=True)
class Question:
    """A hypothetical tournament under one regulation.

    own_factors: the factors that the reader entered, by name
    missing: necessary factors that neither the reader nor the office has entered
    """

    label: str
    regulation: PlaceScheme
    event: PlacedEvent
    own_factors: Mapping[str, Decimal]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceAward:
    """One paid place: its hundredths, and the step of the unrounded award."""

    place: int
    points: int
    step: Step


@dataclass(frozen=True, slots=True)
class Answer:
    """One regulation's answer.

    paid: the number of places that earn points
    places: the number of places that the regulation pays; the awards of those after `paid` round to 0
    steps: the steps of the tournament and the rounding
    awards: the awards of the first LISTED paid places
    last: the award of the last paid place, in hundredths
    """

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
        """The first listed place whose award is the winner's divided by the place (W/k), or None."""
        return next((award.place for award in self.awards if award.step.code in ("floor", "share")), None)


def ranking(contestants: int) -> dict[str, Any]:
    """Return the ranking as arguments of an event: no ties, with the first places as contestants."""
    places = range(1, min(contestants, LISTED) + 1)
    return {
        "contestants": tuple(Contestant(str(k), place=k) for k in places),
        "contestant_count": contestants,
    }


def calculate(question: Question) -> Answer:
    """Answer a question. Raise EngineError if the regulation cannot score it."""
    regulation, event = question.regulation, question.event
    result, ladder = regulation.score(event), regulation.ladder(event)
    # Awards never rise with the place, so none follows the first that rounds to 0.
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
        steps=tuple(step for step in steps if step.key not in PLACE_STEPS),
        awards=awards,
        last=ladder.points(ladder.at(paid)) if paid else 0,
    )


def question(
    label: str,
    regulation: PlaceScheme,
    declared: PlacesCalculation,
    contestants: int,
    values: Mapping[str, Any],
    day: date,
    own_factors: dict[str, Decimal],
) -> Question:
    """Return the question for a tournament. One query if the regulation takes factors.

    A factor that the reader has entered replaces the office's.

    contestants: their number
    values: the values of the declared fields, by key
    """
    factors = own_factors
    if declared.factors:
        factors = factors_on(regulation.code, _header(day, values)) | own_factors
    event = declared.event(ranking(contestants), values, factors)
    missing = tuple(name for name in declared.needed if name not in factors)
    return Question(label, regulation, event, own_factors, missing)


def _header(day: date, params: Mapping[str, Any]) -> Header:
    """Return a minimal tournament header, used only to look up the office's factors on `day`."""
    return Header(
        name="",
        club_id=0,
        event_type="overall",
        format=Tournament.Format.PAIRS,
        venue=Tournament.Venue.IN_PERSON,
        start_date=day,
        end_date=day,
        boards=0,
        boards_scheduled=0,
        family=Tournament.Family.ACBL,
        params=params,
    )
