"""Rows of a ranking as contestants of the engine: the same for every points system."""

from collections.abc import Callable, Container, Iterable

from scoring.engine.types import Contestant, Seat
from tournaments.drafts import Row


def seats_of(
    row: Row, category: Callable[[int | None], str | None], licensed: Container[int]
) -> tuple[Seat, ...]:
    """The persons of a contestant; ids are players' ids, or of guests the place in the list."""
    return tuple(
        Seat(
            # A guest has no number: its place in the list keeps its id unique.
            id=str(seat.player_id) if seat.player_id else f"guest-{row.position}-{index}",
            category=category(seat.player_id),
            licensed=seat.player_id in licensed,
        )
        for index, seat in enumerate(row.seats, start=1)
    )


def by_field(contestants: Iterable[tuple[Row, Contestant]]) -> dict[str, tuple[Contestant, ...]]:
    """Field -> its contestants in the order of the list; North-South before East-West."""
    found: dict[str, list[Contestant]] = {}
    for row, contestant in contestants:
        found.setdefault(row.field, []).append(contestant)
    return {field: tuple(found[field]) for field in sorted(found, reverse=True)}
