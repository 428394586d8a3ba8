"""Check that places form a ranking and count the contestants that share each place."""

from __future__ import annotations

from collections import Counter

from .errors import EngineError
from .types import ListedEvent


def tie_sizes(event: ListedEvent) -> dict[int, int]:
    """Return {place: number of listed contestants that share it}.

    If every contestant is listed with a place, the places must be as in 1, 2, 2, 4: every place is one more
    than the number of contestants above it. If only some contestants are listed, places may be skipped. A tie
    occupies as many places as it has contestants, and the next place must come after them.

    Raise EngineError ``place_sequence`` for the first wrong place. The error names the first contestant in
    input order that has this place.
    """
    sizes = Counter(c.place for c in event.contestants if c.place is not None)
    complete = sum(sizes.values()) == event.count
    free = 1
    for place in sorted(sizes):
        if place < free or (complete and place != free) or place + sizes[place] - 1 > event.count:
            raise EngineError(
                "place_sequence", _field_of(event, place), _message(event, place, free, complete)
            )
        free = place + sizes[place]
    return dict(sizes)


def _field_of(event: ListedEvent, place: int) -> str:
    index = next(index for index, c in enumerate(event.contestants) if c.place == place)
    return f"contestants[{index}].place"


def _message(event: ListedEvent, place: int, free: int, complete: bool) -> str:
    if place < 1:
        return f"place {place} is below 1"
    if place < free:
        return f"place {place} is already taken by a tie above it; the next free place is {free}"
    if complete and free <= event.count:
        return f"place {place} where the ranking 1, 2, 2, 4 would continue with {free}"
    return f"place {place} with its ties goes beyond the {event.count} contestants"
