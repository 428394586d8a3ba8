"""Exported files: their content, and that spreadsheets execute no formula in them."""

import csv
import io
import re
import subprocess
import sys
from datetime import date
from decimal import Decimal

import openpyxl
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from scoring.ledger.models import LedgerEntry
from scoring.ledger.queries import standings
from scoring.ledger.services import posting
from scoring.ledger.tables import RankingTable
from tests import factories as make
from tests.languages import speak
from tests.pages import open_page
from ui import exports, memo
from ui.tables import FileColumns

DANGEROUS = [
    "=1+1",
    "+34",
    "-2",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "=cmd|' /C calc'!A0",
    "＝1+1",
    "＋34",
    "－2",
    "＠SUM(A1)",
    "\u3000=1",
]


@pytest.mark.parametrize("text", DANGEROUS)
def test_exported_text_that_looks_like_a_formula_is_quoted(text):
    assert exports.safe_text(text) == f"'{text}"
    line = b"".join(exports.csv_lines(["h"], [[text]], "es")).decode("utf-8-sig")
    cell = list(csv.reader(io.StringIO(line, newline=""), delimiter=";"))[1][0]
    assert cell == f"'{text}"
    book = openpyxl.load_workbook(exports.xlsx_file(["h"], [[text]], "t"))
    assert book.active["A2"].data_type == "s"
    assert book.active["A2"].value.startswith("'")


def test_harmless_text_and_numbers_are_exported_unchanged():
    rows = [["Ana - Luis", -5, Decimal("-12.50"), date(2026, 3, 14), None, "5=3"]]
    line = b"".join(exports.csv_lines(list("abcdef"), rows, "es")).decode("utf-8-sig").splitlines()[1]
    assert line == "Ana - Luis;-5;-12,50;2026-03-14;;5=3"
    line = b"".join(exports.csv_lines(list("abcdef"), rows, "en")).decode("utf-8-sig").splitlines()[1]
    assert line == "Ana - Luis,-5,-12.50,2026-03-14,,5=3"
    sheet = openpyxl.load_workbook(exports.xlsx_file(list("abcdef"), rows, "t")).active
    values = [cell.value for cell in sheet[2]]
    assert values[1:3] == [-5, -12.5]
    assert values[3].date() == date(2026, 3, 14)


@given(st.text())
def test_no_exported_text_begins_like_a_formula(text):
    assert not exports.safe_text(text).lstrip(exports.BLANKS).startswith(exports.DANGEROUS)


@given(st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_exported_csv_text_can_be_read_back_unchanged(texts):
    body = b"".join(exports.csv_lines(["h"] * len(texts), [texts], "es")).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(body, newline=""), delimiter=";"))
    assert rows[1] == [exports.safe_text(text) for text in texts]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_exported_file_contains_the_whole_filtered_list(client, today, kind):
    club = make.club(name="=HYPERLINK(1)")
    players = make.players(60, category="2P", club=club)
    players[0].given_name = "@Ana"
    players[0].save()
    elsewhere = make.player(category="2P")
    rows = [
        posting.OpeningRow(player.pk, today, "T", False, 100_000 - number)
        for number, player in enumerate([*players, elsewhere])
    ]
    posting.post_opening(rows, None)
    response = client.get(reverse("standing", args=["2p"]), {"formato": kind, "club": club.slug})
    body = b"".join(response.streaming_content)
    if kind == "csv":
        table = list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline=""), delimiter=";"))
        first = ["1", players[0].number, f"'{players[0].full_name}", "'=HYPERLINK(1)", "2P", "1000,00"]
    else:
        table = [
            list(row) for row in openpyxl.load_workbook(io.BytesIO(body)).active.iter_rows(values_only=True)
        ]
        first = [1, int(players[0].number), f"'{players[0].full_name}", "'=HYPERLINK(1)", "2P", 1000]
    assert len(table) == 61
    assert [*table[1][:5], table[1][-1]] == first
    assert "attachment" in response.headers["Content-Disposition"]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("query", [{}, {"q": "a", "licencia": "todos"}])
def test_exporting_a_long_list_makes_one_query(client, today, monkeypatch, kind, query):
    monkeypatch.setattr(standings, "CHUNK", 2)
    address = reverse("standing", args=["2p"])

    def queries() -> int:
        memo.forget()
        with CaptureQueriesContext(connection) as result:
            b"".join(client.get(address, {"formato": kind, **query}).streaming_content)
        return sum("ledger_standing" in item["sql"] for item in result if "FETCH" not in item["sql"])

    for number in range(3):
        player = make.player(category="2P", given_name="Ana")
        posting.post_opening([posting.OpeningRow(player.pk, today, "Old", False, 100 + number)], None)
    few = queries()
    for _number in range(6):
        player = make.player(category="2P", given_name="Ana")
        posting.post_opening([posting.OpeningRow(player.pk, today, "Old", False, 200)], None)
    assert queries() == few


