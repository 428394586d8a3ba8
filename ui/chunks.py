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


def batches_of(rows: QuerySet | Manager, size: int = CHUNK) -> Iterator[list[Any]]:
    """Yield all rows of a model in lists of at most `size`, by id, each read with one query.

    Rows that are stored meanwhile are among them.
    """
    last = 0
    while batch := list(rows.filter(pk__gt=last).order_by("pk")[:size]):
        yield batch
        last = batch[-1].pk
