"""Tables over lists that are read a page at a time."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import django_tables2 as tables
from django.db.models import QuerySet
from django.http import HttpRequest
from django_tables2.data import TableData

PAGE, SORT = "pagina", "orden"
ROWS = 50
CHUNK = 500  # rows read at a time; SQLite limits the parameters of a query


class Listing(TableData):
    """Table data from anything with `count()` and `rows(start, stop)`; sorted before it comes here."""

    def __init__(self, source: Any) -> None:
        super().__init__(source)
        self._length: int | None = None

    def __len__(self) -> int:
        if self._length is None:
            self._length = self.data.count()
        return self._length

    def __getitem__(self, key: slice) -> list:
        first, last = key.start or 0, len(self) if key.stop is None else key.stop
        found: list = []
        for start in range(first, last, CHUNK):
            found += self.data.rows(start, min(start + CHUNK, last))
        return found

    def __iter__(self):
        return iter(self.data.rows(0, len(self)))

    def order_by(self, aliases) -> None:
        """Nothing to do: whoever made the list was told the order."""


class Pages:
    """Rows of a query set or a list, a page at a time, each page turned into records at once."""

    def __init__(
        self,
        found: QuerySet | Sequence,
        records: Callable[[list], list],
        count: Callable[[], int] | None = None,
    ) -> None:
        self.found, self.records = found, records
        self.count = count or (found.__len__ if isinstance(found, Sequence) else found.count)

    def rows(self, start: int, stop: int) -> list:
        """The records from `start` to before `stop`."""
        return self.records(list(self.found[start:stop]))


def turn_pages(request: HttpRequest, context: Mapping[str, Any]) -> None:
    """Cut the tables of a context, made where no request was known, into pages.

    Each has parameters of its own: a page may hold several.
    """
    for name, table in context.items():
        if isinstance(table, tables.Table):
            table.prefix, table.page_field, table.order_by_field = f"{name}-", PAGE, SORT
            tables.RequestConfig(request, paginate={"per_page": ROWS}).configure(table)


def paged(
    kind: type[tables.Table], request: HttpRequest, source: Any, *, per_page: int = ROWS, **options: Any
) -> tables.Table:
    """A table of one page of `source`: a list, or something for `Listing`.

    A page that does not exist gives the nearest that does, as a list may have got shorter meanwhile. A
    printable table has all its rows on one page where the address asks for that and they are not too many.
    """
    data = source if isinstance(source, list) else Listing(source)
    options.setdefault("page_field", PAGE)
    options.setdefault("order_by_field", SORT)
    table = kind(data, **options)
    table.whole = table.printable and table.whole_param in request.GET and table.short_enough
    tables.RequestConfig(request, paginate={"per_page": per_page}).configure(table)
    return table
