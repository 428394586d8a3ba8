"""The base of every table on screen: an ordinary django-tables2 table that renders ten times faster.

Stock django-tables2 asks, for each cell, for the signature of the render function, the accessor's path,
the cell's attributes (each a new dictionary) and the localised value. None of that changes from row to
row, so :class:`RowWriter` asks once for each column and then only writes. Sorting, pages, `render_FOO`,
`value_FOO`, `linkify`, computed attributes and export stay the library's own.
"""

from collections.abc import Callable, Iterator
from typing import Any

import django_tables2 as tables
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.utils.functional import Promise, cached_property
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_tables2.columns import BoundColumn
from django_tables2.rows import BoundPinnedRow, BoundRow
from django_tables2.tables import DeclarativeColumnsMetaclass
from django_tables2.utils import AttributeDict, call_with_appropriate, computed_values, signature

from ui.columns import PointsColumn, field_of
from ui.order import sortable

LABEL = "data-label"
MOST_ROWS = 200  # of a page, whatever its address asks for
MOST_PRINTED = 2000  # of a list on one page, to print it: longer ones are for the file


def _reader(bound: BoundColumn, kind: type) -> Callable[[Any], Any]:
    """How to read this column's value from records of one type.

    A plain name is read directly; a path, or anything callable on the way, goes through the library's
    accessor, quietly as the library itself does: a column without a value of its own shows its default.
    """
    accessor, name = bound.accessor, str(bound.accessor)
    if issubclass(kind, Model) and "__" not in name and "." not in name:
        try:
            if kind._meta.get_field(name).choices:
                name = f"get_{name}_display"
                return lambda record: getattr(record, name)()
        except FieldDoesNotExist:
            pass  # an annotation or a property: read like any attribute
    if callable(accessor) or "__" in name or "." in name:
        return lambda record: accessor.resolve(record, quiet=True)
    if issubclass(kind, dict):
        read = lambda record: record.get(name)  # noqa: E731 (one of two readers of the same shape)
    else:
        read = lambda record: getattr(record, name, None)  # noqa: E731

    def value(record: Any) -> Any:
        found = read(record)
        return accessor.resolve(record, quiet=True) if callable(found) else found

    return value


def _renderer(bound: BoundColumn, table: tables.Table) -> Callable[[Any, BoundRow], Any]:
    """How to turn a value into the cell's content, with the arguments the function asks for and no more."""
    render, link, column = bound.render, bound.link, bound.column
    wanted, catch_all = signature(render)

    def arguments(value: Any, row: BoundRow) -> dict[str, Any]:
        return {
            "value": value,
            "record": row.record,
            "column": column,
            "bound_column": bound,
            "bound_row": row,
            "table": table,
        }

    if link:
        return lambda value, row: link(
            call_with_appropriate(render, arguments(value, row)), **arguments(value, row)
        )
    if not catch_all and wanted == ("value",):
        return lambda value, row: render(value=value)
    if not catch_all and set(wanted) == {"value", "record"}:
        return lambda value, row: render(value=value, record=row.record)
    return lambda value, row: call_with_appropriate(render, arguments(value, row))


class _Cell:
    """Everything about one column that is the same in every row."""

    def __init__(self, bound: BoundColumn, table: "BaseTable") -> None:
        self.bound = bound
        self.empty_values = bound.column.empty_values
        self.default = conditional_escape(bound.default)
        self.render = _renderer(bound, table)
        self.readers: dict[type, Callable[[Any], Any]] = {}
        self.is_head = bound.name == table.row_header
        self.close = "</th>" if self.is_head else "</td>"
        # Nothing but the table sees the current record while a static attribute is computed.
        source = bound.column.attrs.get("td", bound.column.attrs.get("cell", {}))
        self.computed = any(callable(value) for value in source.values())
        self.open = "" if self.computed else self._open_tag()

    def _open_tag(self) -> str:
        attrs = AttributeDict(self.bound.attrs["td"])
        if self.bound.header:
            attrs.setdefault(LABEL, self.bound.header)
        tag = 'th scope="row" role="rowheader"' if self.is_head else 'td role="cell"'
        return f"<{tag} {attrs.as_html()}>"

    def html(self, row: BoundRow) -> str:
        """The whole cell, tags included."""
        record = row.record
        kind = type(record)
        reader = self.readers.get(kind)
        if reader is None:
            reader = self.readers[kind] = _reader(self.bound, kind)
        value = reader(record)
        if value in self.empty_values:
            content = self.default
        else:
            content = self.render(value, row)
            if type(content) is not SafeString:
                content = conditional_escape(content)
        if not self.computed:
            return f"{self.open}{content}"
        # The library's own way for attributes that depend on the record.
        self.bound.current_value, self.bound.current_record = content, record
        return f"{self._open_tag()}{content}"


