"""Tables of imported lists."""

from collections.abc import Callable, Sequence

from django.db.models import QuerySet
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_tables2 import A, Column

from ui.columns import DateColumn, NumberColumn
from ui.paging import Listing, Pages
from ui.tables import BaseTable


class RowPages(Listing):
    """Rows of an imported list, read one page at a time, which a reader can sort.

    rows: a query set of `ListRow`
    lines, count: as `records` and `count` of `ui.paging.Pages`
    """

    COLUMNS = {"line": "line", "changes": "change", "number": "number", "name": "name"}

    def __init__(self, rows: QuerySet, lines: Callable[[list], list], count: Callable[[], int]) -> None:
        super().__init__(Pages(rows, lines, count))

    def order_by(self, aliases) -> None:
        known = [alias for alias in aliases if alias.bare in self.COLUMNS]
        if columns := [alias.replace(alias.bare, self.COLUMNS[alias.bare]) for alias in known]:
            self.data.source = self.data.source.order_by(*columns, "line")


class PlanTable(BaseTable):
    """The lines of an imported list that add or change something."""

    line = NumberColumn(verbose_name=_("Line"), initial_sort_descending=False)
    changes = Column(verbose_name=_("Does"))
    number = Column(verbose_name=_("Number"))
    name = Column(verbose_name=_("Player"))
    details = Column(
        verbose_name=_("What"), orderable=False, empty_values=(), attrs={"td": {"class": "prose"}}
    )

    row_header = "name"
    caption = _("What the list adds and changes")

    class Meta(BaseTable.Meta):
        orderable = True
        empty_text = _("Nothing is new: everything in the list is there already.")

    def render_changes(self, value: bool) -> str:
        return gettext("changes") if value else gettext("adds")

    def render_details(self, record) -> str:
        parts = [
            format_html(
                "{}: {}",
                detail.label,
                (detail.new or gettext("not shown"))
                if detail.old is None
                else format_html("{} → <strong>{}</strong>", detail.old, detail.new),
            )
            for detail in record.details
        ]
        # Wrap the parts in one element: narrow screens place the elements of a cell side by side.
        return format_html("<span>{}</span>", format_html_join("; ", "{}", ((part,) for part in parts)))


class ConflictTable(BaseTable):
    """The rows that undoing a list leaves as they are, because they were changed or used since.

    The only column is a sentence about the row.
    """

    text = Column(verbose_name=_("What is left alone"))

    row_header = "text"
    caption = _("Left alone, because somebody changed it since")


def conflict_table(conflicts: Sequence[str]) -> ConflictTable | None:
    """Return the table of `UndoPlan.conflicts`, None if there are none."""
    return ConflictTable([{"text": text} for text in conflicts]) if conflicts else None


class ImportsTable(BaseTable):
    """All imported lists."""

    file_name = Column(linkify=("office_import_review", {"pk": A("pk")}), verbose_name=_("File"))
    kind = Column(verbose_name=_("List of"))
    created_at = DateColumn(verbose_name=_("Uploaded"))
    created_by = Column(verbose_name=_("By"))
    state = Column(verbose_name=_("State"))
    added = NumberColumn(verbose_name=_("Lines added"), accessor="counts__added", orderable=False)
    changed = NumberColumn(verbose_name=_("Lines changed"), accessor="counts__changed", orderable=False)

    row_header = "file_name"
    caption = _("Lists brought in")

    class Meta(BaseTable.Meta):
        empty_text = _("No list has been imported yet.")
        orderable = True
        order_by = "-created_at"
