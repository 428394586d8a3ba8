"""The project's tables: their HTML, and that they remain ordinary django-tables2 tables."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

import django_tables2 as tables
import pytest
from django.test import RequestFactory
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from tests.layout import squeezed
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


def html(rows=ROWS, query="", kind=Standings, lang="en", paginate=True, **options) -> str:
    request = RequestFactory().get("/list/" + query)
    with translation.override(lang):
        table = kind(rows, **options)
        tables.RequestConfig(request, paginate=paginate).configure(table)
        return squeezed(table.as_html(request))


def body_cells(text: str) -> list[list[str]]:
    """Return the cells of each body row, without tags."""
    body = text[text.index("<tbody") : text.index("</tbody>")]
    rows = re.findall(r"<tr.*?</tr>", body, re.S)
    cells = [re.findall(r"<t[dh] .*?>(.*?)</t[dh]>", row, re.S) for row in rows]
    return [[re.sub(r"<[^>]*>", "", cell) for cell in row] for row in cells]


def test_every_cell_says_what_it_should():
    assert body_cells(html(lang="es")) == [
        ["1", "Núria Vidal", "2P♠\N{VARIATION SELECTOR-15}2 de picas", "14 mar 2026", "1.234,56", "—"],
        ["=2", "Pau &lt;b&gt; Soler", "2P♠\N{VARIATION SELECTOR-15}2 de picas", "14 mar 2026", "0,05", "—"],
        ["=2", "Jugador 12345", "2P♠\N{VARIATION SELECTOR-15}2 de picas", "—", "—", "—"],
    ]


def test_the_caption_and_the_row_heads_are_there():
    text = html()
    assert "<caption>Points of 2P</caption>" in text
    assert text.count('<th scope="row"') == 3
    assert text.count('<th scope="col"') == 6


def test_each_cell_carries_its_label_for_the_telephone():
    assert html().count('data-label="Points"') == 3


def test_numbers_are_marked_as_numbers_in_head_and_body():
    text = html()
    assert len(re.findall(r'<td role="cell" [^>]*class="num"[^>]*data-label="Points"', text)) == 3
    assert re.search(r'<th scope="col" role="columnheader" class="num orderable">', text)


def test_a_name_without_an_address_is_no_link():
    text = html()
    assert '<a href="/j/1/">Núria Vidal</a>' in text
    assert "Soler</a>" not in text


@pytest.mark.parametrize(
    ("query", "state", "following"),
    [("?sort=points", "ascending", "-points"), ("?sort=-points", "descending", "points")],
)
def test_the_sorted_head_says_so_and_leads_to_the_opposite(query, state, following):
    text = html(query=query)
    assert text.count("aria-sort") == 1
    assert f'aria-sort="{state}"' in text
    assert f'href="?sort={following}"' in text


def test_points_sort_most_first_on_the_first_click():
    assert 'href="?sort=-points"' in html()


def test_sorting_sorts():
    names = [row[1] for row in body_cells(html(ROWS[:2], query="?sort=points"))]
    assert names == ["Pau &lt;b&gt; Soler", "Núria Vidal"]


def test_a_column_that_does_not_sort_has_no_link():
    assert not re.search(r"<a[^>]*>Note", html())


def test_a_table_sorts_by_nothing_unless_it_says_so():
    class Plain(BaseTable):
        name = tables.Column()
        points = PointsColumn(orderable=True)

    text = html(ROWS[:2], kind=Plain, query="?sort=-name")
    assert [row[0] for row in body_cells(text)] == ["Núria Vidal", "Pau &lt;b&gt; Soler"]
    assert re.findall(r"sort=([-\w]+)", text) == ["-points"]


def test_a_new_sort_starts_at_the_first_page():
    rows = [Row(n, f"P{n}", n) for n in range(1, 41)]
    text = html(rows, query="?page=2&sort=rank&q=a", paginate={"per_page": 10})
    head = text[: text.index("</thead>")]
    assert "q=a" in head
    assert "page=" not in head


def test_the_pager_says_where_one_is():
    rows = [Row(n, f"P{n}", n) for n in range(1, 1235)]
    text = html(rows, query="?page=2", lang="es")
    assert re.search(r"51–100 \w+ 1\.234", text)
    pager = text[text.index('<nav class="pager"') :]
    assert re.findall(r'rel="(\w+)" href="\?page=(\d+)"', pager) == [
        ("first", "1"),
        ("prev", "1"),
        ("next", "3"),
        ("last", "25"),
    ]


@pytest.mark.parametrize(("asked", "shown"), [("100000", 200), ("0", 50), ("-5", 1), ("7", 7), ("x", 50)])
def test_the_length_of_a_page_has_limits(asked, shown):
    rows = [ROWS[0]] * 300
    assert len(body_cells(html(rows, query=f"?per_page={asked}"))) == shown


def test_one_page_has_no_pager():
    assert "pager" not in html()


def test_the_reader_is_told_in_words_which_row_is_theirs():
    text = html(own_id=8)
    assert text.count("own-word") == 1
    assert body_cells(text)[1][1] == "Pau &lt;b&gt; Soler (you)"
    assert '<tr role="row" class="own">' in text
    assert "own" not in html().replace("Download", "")


def test_an_empty_list_says_so_and_leads_on():
    text = html([], empty_text="Nobody has points yet.", empty_link=("/other/", "Another category"))
    assert "<table" not in text
    assert "Nobody has points yet." in text
    assert '<a href="/other/">Another category</a>' in text
    assert "Download" not in text


def test_downloads_keep_the_filters_and_drop_the_page():
    text = html(query="?q=a&page=1")
    assert 'href="?q=a&amp;formato=csv"' in text


def test_a_file_gets_numbers_and_days():
    columns = FileColumns(Standings([]))
    assert columns.row(ROWS[0]) == [1, "Núria Vidal", "2P", date(2026, 3, 14), Decimal("1234.56"), None]
    assert columns.row(ROWS[2])[3:5] == [None, None]


def test_a_moment_is_a_day_of_spain_on_screen_and_in_a_file():
    class Days(BaseTable):
        at = DateColumn()

    late = [{"at": datetime(2026, 3, 14, 23, 30, tzinfo=UTC)}]
    assert body_cells(html(late, kind=Days)) == [["15 Mar 2026"]]
    assert FileColumns(Days([])).row(late[0]) == [date(2026, 3, 15)]


class Shown(BaseTable):
    """A table with columns shown on the page and in the file, or in only one of them."""

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


RECORD = {"number": "71", "name": "Ana", "place": 3, "size": 24, "licensed": False, "link": "x"}


def test_a_column_is_on_the_page_in_the_file_or_in_both():
    assert body_cells(html([RECORD], kind=Shown)) == [["Ana", "3 of 24", "no", "x"]]
    with translation.override("en"):
        columns = FileColumns(Shown([]))
        assert columns.heads == ["Federation number", "Player", "Place", "Contestants", "Licence"]
        assert columns.row(RECORD) == [71, "Ana", 3, 24, "no"]


def test_a_file_has_the_headings_of_the_language_in_which_it_was_asked_for():
    with translation.override("es"):
        columns = FileColumns(Shown([]))
    with translation.override("en"):
        assert columns.heads[3] == "Parejas, equipos o jugadores"


def test_a_guest_has_no_number_in_a_file():
    for nothing in ("", None):
        assert FileColumns(Shown([])).row({**RECORD, "number": nothing})[0] == nothing


# --- The fast path renders the same as the library ------------------------------------------------------


class Everything(BaseTable):
    """One column for each way of rendering a cell."""

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


def test_every_way_of_filling_a_cell_gives_what_the_library_gives():
    rows = [Thing("a"), Thing("b"), Thing("")]
    with translation.override("en"):
        table = Everything(rows)
        stock = [[str(cell) for cell in row] for row in table.rows]
    unescaped = [
        [cell.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") for cell in row]
        for row in body_cells(html(rows, kind=Everything))
    ]
    plain = [[re.sub(r"</?a( [^>]*)?>", "", cell) for cell in row] for row in stock]
    assert unescaped == plain
    assert plain[0] == ["a", "deep & down", "A", "a-a-Everything", "<x>a", "a", "a", "1,234", "yes", "0"]


def test_files_have_what_the_library_would_export():
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


def test_attributes_links_and_footers_of_the_library_work():
    text = html([Thing("a"), Thing("b")], kind=Everything)
    assert '<a href="/b/b/">b</a>' in text
    assert 'class="c-a"' in text
    assert 'class="c-b"' in text
    assert '<tr role="row" data-id="b">' in text
    assert ">sum</td>" in text


def test_dictionaries_are_records_too():
    rows = [{"rank": 1, "name": "A", "points": 100, "url": "/x/", "category": "MN", "player_id": 3}]
    text = html(rows, own_id=3)
    assert '<a href="/x/">A</a>' in text
    assert "(you)" in text


def test_a_table_with_its_own_meta_keeps_the_look():
    class Own(BaseTable):
        a = tables.Column()

        class Meta:
            per_page = 7

    assert Own._meta.per_page == 7
    assert Own._meta.attrs == {"class": "baza"}
    assert Own._meta.template_name == "django_tables2/baza.html"


def test_pinned_rows_stay():
    class Pinned(BaseTable):
        a = tables.Column()

        def get_bottom_pinned_data(self):
            return [{"a": "total"}]

    assert body_cells(html([{"a": "x"}], kind=Pinned)) == [["x"], ["total"]]


@pytest.mark.django_db
def test_a_field_with_choices_shows_the_words():
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

    assert body_cells(html([Choice(kind="t")], kind=Kinds)) == [["teams"]]
    permission = Permission.objects.select_related("content_type").order_by("pk")[:1]
    result = permission[0]
    assert body_cells(html(permission, kind=Permissions)) == [[result.name, result.content_type.model]]