class RowWriter:
    """Writes the rows of one table, one string a row."""

    def __init__(self, table: "BaseTable") -> None:
        self.table = table
        self.cells = [_Cell(bound, table) for bound in table.columns]
        self.own_word = format_html(' <span class="own-word">({})</span>', gettext("you"))

    def row(self, row: BoundRow) -> SafeString:
        """The `<tr>` of one row; the reader's own is marked in words, not by colour alone."""
        own = self.table.is_own(row.record)
        parts = [self._open_tag(row, own)]
        for cell in self.cells:
            parts.append(cell.html(row))
            if own and cell.is_head:
                parts.append(self.own_word)
            parts.append(cell.close)
        parts.append("</tr>\n")
        return mark_safe("".join(parts))  # noqa: S308 (every part was escaped where it was made)

    def _open_tag(self, row: BoundRow, own: bool) -> str:
        if isinstance(row, BoundPinnedRow):
            return f'<tr role="row" {row.attrs.as_html()}>'
        attrs = self.table.row_attrs
        if attrs:
            attrs = AttributeDict(computed_values(attrs, {"table": self.table, "record": row.record}))
        if own:
            attrs = AttributeDict({**attrs, "class": f"{attrs.get('class') or ''} own".strip()})
        return f'<tr role="row" {attrs.as_html()}>' if attrs else '<tr role="row">'


class _InheritingMeta(DeclarativeColumnsMetaclass):
    """Lets a table without a Meta, or with one that names no base, keep the options of its parent.

    The library reads only the class's own Meta: a forgotten `Meta(BaseTable.Meta)` would silently lose
    the style and the page length.
    """

    def __new__(mcs, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> type:
        inherited = next((base.Meta for base in bases if hasattr(base, "Meta")), None)
        own = attrs.get("Meta")
        if inherited and not own:
            attrs["Meta"] = inherited
        elif inherited and not issubclass(own, inherited):
            attrs["Meta"] = type("Meta", (own, inherited), {})
        return super().__new__(mcs, name, bases, attrs)


class BaseTable(tables.Table, metaclass=_InheritingMeta):
    """Base class of the project's tables.

    A subclass may set, and the constructor may override by keyword:

    * `caption`: what the table shows, in a few words; every table needs one;
    * `row_header`: the name of the column whose cells head their rows;
    * `own_field` and `own_id`: a row is the reader's own where the record's field equals `own_id`;
    * `exports`: the file formats offered below the table ("csv", "xlsx"), asked for by `export_param`;
    * `printable`: the whole list is offered on one page, to print it, asked for by `whole_param`;
    * `points_decimals`: how many decimals its points have;
    * `empty_text`, and `empty_link` with (url, text) of the next step when there are no rows.
    """

    caption: str | Promise = ""
    row_header: str = ""
    own_field: str = "player_id"
    own_id: Any = None
    exports: tuple[str, ...] = ()
    export_param: str = "formato"
    printable: bool = False
    whole_param: str = "entera"
    whole: bool = False
    points_decimals: int | None = None
    empty_link: tuple[str, str | Promise] | None = None

    _OPTIONS = (
        "caption", "row_header", "own_field", "own_id", "exports", "export_param", "printable", "empty_link",
        "points_decimals",
    )  # fmt: skip

    class Meta:
        template_name = "django_tables2/baza.html"
        attrs = {"class": "baza"}
        empty_text = _("There is nothing to show here yet.")
        per_page = 50

    def __init__(self, data: Any = None, *args: Any, **kwargs: Any) -> None:
        for name in self._OPTIONS:
            if name in kwargs:
                setattr(self, name, kwargs.pop(name))
        super().__init__(sortable(data), *args, **kwargs)
        if self.points_decimals is not None:
            for bound in self.columns.iterall():
                if isinstance(bound.column, PointsColumn):
                    bound.column.decimals = self.points_decimals

    def paginate(self, *args: Any, per_page: int | None = None, **kwargs: Any) -> None:
        """Cut the rows into pages. Their length may come from the address, so it is kept within reason.

        A whole list is one page.
        """
        length = MOST_PRINTED if self.whole else min(max(per_page or self._meta.per_page, 1), MOST_ROWS)
        super().paginate(*args, per_page=length, **kwargs)

    @property
    def short_enough(self) -> bool:
        """Whether all rows fit on one page to print."""
        return len(self.rows) <= MOST_PRINTED

    def is_own(self, record: Any) -> bool:
        """Whether this record is the reader's own."""
        return self.own_id is not None and field_of(record, self.own_field) == self.own_id

    def written_rows(self) -> Iterator[SafeString]:
        """The `<tr>` of each row of the current page, pinned rows included."""
        writer = RowWriter(self)
        return (writer.row(row) for row in self.paginated_rows)

    @cached_property
    def heads(self) -> list[dict[str, Any]]:
        """What the head row needs of each column: label, attributes, sort state and the next sort."""
        heads = []
        for bound in self.columns:
            alias = bound.order_by_alias
            sort = ""
            if bound.is_ordered:
                sort = "descending" if alias.is_descending else "ascending"
            heads.append(
                {
                    "label": bound.header,
                    "attrs": bound.attrs["th"].as_html(),
                    "sortable": bound.orderable,
                    "sort": sort,
                    "next": alias.next,
                }
            )
        return heads
