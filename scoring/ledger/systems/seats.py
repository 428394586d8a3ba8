"""Rows of a ranking as contestants of the engine: the same for every points system."""

from collections.abc import Callable, Container, Iterable

from django.conf import settings

from scoring.engine.types import Contestant, Seat
from tournaments.drafts import Header, Row

# Before the id of a player who played too few boards to earn points: part of the inputs of a run, so that it
# stays as it was when the setting changes.
SHORT = "short-"


def too_short(row: Row, header: Header) -> bool:
    """Whether the contestant is known to have played too few of the scheduled boards to earn points."""
    return row.boards is not None and 100 * row.boards < settings.MINIMUM_SHARE * header.boards_scheduled


def seats_of(
    row: Row,
    header: Header,
    category: Callable[[int | None], str | None],
    licensed: Container[int],
) -> tuple[Seat, ...]:
    """The persons of a contestant; ids are players' ids, or of guests the place in the list."""
    before = SHORT if too_short(row, header) else ""
    return tuple(
        Seat(
            # A guest has no number: its place in the list keeps its id unique.
            id=f"{before}{seat.player_id}" if seat.player_id else f"guest-{row.position}-{index}",
            category=category(seat.player_id),
            licensed=seat.player_id in licensed,
        )
        for index, seat in enumerate(row.seats, start=1)
    )


def person_of(seat_id: str) -> str:
    """The id without the mark of who played too few boards."""
    return seat_id.removeprefix(SHORT)


def earns(seats: Iterable[str]) -> bool:
    """Whether a contestant with these seats played enough boards to earn points."""
    return not any(seat.startswith(SHORT) for seat in seats)


def by_field(contestants: Iterable[tuple[Row, Contestant]]) -> dict[str, tuple[Contestant, ...]]:
    """Field -> its contestants in the order of the list; North-South before East-West."""
    found: dict[str, list[Contestant]] = {}
    for row, contestant in contestants:
        found.setdefault(row.field, []).append(contestant)
    return {field: tuple(found[field]) for field in sorted(found, reverse=True)}
