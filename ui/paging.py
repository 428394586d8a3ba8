"""Tables whose rows are read from their source one page at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import Any, TypeVar

import django_tables2 as tables
from django.db.models import QuerySet
from django.http import HttpRequest
from django_tables2.data import TableData

from ui.chunks import CHUNK

Table = TypeVar("Table", bound=tables.Table)
ROWS = 50
CONTESTANTS = 100  # of a ranking, on one page
MOST_FOUND = 1_000  # rows of a search that its list counts and shows


class Listing(TableData):
    """Table data that is read on demand, one page at a time, from a source that is sorted already.

    A source is an object with the methods `count()` and `rows(start, stop)`.
    """

    @cached_property
    def _length(self) -> int:
        return self.data.count()

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, key: slice) -> list:
        first, last = key.start or 0, len(self) if key.stop is None else key.stop
        return [
            row
            for start in range(first, last, CHUNK)
            for row in self.data.rows(start, min(start + CHUNK, last))
        ]

    def __iter__(self):
        return iter(self.data.rows(0, len(self)))

    def order_by(self, aliases) -> None:
        """Do nothing: the source is sorted already."""


FAR = 1000  # rows that may be skipped from the beginning


def rows_between(
    rows: QuerySet, start: int, stop: int, count: Callable[[], int], unique: str = "id"
) -> list[Any]:
    """Return the rows from index `start` up to, but not including, `stop`.

    A database reads and skips all rows before them. Rows that are nearer to the end are therefore read from
    there, if the order leaves no doubt: the last page takes as long as the first, and only the middle longer.

    count: function that returns the number of all rows; called only for rows far from the beginning
    unique: name of a column that differs in all rows. Only a list whose order ends with it is read backwards.
    """
    order = rows.query.order_by or (rows.query.get_meta().ordering if rows.query.default_ordering else ())
    last = str(order[-1]).lstrip("-") if order else ""
    if start < FAR or last not in ("pk", unique) or start < count() - stop:
        return list(rows[start:stop])
    total = count()
    return list(rows.reverse()[max(total - stop, 0) : max(total - start, 0)])[::-1]


class Pages:
    """A source for `Listing`, made of a query set or a list.

    records: function that converts the source's objects on one page to table records
    count: function that returns the number of all objects, if it is faster than the query set's own `count`
    """

    def __init__(
        self,
        source: QuerySet | Sequence,
        records: Callable[[list], list],
        count: Callable[[], int] | None = None,
    ) -> None:
        self.source, self.records = source, records
        self.count = cache(count or (source.__len__ if isinstance(source, Sequence) else source.count))

    @property
    def cut_off(self) -> bool:
        """Whether there are more rows than the list shows."""
        return False

    def rows(self, start: int, stop: int) -> list:
        """Return the records from `start` up to, but not including, `stop`."""
        if isinstance(self.source, QuerySet):
            return self.records(rows_between(self.source, start, stop, self.count))
        return self.records(list(self.source[start:stop]))

    def every(self) -> Iterator[Any]:
        """Yield all records in order. The database finds the rows once and sends them in chunks."""
        objects = self.source.iterator(CHUNK) if isinstance(self.source, QuerySet) else iter(self.source)
        while chunk := list(islice(objects, CHUNK)):
            yield from self.records(chunk)


class FoundPages(Pages):
    """A source for `Listing` with the first `MOST_FOUND` rows that a search finds.

    Counting all rows that have a common word takes longer than finding the first of them.
    """

    def __init__(self, source: QuerySet, records: Callable[[list], list]) -> None:
        super().__init__(source, records, lambda: min(self._counted, MOST_FOUND))

    @cached_property
    def _counted(self) -> int:
        return self.source.order_by().values("pk")[: MOST_FOUND + 1].count()

    @property
    def cut_off(self) -> bool:
        return self._counted > MOST_FOUND


def every_record(source: Any) -> Iterator[Any]:
    """Yield all records of a source for `Listing`, read in chunks, to write them to a file."""
    if isinstance(source, Pages):
        yield from source.every()
        return
    for start in range(0, source.count(), CHUNK):
        yield from source.rows(start, start + CHUNK)


def paginate_tables(request: HttpRequest, context: Mapping[str, Any]) -> None:
    """Sort and paginate all tables in a template context by the query parameters of the request.

    A page may have several tables. The names of the parameters of the second one therefore begin with "2-",
    and so on.
    """
    shown = [value for value in context.values() if isinstance(value, tables.Table)]
    for number, table in enumerate(shown, start=1):
        table.prefix = f"{number}-" if number > 1 else ""
        tables.RequestConfig(request, paginate={"per_page": ROWS}).configure(table)


def table_of(kind: type[Table], source: Any, **options: Any) -> Table:
    """Return a table of class `kind` with these rows.

    source: the rows, as for `paged`
    """
    data = source if isinstance(source, (list, TableData)) else Listing(source)
    return kind(data, **options)


def paged(
    kind: type[Table], request: HttpRequest, source: Any, *, per_page: int = ROWS, **options: Any
) -> Table:
    """Return a table of class `kind` that shows one page of its rows.

    A page number beyond the end gives the last page, because the list may have become shorter. If the URL
    requests the whole list, a printable table shows all its rows on one page, unless they are too many.

    source: the rows, as a list, as table data or as a source for `Listing`
    """
    table = table_of(kind, source, **options)
    table.whole = table.printable and table.whole_param in request.GET and table.short_enough
    tables.RequestConfig(request, paginate={"per_page": per_page}).configure(table)
    return table
