"""Split values into lists short enough for one query."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

Value = TypeVar("Value")
CHUNK = 500  # values in one query: SQLite limits the number of a query's parameters


def chunks(values: Iterable[Value], size: int = CHUNK) -> Iterator[list[Value]]:
    """Yield the values in order, in lists of at most `size`."""
    values = list(values)
    for start in range(0, len(values), size):
        yield values[start : start + size]
