"""The base class of all tables: a django-tables2 table that renders ten times faster.

For every cell, django-tables2 computes four things: the signature of the render function, the accessor's
path, a new dictionary of attributes, and the localised value. Most of this is the same in every row, so
:class:`RowWriter` computes it once for each column. The library still does the rest: sorting, pagination,
`render_FOO`, `value_FOO`, `linkify`, computed attributes and export.
"""

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import django_tables2 as tables
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.http import HttpRequest
from django.utils.functional import Promise, cached_property
from django.utils.html import conditional_escape, format_html, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_tables2.columns import BoundColumn
from django_tables2.rows import BoundPinnedRow, BoundRow
from django_tables2.tables import DeclarativeColumnsMetaclass
from django_tables2.utils import AttributeDict, call_with_appropriate, computed_values, signature

from ui.breaks import with_breaks
from ui.columns import PointsColumn, exact_format, field_of
from ui.order import sortable
from ui.parameters import LENGTH, PAGE, SORT
from ui.text import one_line

LABEL = "data-label"
MOST_ROWS = 200  # rows on a page, whatever page length the URL requests
MOST_PRINTED = 2000  # rows of a list shown whole for printing; longer lists are exported as files


def _reader(bound: BoundColumn, kind: type) -> Callable[[Any], Any]:
    """Return a function that takes a record and returns this column's value.

    A column with a plain field name is read directly, which is fast. For paths and callables the function
    uses the library's accessor. A missing value gives None.

    kind: the type of the records
    """
    accessor, name = bound.accessor, str(bound.accessor)
    if issubclass(kind, Model) and "__" not in name and "." not in name:
        try:
            if kind._meta.get_field(name).choices:
                name = f"get_{name}_display"
                return lambda record: getattr(record, name)()
        except FieldDoesNotExist:
            pass  # an annotation or a property: read it as an attribute
    if callable(accessor) or "__" in name or "." in name:
        return lambda record: accessor.resolve(record, quiet=True)
    if issubclass(kind, dict):
        read = lambda record: record.get(name)  # noqa: E731 (two functions of the same shape)
    else:
        read = lambda record: getattr(record, name, None)  # noqa: E731

    def value(record: Any) -> Any:
        result = read(record)
        return accessor.resolve(record, quiet=True) if callable(result) else result

    return value


def _renderer(bound: BoundColumn, table: tables.Table) -> Callable[[Any, BoundRow], Any]:
    """Return a function that takes a value and its row, and renders the value for the page.

    The function calls the column's `render` with those arguments that `render` accepts.
    """
    render, link, column = bound.render, bound.link, bound.column
    parameters, catch_all = signature(render)

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
    if not catch_all and parameters == ("value",):
        return lambda value, row: render(value=value)
    if not catch_all and set(parameters) == {"value", "record"}:
        return lambda value, row: render(value=value, record=row.record)
    return lambda value, row: call_with_appropriate(render, arguments(value, row))


def _file_cell(bound: BoundColumn, table: tables.Table, kind: type) -> Callable[[Any], Any]:
    """Return a function that takes a record and returns this column's value for an exported file.

    kind: the type of the records
    """
    read, value = _reader(bound, kind), bound.value
    if not hasattr(table, f"value_{bound.name}") and type(bound.column).value is not tables.Column.value:
        value = bound.column.value  # not the table's `render_FOO`, which the library prefers
    elif getattr(value, "__func__", None) is tables.Column.value:
        value = bound.column.render  # the inherited `value` calls `render`
    if getattr(value, "__func__", None) is tables.Column.render:
        return read  # the inherited `render` returns the value unchanged
    parameters, catch_all = signature(value)
    without = None in bound.column.empty_values  # others say in words that there is no value
    if not catch_all and parameters == ("value",):
        return lambda record: None if (raw := read(record)) is None and without else value(value=raw)
    fixed = {"column": bound.column, "bound_column": bound, "table": table}

    def cell(record: Any) -> Any:
        raw = read(record)
        if raw is None and without:
            return None
        return call_with_appropriate(value, {"value": raw, "record": record, **fixed})

    return cell


