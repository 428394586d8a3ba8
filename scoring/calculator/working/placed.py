"""Computation of the points by place of a hypothetical tournament."""

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

PLACE_STEPS = ("i", "c", "link", "award")  # keys of the receipt steps that concern a single place


@dataclass(frozen=True, slots=True)
class Question:
    """A hypothetical tournament under one regulation.

    label: the name under which the answer is shown
    own_factors: the factors that the user entered, by name
    missing: the names of necessary factors that neither the user nor the office has entered
    """

    label: str
    regulation: PlaceScheme
    event: PlacedEvent
    own_factors: Mapping[str, Decimal]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceAward:
    """A paid place with its points in hundredths, and the receipt step that computes its unrounded award."""

    place: int
    points: int
    step: Step


@dataclass(frozen=True, slots=True)
class Answer:
    """The points under one regulation.

    paid: the number of places whose award is more than 0 after rounding
    places: the number of places for which the regulation gives an award, even if it rounds to 0
    steps: the receipt steps that are the same for all places
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
        """The first listed place k that gets one k-th of the winner's award (W/k), or None."""
        return next((award.place for award in self.awards if award.step.code in ("floor", "share")), None)


def ranking(contestants: int) -> dict[str, Any]:
    """Return the keyword arguments of an event for its ranking, which lists the first places without ties.

    contestants: the number of contestants
    """
    places = range(1, min(contestants, LISTED) + 1)
    return {
        "contestants": tuple(Contestant(str(k), place=k) for k in places),
        "contestant_count": contestants,
    }


def calculate(question: Question) -> Answer:
    """Answer a question. Raise EngineError if the regulation cannot score it."""
    regulation, event = question.regulation, question.event
    result, ladder = regulation.score(event), regulation.ladder(event)
    # A place never gets more than the place above, so all places after the first award that rounds to 0 get
    # 0.
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
    """Return the question for a hypothetical tournament. One query if the regulation uses factors.

    label: the name under which the answer is shown
    declared: the regulation's form declaration
    contestants: the number of contestants
    values: the values of the declared fields, by `Field.key`
    day: the day whose factors, as entered by the office, are used
    own_factors: factors that the user entered, by name, which replace the office's
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
