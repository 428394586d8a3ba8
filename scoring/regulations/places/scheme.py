"""The base class of the schemes that award points by place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, ClassVar, Generic, TypeVar

from scoring.engine.eventjson import read_contestant
from scoring.engine.placed import Ladder, PlacedEvent, awards, check_placed
from scoring.engine.rounding import decimal_of
from scoring.engine.strictjson import Fields, as_date, as_integer, as_text
from scoring.engine.types import Result, Step
from scoring.regulations.filing import Filing

from . import lines, receipt

EventType = TypeVar("EventType", bound=PlacedEvent)

COMMON = ("regulation", "family", "date", "contestants", "contestant_count", "ties")


@dataclass(frozen=True, slots=True)
class Derivation:
    """The numbers that a scheme computes from an event: coefficients by name, and the award of each place."""

    coefficients: dict[str, Decimal]
    ladder: Ladder


class PlaceScheme(ABC, Generic[EventType]):
    """Base class of regulations that award points by place.

    A subclass defines the input fields, how to validate them and the formula of the awards.
    """

    code: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str]
    valid_from: ClassVar[date]
    filing: ClassVar[Filing]
    # The input fields of `manage.py score` besides COMMON.
    own_fields: ClassVar[tuple[str, ...]] = ()
    # Names of the coefficients in a `Result`.
    coefficients: ClassVar[tuple[str, ...]]
    # Headings of the document's articles, and the code of the article about places and ties.
    articles: ClassVar[Mapping[str, str]]
    places_article: ClassVar[str]

    def __str__(self) -> str:
        return self.code

    @abstractmethod
    def read_own(self, fields: Fields) -> EventType:
        """Read an event from an input object whose field names have been checked."""

    @abstractmethod
    def check(self, event: EventType) -> None:
        """Raise EngineError for the first invalid value among the fields that only this scheme has."""

    @abstractmethod
    def derive(self, event: EventType) -> Derivation:
        """Return the coefficients and the awards by place of an event that has passed `check`."""

    @abstractmethod
    def event_steps(self, event: EventType) -> tuple[Step, ...]:
        """Return the first steps of a receipt, which are the same for all contestants of the event."""

    @abstractmethod
    def place_step(self, event: EventType, place: int) -> Step:
        """Return the receipt step of a paid place's unrounded award, for a single contestant at the place."""

    def preceding(self, event: EventType, place: int) -> Iterable[int]:
        """Return the places above whose awards are needed to compute a paid place's award."""
        return ()

    def curve_step(self, event: EventType, place: int) -> Step | None:
        """Return the receipt step that computes a place's share of the winner's award, c(k).

        Return None if the scheme's awards are not shares of the winner's award.
        """
        return None

    def read(self, fields: Fields) -> EventType:
        """Return the event that an input object of ``manage.py score`` describes.

        Raise EngineError, which names the faulty field, if the object is invalid.
        """
        fields.only((*COMMON, *self.own_fields))
        return self.read_own(fields)

    def score(self, event: EventType) -> Result:
        """Return the award of every contestant, in the order of the event. Unpaid places get 0.

        ``p_max`` and ``p_min`` of the result are the unrounded awards of the winner and of the last paid
        place. Raise EngineError, which names the faulty field, if the event is invalid.
        """
        check_placed(event)
        self.check(event)
        derivation = self.derive(event)
        ladder = derivation.ladder
        return Result(
            regulation=self.code,
            eligible=True,
            reasons=(),
            n=Decimal(event.count),
            coefficients=derivation.coefficients,
            p_max=decimal_of(ladder.award(1)),
            p_min=decimal_of(ladder.last),
            awards=awards(event, ladder),
        )

    def ladder(self, event: EventType) -> Ladder:
        """Return the awards by place. Raise EngineError, naming the faulty field, if the event is invalid."""
        check_placed(event)
        self.check(event)
        return self.derive(event).ladder

    def explain(self, event: EventType, result: Result, contestant_id: str) -> tuple[Step, ...]:
        """Return one contestant's receipt, from the winner's points to the rounding.

        Raise EngineError ``unknown_contestant`` if the event has no such contestant.
        """
        return receipt.steps(self, event, self.derive(event).ladder, result, contestant_id)

    def answer(self, fields: Fields) -> dict[str, Any]:
        """Return the output of ``manage.py score`` for an input object. Raise EngineError if it is wrong."""
        event = self.read(fields)
        decimals = self.decimals_of(event)
        return lines.line(fields, self.score(event), decimals)

    def decimals_of(self, event: EventType) -> int:
        """Return the number of decimals to which this event's awards are rounded."""
        return 2


def read_common(fields: Fields) -> dict[str, Any]:
    """Read the fields that all schemes by place have. Return them as keyword arguments for an event class."""
    return {
        "contestants": tuple(
            read_contestant(entry, need_players=False, position=False)
            for entry in fields.objects("contestants")
        ),
        "contestant_count": fields.read("contestant_count", as_integer, default=None),
        "ties": fields.read("ties", as_text, default="mean"),
        "date": fields.read("date", as_date, default=None),
    }