class _Cell:
    """A column prepared for rendering: it holds the parts of its cells that are the same in every row."""

    def __init__(self, bound: BoundColumn, table: "BaseTable") -> None:
        self.bound = bound
        self.empty_values = bound.column.empty_values
        self.default = conditional_escape(bound.default)
        self.render = _renderer(bound, table)
        self.readers: dict[type, Callable[[Any], Any]] = {}
        self.is_head = bound.name == table.row_header
        self.is_key = bound.name == table.key_column
        self.close = "</th>" if self.is_head else "</td>"
        # Callable attributes depend on the record; the others are computed only once.
        source = bound.column.attrs.get("td", bound.column.attrs.get("cell", {}))
        self.computed = any(callable(value) for value in source.values())
        self.open = "" if self.computed else self._open_tag()

    def _open_tag(self) -> str:
        attrs = AttributeDict(self.bound.attrs["td"])
        if self.is_key:
            attrs["class"] = f"{attrs.get('class') or ''} key".strip()
        if self.bound.header:
            attrs.setdefault(LABEL, self.bound.header)
        tag = 'th scope="row" role="rowheader"' if self.is_head else 'td role="cell"'
        return f"<{tag} {attrs.as_html()}>"

    def html(self, row: BoundRow) -> str:
        """Return the opening tag and the content of the cell in this row, without the closing tag."""
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
            content = with_breaks(content)
        if not self.computed:
            return f"{self.open}{content}"
        # The library passes these to callable attributes.
        self.bound.current_value, self.bound.current_record = content, record
        return f"{self._open_tag()}{content}"


# An element that is not read aloud; it may contain others, one level deep.
_SILENT = re.compile(r'<span\b[^>]*aria-hidden="true"[^>]*>(?:[^<]|<span\b[^>]*>[^<]*</span>)*</span>')


def text_of(html: str) -> str:
    """Return the text that a piece of HTML has for those who hear it, on one line."""
    apart = (
        _SILENT.sub("", html).replace("<wbr>", "").replace("<span", " <span")
    )  # a note is a line of its own
    return one_line(unescape(strip_tags(apart)))


def _unfold(name: str) -> SafeString:
    """Return the last cell of a row of a table that folds on telephones: it shows the row's other cells.

    Its label is an attribute: the page, which has the name already, is searched and copied without it.

    name: what the row is about. Whoever hears one button after another knows by it which row each opens.
    """
    label = gettext("More about %(name)s") % {"name": name} if name else gettext("More of this row")
    return format_html(
        '<td role="cell" class="unfold"><details><summary aria-label="{}"></summary></details></td>', label
    )


class RowWriter:
    """A writer that renders the rows of one table, each as one HTML string."""

    def __init__(self, table: "BaseTable") -> None:
        self.table = table
        self.cells = [_Cell(bound, table) for bound in table.columns]
        self.own_word = format_html(' <span class="own-word">({})</span>', gettext("you"))
        # The cell that names what the row is about.
        self.named = next(
            (cell for cell in self.cells if cell.is_head), self.cells[0] if self.cells else None
        )

    def row(self, row: BoundRow) -> SafeString:
        """Return the `<tr>` of a row. The reader's own row is marked by a word, not by colour alone."""
        own = self.table.is_own(row.record)
        parts, name = [self._open_tag(row, own)], ""
        for cell in self.cells:
            html = cell.html(row)
            parts.append(html)
            if cell is self.named:
                name = html
            if own and cell.is_head:
                parts.append(self.own_word)
            parts.append(cell.close)
        if self.table.key_column:
            parts.append(_unfold(text_of(name)))
        parts.append("</tr>\n")
        return mark_safe("".join(parts))  # noqa: S308 (every part is escaped already)

    def _open_tag(self, row: BoundRow, own: bool) -> str:
        if isinstance(row, BoundPinnedRow):
            return f'<tr role="row" {row.attrs.as_html()}>'
        attrs = self.table.row_attrs
        if attrs:
            attrs = AttributeDict(computed_values(attrs, {"table": self.table, "record": row.record}))
        if own:
            attrs = AttributeDict({**attrs, "class": f"{attrs.get('class') or ''} own".strip()})
        return f'<tr role="row" {attrs.as_html()}>' if attrs else '<tr role="row">'


class FileColumns:
    """The columns of a table's exported files. They compute the cells of a row from a record.

    Columns are declared as for the export of django-tables2: `exclude_from_export=True` keeps a column out of
    files, `visible=False` keeps it off the page. The content of a cell is what the first of these methods
    returns: the table's `value_FOO`; the `value` that the column's class defines, such as the number of a
    `NumberColumn`; the table's `render_FOO`; the column's `render`. Only None gives an empty cell, whatever
    the column's `empty_values`.
    """

    def __init__(self, table: "BaseTable") -> None:
        self.table = table
        self.bounds = [bound for bound in table.columns.iterall() if not bound.column.exclude_from_export]
        # Translated now: a streamed file is written after the view has returned.
        self.heads = [str(bound.header) for bound in self.bounds]
        # For each column the function that returns the number format of a cell in an XLSX file.
        self.number_formats = [getattr(bound.column, "number_format", exact_format) for bound in self.bounds]
        self.cells: dict[type, list[Callable[[Any], Any]]] = {}

    def row(self, record: Any) -> list[Any]:
        """Return the cells of a record, in the order of `heads`."""
        kind = type(record)
        cells = self.cells.get(kind)
        if cells is None:
            cells = self.cells[kind] = [_file_cell(bound, self.table, kind) for bound in self.bounds]
        return [cell(record) for cell in cells]


