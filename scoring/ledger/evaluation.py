"""The only bridge between rows of the database and the engine's types."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.conf import settings

from players.categories import categories_on
from players.models import Licence
from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.engine.types import Reason, Result, Seat
from scoring.ledger import systems
from scoring.ledger.systems.aeb import FAMILY, category_code
from scoring.ledger.systems.seats import earns
from tournaments.drafts import Header, Row

__all__ = [
    "FAMILY", "Evaluation", "Line", "build_events", "category_code", "evaluate", "evaluate_events",
    "events", "licensed_on", "regulation_for",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """One ranking of a tournament ("" or, with two fields, "NS" and "EW"), with what the engine says."""

    field: str
    event: Any  # of the regulation's own kind
    result: Result


@dataclass(frozen=True)
class Evaluation:
    """A tournament as the regulation sees it: nothing of it is stored."""

    regulation: Any
    lines: tuple[Line, ...]

    @property
    def family(self) -> str:
        """Which points these are."""
        return systems.of_regulation(self.regulation).family

    @property
    def eligible(self) -> bool:
        return self.lines[0].result.eligible

    @property
    def reasons(self) -> tuple[Reason, ...]:
        return self.lines[0].result.reasons

    @property
    def persons(self) -> int:
        """Everybody who played, guests included."""
        return len(self.seats)

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """Everybody of the session, once."""
        first = self.lines[0].event
        if first.session_seats is not None:
            return first.seats
        return tuple(seat for line in self.lines for seat in line.event.seats)

    @cached_property
    def points_by_position(self) -> dict[int, int]:
        """Hundredths by `Row.position` of those who earn any; empty when the tournament does not count."""
        return {
            int(award.contestant): award.points
            for line in self.lines
            for award in line.result.awards
            if award.points and earns(award.seats)
        }

    @cached_property
    def points_by_player(self) -> dict[int, int]:
        """Hundredths by player id of those who are paid.

        Never guests, nor who played too few boards; players without a licence as `UNLICENSED_EARN` says.
        """
        licensed = {seat.id for seat in self.seats if seat.licensed}
        return {
            int(seat): award.points
            for line in self.lines
            for award in line.result.awards
            for seat in award.seats
            if award.points and seat.isdecimal() and (settings.UNLICENSED_EARN or seat in licensed)
        }

    @property
    def short(self) -> int:
        """How many contestants played too few boards to earn points."""
        return sum(
            not earns(seat.id for seat in contestant.seats)
            for line in self.lines
            for contestant in line.event.contestants
        )

    @cached_property
    def _line_by_contestant(self) -> dict[str, Line]:
        return {contestant.id: line for line in self.lines for contestant in line.event.contestants}

    def line_of(self, position: int) -> Line:
        """The ranking that the row at `position` is part of."""
        return self._line_by_contestant[str(position)]


def regulation_for(header: Header) -> Any:
    """The regulation of the tournament's last day, or the one it was overridden with.

    Raises EngineError (`no_regulation`, `unknown_regulation`) where there is none in its points system.
    """
    system = systems.of(header.family)
    if not header.regulation_override:
        return system.regulation_for(header)
    regulation = regulations.get(header.regulation_override)
    if regulation.family != system.engine_family:
        message = f"{regulation.code} gives no points of the family {header.family}"
        raise EngineError("unknown_regulation", "regulation", message)
    return regulation


def licensed_on(day: date, player_ids: Iterable[int] | None = None) -> set[int]:
    """Which of these players (None: of all) held a licence that counts on `day`."""
    licences = Licence.objects.valid_on(day)
    if player_ids is not None:
        licences = licences.filter(player_id__in=list(player_ids))
    return set(licences.values_list("player_id", flat=True))


def events(header: Header, rows: Sequence[Row]) -> list[tuple[str, Any]]:
    """The engine's events of a ranking, by field; two queries whatever its length."""
    ids = {seat.player_id for row in rows for seat in row.seats if seat.player_id}
    codes = {player: category.code for player, category in categories_on(header.end_date, ids).items()}
    return build_events(header, rows, codes, licensed_on(header.end_date, ids))


def build_events(
    header: Header, rows: Sequence[Row], codes: Mapping[int, str], licensed: Container[int]
) -> list[tuple[str, Any]]:
    """The same for who already knows every player's category code and who is licensed."""
    system = systems.of(header.family)
    return system.build(regulation_for(header), header, rows, codes, licensed)


def evaluate(header: Header, rows: Sequence[Row]) -> Evaluation:
    """Score a ranking without storing anything.

    Raises EngineError naming what the regulation cannot take (an event type of another year, say).
    """
    regulation = regulation_for(header)
    return evaluate_events(regulation, events(header, rows))


def evaluate_events(regulation: Any, pairs: Iterable[tuple[str, Any]]) -> Evaluation:
    """Score events that were built, or stored, before."""
    return Evaluation(
        regulation, tuple(Line(field, event, regulation.score(event)) for field, event in pairs)
    )
