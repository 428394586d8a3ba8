"""The frame of a scheme that awards by place: reading, scoring, receipts and the line of output."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, ClassVar

from scoring.engine.eventjson import read_contestant
from scoring.engine.placed import Ladder, PlacedEvent, awards, check_placed
from scoring.engine.rounding import decimal_of
from scoring.engine.strictjson import Fields, as_date, as_integer, as_text
from scoring.engine.types import Result, Step
from scoring.regulations.filing import Filing

from . import lines, receipt

COMMON = ("regulation", "family", "date", "contestants", "contestant_count", "ties")


@dataclass(frozen=True, slots=True)
class Derivation:
    """What an event comes to before anybody's place is looked at: the coefficients and the ladder."""

    coefficients: dict[str, Decimal]
    ladder: Ladder


class PlaceScheme(ABC):
    """One regulation; a subclass states its own fields, checks and formula."""

    code: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str]
    valid_from: ClassVar[date]
    valid_to: ClassVar[date | None] = None
    filing: ClassVar[Filing]
    # The fields of `manage.py score` beyond those of every scheme, and the article about places and ties.
    own_fields: ClassVar[tuple[str, ...]] = ()
    places_article: ClassVar[str]

    def __str__(self) -> str:
        return self.code

    @abstractmethod
    def read_own(self, fields: Fields) -> PlacedEvent:
        """The event of an object whose field names were checked."""

    @abstractmethod
    def check(self, event: PlacedEvent) -> None:
        """Raises an EngineError for the first of the scheme's own values that it cannot score."""

    @abstractmethod
    def derive(self, event: PlacedEvent) -> Derivation:
        """Coefficients and ladder of a checked event."""

    @abstractmethod
    def event_steps(self, event: PlacedEvent) -> tuple[Step, ...]:
        """The receipt down to the number of paid places."""

    @abstractmethod
    def place_step(self, event: PlacedEvent, place: int) -> Step:
        """The unrounded award of a paid place, before ties."""

    def leading(self, event: PlacedEvent, place: int) -> Iterable[int]:
        """The places whose awards that of a paid place is computed from; none unless a scheme says so."""
        return ()

    def share_of(self, event: PlacedEvent, place: int) -> Step | None:
        """The receipt's line about the share of the winner's award that a place gets, if there is one."""
        return None

    def read(self, fields: Fields) -> PlacedEvent:
        """The event of an object of ``manage.py score``. Raises EngineError naming the field."""
        fields.only((*COMMON, *self.own_fields))
        return self.read_own(fields)

    def score(self, event: PlacedEvent) -> Result:
        """Points for every contestant, in the order of the event; nothing for unpaid places.

        ``p_max`` is the unrounded winner's award, ``p_min`` the unrounded one of the last paid place. Raises
        EngineError naming the field.
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

    def ladder(self, event: PlacedEvent) -> Ladder:
        """The awards by place, for tables, plots and what-if. Raises EngineError naming the field."""
        check_placed(event)
        self.check(event)
        return self.derive(event).ladder

    def explain(self, event: PlacedEvent, result: Result, contestant_id: str) -> tuple[Step, ...]:
        """The receipt of one contestant, from the winner's points to the rounding.

        Raises ``unknown_contestant``.
        """
        return receipt.steps(self, event, result, contestant_id)

    def answer(self, fields: Fields) -> dict[str, Any]:
        """The line of output of ``manage.py score`` for one object of input. Raises EngineError."""
        event = self.read(fields)
        decimals = self.decimals_of(event)
        return lines.line(fields, self.score(event), decimals)

    def decimals_of(self, event: PlacedEvent) -> int:
        """The decimals of an award of this event."""
        return 2


def read_common(fields: Fields) -> dict[str, Any]:
    """What every scheme by place takes, as arguments of its event."""
    return {
        "contestants": tuple(
            read_contestant(entry, need_players=False, position=False)
            for entry in fields.objects("contestants")
        ),
        "contestant_count": fields.read("contestant_count", as_integer, default=None),
        "ties": fields.read("ties", as_text, default="mean"),
        "date": fields.read("date", as_date, default=None),
    }