class _InheritingMeta(DeclarativeColumnsMetaclass):
    """A metaclass that makes a table's Meta inherit from the Meta of its parent class.

    The library reads only the class's own Meta. A subclass whose Meta does not inherit explicitly would lose
    the style and the page length without a warning.
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

    Subclasses set these options; those in `_OPTIONS` can also be passed to the constructor:

    caption: what the table shows, in a few words; required
    row_header: name of the column whose cells are row headers
    key_column: name of the column with the most important value, such as the points. On a telephone the rows
        of a table with a key column fold. A folded row shows the place, the row header and this value. The
        other cells appear on request.
    own_field, own_id: a row is about the signed-in reader if its record's field `own_field` equals `own_id`
    exports: file formats offered below the table; the URL parameter is `export_param`. None by default: only
        a view knows whether it returns files (`ui.exports.file_or_table`).
    file_sequence: order of the columns in files, as `Meta.sequence`; by default that of the page
    printable: whether to offer the whole list on one page; the URL parameter is `whole_param`
    points_decimals: number of decimals of the table's points, on the page and in files
    empty_text: the text in place of a table without rows
    empty_link: the (url, text) of a link below that text
    """

    caption: str | Promise = ""
    row_header: str = ""
    key_column: str = ""
    own_field: str = "player_id"
    own_id: Any = None
    exports: tuple[str, ...] = ()
    export_param: str = "formato"
    file_sequence: tuple[str, ...] = ()
    printable: bool = False
    whole_param: str = "entera"
    whole: bool = False
    points_decimals: int | None = None
    empty_text: str | Promise | None = None  # None: that of `Meta`
    empty_link: tuple[str, str | Promise] | None = None

    _OPTIONS = (
        "caption",
        "row_header",
        "key_column",
        "own_field",
        "own_id",
        "exports",
        "printable",
        "empty_link",
        "points_decimals",
    )

    class Meta:
        template_name = "django_tables2/baza.html"
        attrs = {"class": "baza"}
        orderable = False  # by default; columns and tables that can be sorted set it
        empty_text = _("There is nothing to show here yet.")
        per_page = 50
        page_field, order_by_field, per_page_field = PAGE, SORT, LENGTH

    def __init__(self, data: Any = None, *args: Any, **kwargs: Any) -> None:
        for name in self._OPTIONS:
            if name in kwargs:
                setattr(self, name, kwargs.pop(name))
        if kwargs.get("empty_text") is None:
            kwargs["empty_text"] = self.empty_text
        super().__init__(sortable(data), *args, **kwargs)
        if self.key_column:
            self.attrs["class"] += " fold"
        if self.points_decimals is not None:
            for bound in self.columns.iterall():
                if isinstance(bound.column, PointsColumn):
                    bound.column.decimals = self.points_decimals

    def paginate(self, *args: Any, per_page: int | None = None, **kwargs: Any) -> None:
        """Divide the rows into pages.

        The page length may come from the URL, so it is limited. If `whole` is set, all rows are on one page.
        """
        length = MOST_PRINTED if self.whole else min(max(per_page or self._meta.per_page, 1), MOST_ROWS)
        super().paginate(*args, per_page=length, **kwargs)

    @property
    def short_enough(self) -> bool:
        """Whether the whole list may be shown on one page."""
        return len(self.rows) <= MOST_PRINTED

    def html_or_blank(self, request: HttpRequest) -> str:
        """Return the table as HTML, or "" if it has no rows."""
        return self.as_html(request) if len(self.rows) else ""

    def is_own(self, record: Any) -> bool:
        """Whether the record is about the signed-in reader."""
        return self.own_id is not None and field_of(record, self.own_field) == self.own_id

    def written_rows(self) -> Iterator[SafeString]:
        """Yield the `<tr>` of each row of the current page, including pinned rows."""
        writer = RowWriter(self)
        return (writer.row(row) for row in self.paginated_rows)

    @cached_property
    def heads(self) -> list[dict[str, Any]]:
        """The header cells: for each column its label, HTML attributes, and current and next sort order."""
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
