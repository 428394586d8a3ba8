"""The only bridge between rows of the database and the engine's types."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from django.conf import settings

from players.categories import categories_on
from players.models import Licence
from scoring import regulations
from scoring.engine.types import Contestant, Event, Reason, Result, Seat
from scoring.regulations.aeb.scheme import Scheme
from tournaments.drafts import Header, Row

FAMILY = "aeb"

# A title of 2026 under the 2022 tables, which an override or a title dated early can bring about: ours, as
# neither document says it. Masters are read as masters, without their section.
OLDER_CODES = {
    "MN-O": "MN", "MN-D": "MN", "MN-S": "MN", "ME-O": "MN", "ME-D": "MN", "ME-S": "MN",
    "MM-O": "MM", "MM-D": "MM", "MM-S": "MM",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """One ranking of a tournament ("" or, with two fields, "NS" and "EW"), with what the engine says."""

    field: str
    event: Event
    result: Result


@dataclass(frozen=True)
class Evaluation:
    """A tournament as the regulation sees it: nothing of it is stored."""

    regulation: Scheme
    lines: tuple[Line, ...]

    @property
    def eligible(self) -> bool:
        return self.lines[0].result.eligible

    @property
    def reasons(self) -> tuple[Reason, ...]:
        return self.lines[0].result.reasons

    @property
    def persons(self) -> int:
        """Everybody who played, guests included."""
        return len(self.lines[0].event.seats)

    @property
    def licensed(self) -> int:
        """How many of them held a licence that counts on the day."""
        return sum(seat.licensed for seat in self.lines[0].event.seats)

    @cached_property
    def points_by_position(self) -> dict[int, int]:
        """Hundredths by `Row.position`; empty when the tournament does not count."""
        return {int(award.contestant): award.points for line in self.lines for award in line.result.awards}

    @cached_property
    def _line_by_contestant(self) -> dict[str, Line]:
        return {contestant.id: line for line in self.lines for contestant in line.event.contestants}

    def line_of(self, position: int) -> Line:
        """The ranking that the row at `position` is part of."""
        return self._line_by_contestant[str(position)]


def regulation_for(header: Header) -> Scheme:
    """The regulation of the tournament's last day, or the one it was overridden with.

    Raises EngineError (`no_regulation`, `unknown_regulation`) where there is none.
    """
    if header.regulation_override:
        return regulations.get(header.regulation_override)
    return regulations.in_force(FAMILY, header.end_date)


def category_code(regulation: Scheme, code: str | None) -> str | None:
    """A player's category as the regulation spells it; None for the unclassified."""
    if code is None or regulation.categories.find(code) is not None:
        return code
    return OLDER_CODES[code]


def licensed_on(day: date, player_ids: Iterable[int] | None = None) -> set[int]:
    """Which of these players (None: of all) held a licence that counts on `day`."""
    licences = Licence.objects.valid_on(day)
    if player_ids is not None:
        licences = licences.filter(player_id__in=list(player_ids))
    return set(licences.values_list("player_id", flat=True))


def events(header: Header, rows: Sequence[Row]) -> list[tuple[str, Event]]:
    """The engine's events of a ranking, by field; two queries whatever its length."""
    ids = {seat.player_id for row in rows for seat in row.seats if seat.player_id}
    codes = {player: category.code for player, category in categories_on(header.end_date, ids).items()}
    return build_events(header, rows, codes, licensed_on(header.end_date, ids))


def build_events(
    header: Header, rows: Sequence[Row], codes: Mapping[int, str], licensed: Container[int]
) -> list[tuple[str, Event]]:
    """The same for who already knows every player's category code and who is licensed; no query."""
    regulation = regulation_for(header)

    def seats(row: Row) -> tuple[Seat, ...]:
        return tuple(
            Seat(
                # A guest has no number: its place in the list keeps its id unique.
                id=str(seat.player_id) if seat.player_id else f"guest-{row.position}-{index}",
                category=category_code(regulation, codes.get(seat.player_id)),
                licensed=seat.player_id in licensed,
            )
            for index, seat in enumerate(row.seats, start=1)
        )

    contestants = [
        (row.field, Contestant(id=str(row.position), place=row.place, seats=seats(row))) for row in rows
    ]
    everybody = tuple(seat for _field, contestant in contestants for seat in contestant.seats)
    fields = sorted({field for field, _contestant in contestants}, reverse=True)  # North-South first
    whole = Event(
        event_type=header.event_type,
        format=header.format,
        boards=header.boards,
        boards_scheduled=header.boards_scheduled,
        venue=header.venue,
        date=header.end_date,
        ties=settings.TIES,
        contestants=(),
        session_seats=everybody if len(fields) > 1 else None,
    )
    return [
        (field, replace(whole, contestants=tuple(c for each, c in contestants if each == field)))
        for field in fields
    ]


def evaluate(header: Header, rows: Sequence[Row]) -> Evaluation:
    """Score a ranking without storing anything.

    Raises EngineError naming what the regulation cannot take (an event type of another year, say).
    """
    regulation = regulation_for(header)
    return evaluate_events(regulation, events(header, rows))


def evaluate_events(regulation: Scheme, pairs: Iterable[tuple[str, Event]]) -> Evaluation:
    """Score events that were built, or stored, before."""
    return Evaluation(
        regulation, tuple(Line(field, event, regulation.score(event)) for field, event in pairs)
    )
