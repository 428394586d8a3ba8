"""The AEB's points system: its regulations, and the conversion of rankings to the engine's events."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from django.conf import settings

from scoring import regulations
from scoring.engine.types import Contestant, Event, Seat
from scoring.regulations.aeb.scheme import Scheme
from tournaments.drafts import Header, Row

from .seats import by_field, seats_of

FAMILY = "aeb"

# Codes of 2022 for the titles of 2026: needed if an override scores a tournament under the 2022 tables, or a
# title was assigned from a day before 2026. Our own ruling, because neither document covers it.
OLDER_CODES = {
    "MN-O": "MN", "MN-D": "MN", "MN-S": "MN", "ME-O": "MN", "ME-D": "MN", "ME-S": "MN",
    "MM-O": "MM", "MM-D": "MM", "MM-S": "MM",
}  # fmt: skip


def regulation_for(header: Header) -> Scheme:
    """Return the AEB's regulation in force on the tournament's last day."""
    return regulations.in_force(FAMILY, header.end_date)


def category_code(regulation: Scheme, code: str | None) -> str | None:
    """Convert the code of a player's category to the code that the regulation uses.

    The two differ if an older regulation lacks the category. None, for a player without a category, stays
    None.
    """
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
    """Return (field, event) pairs: the engine's input for each field of a ranking.

    Even with two fields, the coefficient of the field's strength (C4) and whether the tournament counts
    depend on the whole session.

    codes: {player id: category code}
    licensed: ids of the players with a licence
    """

    def seats(row: Row) -> tuple[Seat, ...]:
        return seats_of(row, header, lambda player: category_code(regulation, codes.get(player)), licensed)

    fields = by_field((row, Contestant(str(row.position), row.place, seats(row))) for row in rows)
    all_seats = tuple(seat for field in fields.values() for contestant in field for seat in contestant.seats)
    template = Event(
        event_type=header.event_type,
        format=header.format,
        boards=header.boards,
        boards_scheduled=header.boards_scheduled,
        venue=header.venue,
        date=header.end_date,
        ties=settings.TIES,
        place_rule=settings.PLACE_RULE,
        contestants=(),
        session_seats=all_seats if len(fields) > 1 else None,
    )
    return [(field, replace(template, contestants=contestants)) for field, contestants in fields.items()]
