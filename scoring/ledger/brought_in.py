"""Which opening entries acts of people brought in. Rooms that post openings register how to find theirs."""

from collections.abc import Callable, Iterable

Ranges = Iterable[tuple[int, int]]  # (first id, last id) of ledger entries
_REGISTERED: list[Callable[[], Ranges]] = []


def register(ranges: Callable[[], Ranges]) -> None:
    """Register a function that returns which entries the acts of a room posted. Safe to repeat."""
    if ranges not in _REGISTERED:
        _REGISTERED.append(ranges)


def ranges() -> list[tuple[int, int]]:
    """Return (first id, last id) of all entries that were brought in."""
    return [ids for room in _REGISTERED for ids in room()]
