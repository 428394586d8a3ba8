"""Split long lists of values, and read rows by a long list of values with several queries."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from django.db.models import Manager, QuerySet

Value = TypeVar("Value")
CHUNK = 500  # values in one query: SQLite limits the number of a query's parameters


def chunks(values: Iterable[Value], size: int = CHUNK) -> Iterator[list[Value]]:
    """Yield the values in order, in lists of at most `size`."""
    values = list(values)
    for start in range(0, len(values), size):
        yield values[start : start + size]


def rows_in(rows: QuerySet | Manager, column: str, values: Iterable[Any]) -> Iterator[Any]:
    """Yield the rows of a query set whose column has one of these values.

    Takes one query for each `CHUNK` values.
    """
    for chunk in chunks(values):
        yield from rows.filter(**{f"{column}__in": chunk})
