"""The guards of this app's tables: triggers that refuse forbidden changes (see `players.triggers`)."""

from collections.abc import Iterator

from players.triggers import Guard, not_replaced

CHANGE = "ratings_ratedplayerchange"


def guards(vendor: str) -> Iterator[Guard]:
    """Yield the guards of the changes of Go players' data."""
    message = "a change of a Go player's data stays as it was recorded"
    yield Guard(CHANGE, ("UPDATE", "DELETE"), "append_only", "", message)
    yield from not_replaced(vendor, CHANGE)