@pytest.mark.parametrize(
    ("name", "plain", "full"),
    [
        ("puntos-71.csv", "puntos-71.csv", "puntos-71.csv"),
        ("según día.csv", "segun-dia.csv", "seg%C3%BAn-d%C3%ADa.csv"),
        ('a"\r\nSet-Cookie: x=ñ.csv', "a-Set-Cookie-x-n.csv", "a-Set-Cookie-x-%C3%B1.csv"),
        ("../../etc/passwd", "etc-passwd", "etc-passwd"),
        ("名簿.csv", "file.csv", "%E5%90%8D%E7%B0%BF.csv"),
        ("sc\u202exslx.exe", "sc-xslx.exe", "sc-xslx.exe"),
        ("⑴ ½.csv", "1-12.csv", "%E2%91%B4-%C2%BD.csv"),
        ("", "file", "file"),
    ],
)
def test_an_exported_file_has_a_safe_name(name, plain, full):
    assert exports.content_disposition(name) == f"attachment; filename=\"{plain}\"; filename*=UTF-8''{full}"


@given(st.text())
def test_no_name_breaks_the_http_header_of_a_download(name):
    header = exports.content_disposition(name)
    form = r"attachment; filename=\"[A-Za-z0-9_][A-Za-z0-9._-]*\"; filename\*=UTF-8''[A-Za-z0-9._~%-]+"
    assert re.fullmatch(form, header)
    assert len(header) < 1500


COLUMNS = ["Player", "Federation number", "Category", "Club", "Points of 12 months", "Licence"]


def players_file(client, kind: str, **query) -> list[list[str]]:
    """Return the rows of the exported list of players, in English."""
    speak(client, "en")
    body = b"".join(client.get(reverse("players"), {"formato": kind, **query}).streaming_content)
    if kind == "csv":
        return list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")))
    rows = openpyxl.load_workbook(io.BytesIO(body)).active.iter_rows(values_only=True)
    return [["" if cell is None else str(cell) for cell in row] for row in rows]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_exported_list_of_players_equals_its_page(client, federation, today, kind):
    loose = make.player(club=None, licensed=False, given_name="Zoa", surname="Zubía")
    make.assign(make.player(category="2C", given_name="Yago", surname="Yuste"), "MN", date(2023, 1, 1))
    merged = make.player(given_name="Otra", surname="Vez", merged_into=loose)
    head, *rows = players_file(client, kind)
    shown = open_page(client, reverse("players")).table().column("Player")
    assert head == COLUMNS
    assert len(rows) == len(shown) == 9
    assert [row[0] for row in rows] == shown
    assert rows[-1] == ["Zoa Zubía", loose.number, "", "", "0" if kind == "xlsx" else "0.00", "no"]
    assert rows[-2][2] == "MN-O"
    first = next(row for row in rows if row[1] == federation.players[0].number)
    assert first[2:4] == ["2P", "Club del Faro"] and first[5] == "yes"
    assert float(first[4]) == LedgerEntry.objects.get(player=federation.players[0]).points / 100
    assert merged.number not in {row[1] for row in rows}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_exported_file_lists_hidden_players_like_the_page(client, federation, kind):
    hidden = federation.hidden
    client.force_login(make.office())
    assert not any(hidden.number in row or "Secundina" in row[0] for row in players_file(client, kind))
    assert players_file(client, kind, q="Secundina")[1:] == []
    assert [row[:2] for row in players_file(client, kind, q=hidden.number)[1:]] == [
        [f"Player {hidden.number}", hidden.number]
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("query", [{}, {"q": "prueba"}])
def test_exporting_the_list_of_players_makes_one_query(client, today, kind, query):
    def queries() -> int:
        memo.forget()
        with CaptureQueriesContext(connection) as result:
            assert len(players_file(client, kind, **query)) > 1
        return sum("players_player" in item["sql"] for item in result if "FETCH" not in item["sql"])

    make.player(category="2P", given_name="Prueba")
    assert queries() == 1
    make.players(7, category="2P", given_name="Prueba")
    assert queries() == 1


def test_the_web_application_starts_without_the_slow_import_of_openpyxl():
    program = "import django; django.setup(); import federation.urls, sys; print('openpyxl' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "False"


def test_workbooks_contain_error_codes_as_text_and_formatted_points():
    rows = [["#N/A", Decimal("12.50"), 7]] * 2
    sheet = openpyxl.load_workbook(exports.xlsx_file(list("abc"), rows, "t")).active
    for row in (2, 3):
        assert (sheet[row][0].data_type, sheet[row][0].value) == ("s", "#N/A")
        assert (sheet[row][1].number_format, sheet[row][2].number_format) == ("#,##0.00", "General")


def test_workbooks_show_all_decimals_of_a_result():
    columns = FileColumns(RankingTable([]))
    place = [bound.name for bound in columns.bounds].index("score")
    row = [None] * len(columns.heads)
    row[place] = Decimal("12.345")
    file = exports.xlsx_file(columns.heads, [row], "t", columns.number_formats)
    cell = openpyxl.load_workbook(file).active[2][place]
    assert (cell.value, cell.number_format) == (12.345, "#,##0.00#")
