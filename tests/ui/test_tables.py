"""The project's tables: their HTML, and that they remain ordinary django-tables2 tables."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

import django_tables2 as tables
import pytest
from django.test import RequestFactory
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from tests.pages import Page
from ui.columns import (
    CategoryColumn,
    DateColumn,
    NumberColumn,
    PlayerColumn,
    PlayerNumberColumn,
    PointsColumn,
    RankColumn,
    YesNoColumn,
)
from ui.tables import BaseTable, FileColumns


@dataclass
class Row:
    """A fictitious row of standings."""

    rank: int
    name: str
    points: int | None
    category: str = "2P"
    url: str = "/j/1/"
    last: date | None = date(2026, 3, 14)
    shared: bool = False
    player_id: int = 0


class Standings(BaseTable):
    caption = "Points of 2P"
    row_header = "name"
    exports = ("csv",)
    rank = RankColumn()
    name = PlayerColumn()
    category = CategoryColumn()
    last = DateColumn(verbose_name="Last day")
    points = PointsColumn(verbose_name="Points")
    note = tables.Column(orderable=False, accessor="missing", verbose_name="Note")

    class Meta:
        orderable = True


ROWS = [
    Row(1, "Núria Vidal", 123456, player_id=7),
    Row(2, "Pau <b> Soler", 5, shared=True, url="", player_id=8),
    Row(2, "Jugador 12345", None, shared=True, last=None, player_id=9),
]


def rendered(rows=ROWS, query="", kind=Standings, lang="en", paginate=True, **options) -> Page:
    """Render a table of class `kind` with its pager and its download links, and return it as a page."""
    request = RequestFactory().get("/list/" + query)
    with translation.override(lang):
        table = kind(rows, **options)
        tables.RequestConfig(request, paginate=paginate).configure(table)
        return Page(table.as_html(request))


def test_cells_show_ranks_names_categories_dates_and_points():
    assert rendered(lang="es").table().rows == [
        ["1", "Núria Vidal", "2P♠\N{VARIATION SELECTOR-15}2 de picas", "14 mar 2026", "1.234,56", "—"],
        ["=2", "Pau <b> Soler", "2P♠\N{VARIATION SELECTOR-15}2 de picas", "14 mar 2026", "0,05", "—"],
        ["=2", "Jugador 12345", "2P♠\N{VARIATION SELECTOR-15}2 de picas", "—", "—", "—"],
    ]


def test_a_table_has_a_caption_and_header_cells():
    page = rendered()
    assert page.table().caption == "Points of 2P"
    assert len(page.all("th", scope="row")) == 3
    assert len(page.all("th", scope="col")) == 6


def test_each_cell_carries_its_column_name_for_phones():
    assert len(rendered().all(data_label="Points")) == 3


def test_what_opens_a_folded_row_names_the_row():
    page = rendered(lang="es", key_column="points")
    assert [summary["aria-label"] for summary in page.all("summary")] == [
        "Más de Núria Vidal",
        "Más de Pau <b> Soler",
        "Más de Jugador 12345",
    ]
    # A row without a header is named by its first cell, as it is read aloud.
    page = rendered(lang="es", key_column="points", row_header="", exclude=["rank", "name"])
    assert page.all("summary")[0]["aria-label"] == "Más de 2 de picas"


def test_numeric_columns_have_a_class_in_head_and_body():
    page = rendered()
    assert len(page.all("td", role="cell", class_="num", data_label="Points")) == 3
    heads = page.all("th", scope="col", role="columnheader", class_="num")
    assert "orderable" in heads[-1].classes and heads[-1].text == "Points"


def test_a_name_without_url_is_not_a_link():
    page = rendered()
    assert page.link("Núria Vidal") == "/j/1/"
    assert not [link for link in page.links if "Soler" in link.text]


@pytest.mark.parametrize(
    ("query", "state", "following"),
    [("?orden=points", "ascending", "-points"), ("?orden=-points", "descending", "points")],
)
def test_a_sorted_column_header_shows_its_direction_and_links_to_the_opposite(query, state, following):
    page = rendered(query=query)
    assert page.the(aria_sort=True)["aria-sort"] == state
    assert f"?orden={following}" in page.addresses
    assert page.the("thead").the("tr")["data-sort-label"] == "Sort by:"  # shown where rows fold


def test_the_first_click_on_points_sorts_descending():
    assert "?orden=-points" in rendered().addresses


def test_sorting_by_a_column_changes_the_order_of_rows():
    names = [row[1] for row in rendered(ROWS[:2], query="?orden=points").table().rows]
    assert names == ["Pau <b> Soler", "Núria Vidal"]


def test_the_header_of_an_unsortable_column_is_not_a_link():
    assert "Note" in rendered().table().heads
    assert not [link for link in rendered().links if link.text.startswith("Note")]


def test_columns_are_unsortable_unless_declared_sortable():
    class Plain(BaseTable):
        name = tables.Column()
        points = PointsColumn(orderable=True)

    page = rendered(ROWS[:2], kind=Plain, query="?orden=-name")
    assert [row[0] for row in page.table().rows] == ["Núria Vidal", "Pau <b> Soler"]
    assert page.addresses == ["?orden=-points"]


def test_a_new_sort_starts_at_the_first_page():
    rows = [Row(n, f"P{n}", n) for n in range(1, 41)]
    page = rendered(rows, query="?pagina=2&orden=rank&q=a", paginate={"per_page": 10})
    addresses = page.the("thead").addresses
    assert addresses
    assert all("q=a" in address and "pagina=" not in address for address in addresses)


def test_the_pager_shows_the_range_of_rows_and_links_to_other_pages():
    rows = [Row(n, f"P{n}", n) for n in range(1, 1235)]
    page = rendered(rows, query="?pagina=2", lang="es")
    pager = page.the("nav", class_="pager")
    assert "51–100 de 1.234" in pager.text
    assert [(link["rel"], link["href"]) for link in pager.links] == [
        ("first", "?pagina=1"),
        ("prev", "?pagina=1"),
        ("next", "?pagina=3"),
        ("last", "?pagina=25"),
    ]


@pytest.mark.parametrize(("asked", "shown"), [("100000", 200), ("0", 50), ("-5", 1), ("7", 7), ("x", 50)])
def test_the_requested_number_of_rows_per_page_is_limited(asked, shown):
    rows = [ROWS[0]] * 300
    assert len(rendered(rows, query=f"?filas={asked}").table().rows) == shown


def test_a_table_with_one_page_has_no_pager():
    assert not rendered().all(class_="pager")


def test_the_row_of_the_reader_is_marked_in_words():
    page = rendered(own_id=8)
    assert page.the("tr", class_="own").the(class_="own-word")
    assert page.table().rows[1][1] == "Pau <b> Soler (you)"
    assert not rendered().all(class_="own") and not rendered().all(class_="own-word")


def test_an_empty_table_shows_a_text_and_a_link():
    page = rendered([], empty_text="Nobody has points yet.", empty_link=("/other/", "Another category"))
    assert page.tables == []
    assert "Nobody has points yet." in page.text
    assert page.link("Another category") == "/other/"
    assert "Download" not in page.text


def test_a_table_declares_its_own_text_for_no_rows():
    class Champions(Standings):
        empty_text = "Nobody has won yet."

    assert Champions([]).empty_text == Champions([], empty_text=None).empty_text == "Nobody has won yet."
    assert Champions([], empty_text="No player fits.").empty_text == "No player fits."
    assert Standings([]).empty_text == Standings.Meta.empty_text


def test_download_links_keep_the_filters_and_drop_the_page_number():
    page = rendered(query="?q=a&pagina=1")
    assert "?q=a&formato=csv" in page.addresses


def test_a_download_has_numbers_and_dates_instead_of_texts():
    columns = FileColumns(Standings([]))
    assert columns.row(ROWS[0]) == [1, "Núria Vidal", "2P", date(2026, 3, 14), Decimal("1234.56"), None]
    assert columns.row(ROWS[2])[3:5] == [None, None]


def test_a_point_in_time_is_a_date_in_spain_on_the_page_and_in_downloads():
    class Days(BaseTable):
        at = DateColumn()

    late = [{"at": datetime(2026, 3, 14, 23, 30, tzinfo=UTC)}]
    assert rendered(late, kind=Days).table().rows == [["15 Mar 2026"]]
    assert FileColumns(Days([])).row(late[0]) == [date(2026, 3, 15)]


@pytest.mark.parametrize(
    ("decimals", "hundredths", "text", "number_format"),
    [
        (0, 120_000, "1200", "#,##0"),
        (0, -1250, "-12.5", "#,##0.0"),
        (1, 1200, "12.0", "#,##0.0"),
        (1, 1205, "12.05", "#,##0.00"),
        (2, 1200, "12.00", "#,##0.00"),
        (None, 1200, "12.00", "#,##0.00"),
    ],
)
def test_points_in_a_file_have_the_decimals_of_the_page(decimals, hundredths, text, number_format):
    columns = FileColumns(Standings([], points_decimals=decimals))
    points = columns.row(Row(1, "Ana", hundredths))[4]
    assert format(points, "f") == text
    assert columns.number_formats[4](points) == number_format


class Shown(BaseTable):
    """A table with three kinds of column: on the page and in the file, on the page only, in the file only."""

    number = PlayerNumberColumn(visible=False)
    name = PlayerColumn()
    place = tables.Column(verbose_name="Place")
    size = tables.Column(verbose_name=_("Contestants"), visible=False)
    licensed = YesNoColumn(verbose_name="Licence")
    link = tables.Column(verbose_name="Link", exclude_from_export=True)

    def render_place(self, value, record):
        return f"{value} of {record['size']}"

    def value_place(self, value):
        return value


class Numbers(BaseTable):
    """A table that writes numbers on the page in its own way."""

    score = NumberColumn(verbose_name="Score")

    def render_score(self, value):
        return f"\N{MINUS SIGN}{-value} points"


def test_a_file_has_the_numbers_that_the_page_writes_in_its_own_way():
    assert rendered([{"score": -90}], kind=Numbers).table().rows == [["\N{MINUS SIGN}90 points"]]
    assert FileColumns(Numbers([])).row({"score": -90}) == [-90]


RECORD = {"number": "71", "name": "Ana", "place": 3, "size": 24, "licensed": False, "link": "x"}


def test_a_column_is_shown_on_the_page_or_in_downloads_or_in_both():
    assert rendered([RECORD], kind=Shown).table().rows == [["Ana", "3 of 24", "no", "x"]]
    with translation.override("en"):
        columns = FileColumns(Shown([]))
        assert columns.heads == ["Federation number", "Player", "Place", "Contestants", "Licence"]
        assert columns.row(RECORD) == [71, "Ana", 3, 24, "no"]


def test_a_download_has_headings_in_the_language_of_the_request():
    with translation.override("es"):
        columns = FileColumns(Shown([]))
    with translation.override("en"):
        assert columns.heads[3] == "Parejas, equipos o jugadores"


def test_a_guest_has_no_federation_number_in_downloads():
    for nothing in ("", None):
        assert FileColumns(Shown([])).row({**RECORD, "number": nothing})[0] == nothing


# --- The fast path renders the same as the library ------------------------------------------------------


class Everything(BaseTable):
    """A table with one column for each way of rendering a cell."""

    plain = tables.Column()
    path = tables.Column(accessor="inner__deep")
    method = tables.Column(accessor="shout")
    absent = tables.Column(empty_values=(), accessor="nowhere")
    by_table = tables.Column(accessor="plain")
    linked = tables.Column(accessor="plain", linkify=lambda record, value: f"/{record.plain}/{value}/")
    marked = tables.Column(accessor="plain", attrs={"td": {"class": lambda record: f"c-{record.plain}"}})
    number = NumberColumn(accessor="amount", footer=lambda table: "sum")
    truth = YesNoColumn()
    falsy = tables.Column(accessor="zero")

    class Meta:
        row_attrs = {"data-id": lambda record: record.plain}

    def render_absent(self, record, bound_row, table):
        return f"{record.plain}-{bound_row.record.plain}-{type(table).__name__}"

    def render_by_table(self, value):
        return f"<x>{value}"


class Inner:
    deep = "deep & down"


class Thing:
    inner, amount, truth, zero = Inner(), 1234, True, 0

    def __init__(self, plain):
        self.plain = plain

    def shout(self):
        return self.plain.upper()


def test_cells_show_what_django_tables2_would_show():
    rows = [Thing("a"), Thing("b"), Thing("")]
    with translation.override("en"):
        table = Everything(rows)
        stock = [[str(cell) for cell in row] for row in table.rows]
    cells = rendered(rows, kind=Everything).table().rows
    plain = [[Page(cell).text if cell.startswith("<a ") else cell for cell in row] for row in stock]
    assert cells == plain
    assert plain[0] == ["a", "deep & down", "A", "a-a-Everything", "<x>a", "a", "a", "1,234", "yes", "0"]


def test_downloads_contain_what_django_tables2_would_export():
    class Exported(Everything):
        absent = None  # the library calls this method with a missing value, and with the row
        by_record = tables.Column(accessor="plain")

        def value_by_record(self, value, record, table):
            return f"{value}{record.amount}{type(table).__name__}"

    rows = [Thing("a"), Thing("b")]
    with translation.override("en"):
        columns = FileColumns(Exported([]))
        assert [columns.heads, *map(columns.row, rows)] == list(Exported(rows).as_values())
        first = columns.row(rows[0])
    assert first == ["a", "deep & down", "A", "<x>a", "a", "a", 1234, "yes", 0, "a1234Exported"]


def test_attributes_links_and_footers_of_django_tables2_work():
    page = rendered([Thing("a"), Thing("b")], kind=Everything)
    assert page.link("b") == "/b/b/"
    assert page.all("td", class_="c-a") and page.all("td", class_="c-b")
    assert page.the("tr", role="row", data_id="b")
    assert "sum" in [cell.text for cell in page.the("tfoot").all("td")]


def test_rows_can_be_dictionaries():
    rows = [{"rank": 1, "name": "A", "points": 100, "url": "/x/", "category": "MN", "player_id": 3}]
    page = rendered(rows, own_id=3)
    assert page.link("A") == "/x/"
    assert "(you)" in page.text


def test_a_table_with_its_own_meta_class_keeps_our_template_and_attributes():
    class Own(BaseTable):
        a = tables.Column()

        class Meta:
            per_page = 7

    assert Own._meta.per_page == 7
    assert Own._meta.attrs == {"class": "baza"}
    assert Own._meta.template_name == "django_tables2/baza.html"


def test_pinned_rows_are_shown():
    class Pinned(BaseTable):
        a = tables.Column()

        def get_bottom_pinned_data(self):
            return [{"a": "total"}]

    assert rendered([{"a": "x"}], kind=Pinned).table().rows == [["x"], ["total"]]


@pytest.mark.django_db
def test_a_model_field_with_choices_shows_the_label():
    from django.contrib.auth.models import Permission
    from django.db import models

    class Choice(models.Model):
        kind = models.CharField(max_length=1, choices=[("p", "pairs"), ("t", "teams")])

        class Meta:
            app_label = "ui_tests"
            managed = False

        def __str__(self):
            return self.kind

    class Kinds(BaseTable):
        kind = tables.Column()

    class Permissions(BaseTable):
        name = tables.Column()
        model = tables.Column(accessor="content_type__model")

    assert rendered([Choice(kind="t")], kind=Kinds).table().rows == [["teams"]]
    permission = Permission.objects.select_related("content_type").order_by("pk")[:1]
    result = permission[0]
    assert rendered(permission, kind=Permissions).table().rows == [[result.name, result.content_type.model]]
