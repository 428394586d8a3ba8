"""The AEB's points: five coefficients, categories and licences."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings

from scoring import regulations
from scoring.engine.eventjson import event_from_json, event_to_json
from scoring.engine.types import Contestant, Event, Seat
from scoring.regulations.aeb.scheme import Scheme
from tournaments.drafts import Header, Row

from .seats import by_field, seats_of

FAMILY = "aeb"

# A title of 2026 under the 2022 tables, which an override or a title dated early can bring about: ours, as
# neither document says it. Masters are read as masters, without their section.
OLDER_CODES = {
    "MN-O": "MN", "MN-D": "MN", "MN-S": "MN", "ME-O": "MN", "ME-D": "MN", "ME-S": "MN",
    "MM-O": "MM", "MM-D": "MM", "MM-S": "MM",
}  # fmt: skip


def regulation_for(header: Header) -> Scheme:
    """The regulation in force on the tournament's last day."""
    return regulations.in_force(FAMILY, header.end_date)


def category_code(regulation: Scheme, code: str | None) -> str | None:
    """A player's category as the regulation spells it; None for the unclassified."""
    if code is None or regulation.categories.find(code) is not None:
        return code
    return OLDER_CODES[code]


def build(
    regulation: Scheme,
    header: Header,
    rows: Sequence[Row],
    codes: Mapping[int, str],
    licensed: Container[int],
) -> list[tuple[str, Event]]:
    """The engine's events of a ranking, by field; categories and eligibility are the whole session's."""

    def seats(row: Row) -> tuple[Seat, ...]:
        return seats_of(row, header, lambda player: category_code(regulation, codes.get(player)), licensed)

    fields = by_field((row, Contestant(str(row.position), row.place, seats(row))) for row in rows)
    everybody = tuple(seat for each in fields.values() for contestant in each for seat in contestant.seats)
    whole = Event(
        event_type=header.event_type,
        format=header.format,
        boards=header.boards,
        boards_scheduled=header.boards_scheduled,
        venue=header.venue,
        date=header.end_date,
        ties=settings.TIES,
        place_rule=settings.PLACE_RULE,
        contestants=(),
        session_seats=everybody if len(fields) > 1 else None,
    )
    return [(field, replace(whole, contestants=contestants)) for field, contestants in fields.items()]


def to_json(event: Event) -> dict[str, Any]:
    """The event as a run stores it."""
    return event_to_json(event)


def from_json(regulation: Scheme, value: Any) -> Event:
    """The event of what a run stores. Raises EngineError."""
    return event_from_json(value)
