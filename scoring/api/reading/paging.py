"""Lists in several documents: signed cursors, and the link to the next document.

A cursor holds the position of the last row, not its number, so that rows which are added or removed meanwhile
make the reader of a list neither miss nor repeat others.
"""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any

from django.core.signing import BadSignature, Signer
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop as _
from ninja import Query

from scoring.api.limits import CURSOR_LENGTH, PAGE_ROWS
from scoring.api.problems import Problem

CURSOR = "cursor"
Cursor = Annotated[
    str,
    Query(
        max_length=CURSOR_LENGTH,
        description=_("From the link to the next document; empty for the first."),
    ),
]
Position = list[Any]  # values of the columns by which a list is ordered, in JSON


class Paging:
    """The requested document of a list: where it begins, and the link to the next one.

    scope: what chooses the rows of the list, as the view understood it; cursors of another scope do not fit,
        however the parameters of the request are written
    """

    def __init__(self, request: HttpRequest, response: HttpResponse, cursor: str, *scope: Any) -> None:
        self._request, self._response, self._cursor = request, response, cursor
        self._signer = Signer(salt=f"scoring.api {request.resolver_match.url_name} {scope!r}")

    def position(self) -> Position | None:
        """Return the position of the row before the document, None at the beginning of the list.

        Raises Problem for a cursor that was not made here, or for another list.
        """
        if not self._cursor:
            return None
        try:
            return self._signer.unsign_object(self._cursor)
        except BadSignature as error:
            raise Problem("cursor_invalid") from error

    def link_next(self, position: Position | None) -> str | None:
        """Return the address of the document that begins after a position, and add it to the header Link.

        position: that of the last row of this document; None if no row follows
        """
        if position is None:
            return None
        query = self._request.GET.copy()
        query[CURSOR] = self._signer.sign_object(position)
        address = self._request.build_absolute_uri(f"{self._request.path}?{query.urlencode()}")
        self._response.headers["Link"] = f'<{address}>; rel="next"'
        return address

    def page_of(self, rows: QuerySet, keys: Sequence[str]) -> tuple[list[Any], str | None]:
        """Return the rows of the requested document, and the address of the next one. One query.

        rows: instances or dicts, ordered by `keys`
        keys: columns, as for `order_by`, whose values together differ in all rows
        """
        position = self.position()
        if position is not None:
            rows = rows.filter(_after(keys, position))
        rows_read = list(rows[: PAGE_ROWS + 1])
        listed = rows_read[:PAGE_ROWS]
        last = _values(listed[-1], keys) if len(rows_read) > PAGE_ROWS else None
        return listed, self.link_next(last)


def _after(keys: Sequence[str], position: Position) -> Q:
    """Return the condition of the rows behind a position. Its first part lets databases use an index."""
    columns = [(key.lstrip("-"), "lt" if key.startswith("-") else "gt") for key in keys]
    name, sign = columns[0]
    same, behind = Q(), Q()
    for (column, beyond), value in zip(columns, position, strict=True):
        behind |= same & Q((f"{column}__{beyond}", value))
        same &= Q((column, value))
    return Q((f"{name}__{sign}e", position[0])) & behind


def _values(row: Any, keys: Sequence[str]) -> Position:
    names = [key.lstrip("-") for key in keys]
    values = [row[name] if isinstance(row, dict) else getattr(row, name) for name in names]
    return [value.isoformat() if isinstance(value, date) else value for value in values]
