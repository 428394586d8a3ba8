"""The pages of a tournament's boards: the list, a board with its hands and traveller, a contestant's card."""

import csv
import io
from datetime import timedelta
from decimal import Decimal

import openpyxl
import pytest
from django.db import connection

from scoring.ledger.tables import Scale, scale_of
from scoring.pages.queries.boards import rounded, session_of
from scoring.strength import services as strength
from tests import factories as make
from tests.access.test_plans import statements_of
from tests.pages import open_page
from tests.scoring.pages.test_queries import query_count
from tournaments.boards import IMPS, MATCHPOINTS, BoardRow, store_boards, store_deals
from tournaments.formats import cards
from tournaments.models import BoardResult, Deal, Tournament
from ui import memo

pytestmark = pytest.mark.django_db
HANDS = dict(
    zip("NESW", ["KQT6.AJT.T984.65", "A2.K9876.72.9742", "J543.43.AQ5.AKJ3", "987.Q52.KJ63.QT8"], strict=True)
)
VOID = dict(
    zip("NESW", ["AKQJT98765432...", ".AKQJT98765432..", "..AKQJT98765432.", "...AKQJT98765432"], strict=True)
)


def result(board: int, ns: int | None, ew: int | None, score: int | None = 420, **fields) -> BoardRow:
    play = {"contract": "4S", "declarer": "N", "lead": "DT", "tricks": 10}
    return BoardRow(board, "", ns, ew, score, **{**play, **fields})


ROWS = (
    result(1, 1, 2, 420),
    result(1, 3, 4, -50, contract="3NX", declarer="E", lead="HK", tricks=8),
    result(7, 4, 1, -100, contract="6HXX", declarer="S", lead="", tricks=None),
    result(7, 2, 3, 0, contract="PASS", declarer="", lead="", tricks=None),
)


@pytest.fixture
def people():
    return make.players(8, category="2P")


@pytest.fixture
def session(today, people):
    """Return a function that stores and scores a pool of four pairs with board results and deals."""

    def stored(rows=ROWS, deals=((1, HANDS), (7, HANDS)), scored=MATCHPOINTS, players=people) -> Tournament:
        tournament = make.scored(*make.pairs(players), end_date=today - timedelta(days=5))
        store_boards(tournament.published, scored, rows)
        store_deals(tournament.published, [cards.make_deal(*deal) for deal in deals], rows)
        strength.store_figures(tournament.published)
        return Tournament.objects.get(pk=tournament.pk)

    return stored


def board_url(tournament: Tournament, board: int) -> str:
    return f"{tournament.get_absolute_url()}manos/{board}/"


def card_url(tournament: Tournament, position: int) -> str:
    return f"{tournament.get_absolute_url()}tarjetas/{position}/"


def test_the_pages_of_a_tournament_link_each_other(client, session):
    tournament = session()
    url = tournament.get_absolute_url()
    ranking = open_page(client, url).addresses
    assert {f"{url}manos/", f"{url}fuerza/", card_url(tournament, 1)} <= set(ranking)
    assert {board_url(tournament, 1), board_url(tournament, 7)} <= set(
        open_page(client, f"{url}manos/").addresses
    )
    board = open_page(client, board_url(tournament, 1)).addresses
    assert {board_url(tournament, 7), *(card_url(tournament, position) for position in (1, 2, 3, 4))} <= set(
        board
    )
    assert f"{url}manos/" in open_page(client, f"{url}fuerza/").addresses


def test_a_traveller_lists_the_best_result_for_north_south_first(client, session):
    page = open_page(client, board_url(session(), 1))
    rows = [" ".join(row) for row in page.table().rows]
    assert "420" in rows[0] and "100,00" in rows[0] and "4 picas por Norte" in rows[0]
    assert "10 de diamantes" in rows[0]
    assert "−50" in rows[1] and "0,00" in rows[1]
    assert "3 sin triunfo doblado por Este" in rows[1] and "rey de corazones" in rows[1]


def test_contracts_that_were_redoubled_or_passed_out_are_shown(client, session):
    text = open_page(client, board_url(session(), 7)).text
    assert "6 corazones redoblado por Sur" in text and "Pasan" in text
    # No lead of this board is known, so its table has no such column.
    assert "Salida" not in text


def test_a_diagram_says_in_words_who_holds_what(client, session):
    page = open_page(client, board_url(session(), 7))
    assert "Da Sur; todos vulnerables." in page.text
    hands = {
        section.get("aria-label"): section.text
        for section in page.all("section")
        if "hand" in section.classes
    }
    assert list(hands) == ["Norte", "Este", "Sur", "Oeste"]
    assert "picas: ♠" not in hands["Norte"]
    assert "picas: K Q 10 6" in hands["Norte"] and "tréboles: 6 5" in hands["Norte"]
    middle = next(item for item in page.all("p") if "table-middle" in item.classes)
    assert {"ns-vulnerable", "ew-vulnerable"} <= set(middle.classes)


def test_a_void_is_said_in_words(client, session):
    page = open_page(client, board_url(session(deals=[(1, VOID)]), 1))
    north = next(section for section in page.all("section") if section.get("aria-label") == "Norte")
    assert "corazones: ninguna" in north.text


def test_sections_with_the_same_cards_share_a_diagram(client, session):
    tournament = session(deals=[])
    same = [cards.make_deal(1, HANDS, section=section) for section in "AB"]
    store_deals(tournament.published, same, ROWS)
    page = open_page(client, board_url(tournament, 1))
    assert "Sección" not in page.text
    assert len([section for section in page.all("section") if "hand" in section.classes]) == 4
    store_deals(tournament.published, [cards.make_deal(1, VOID, section="C")], ROWS)
    page = open_page(client, board_url(tournament, 1))
    assert all(f"Sección {section}" in page.text for section in "ABC")
    assert page.text.count("nadie vulnerable") == 3


def test_only_vulnerable_sides_have_edges(client, session):
    page = open_page(client, board_url(session(), 1))
    middle = next(item for item in page.all("p") if "table-middle" in item.classes)
    assert not {"ns-vulnerable", "ew-vulnerable"} & set(middle.classes)
    assert "nadie vulnerable" in page.text


def test_a_card_shows_a_contestants_own_points_and_results(client, session):
    tournament = session()
    page = open_page(client, card_url(tournament, 1))
    rows = [" ".join(row) for row in page.table().rows]
    assert "420" in rows[0] and "100,00" in rows[0] and "Norte-Sur" in rows[0]
    assert "100" in rows[1] and "−100" not in rows[1] and "Este-Oeste" in rows[1]
    assert {board_url(tournament, 1), board_url(tournament, 7)} <= set(page.addresses)


def test_a_card_compares_the_ranking_with_the_boards(client, session):
    tournament = session()
    contestant = tournament.published.contestants.filter(position=1)
    for stated, differs in (("100.00", False), ("99.95", False), ("99.94", True)):
        contestant.update(percentage=Decimal(stated))
        text = open_page(client, card_url(tournament, 1)).text
        assert ("Las manos dan otro porcentaje" in text) == differs
        assert stated.replace(".", ",") in text


def test_the_list_names_the_percentages_that_the_boards_do_not_give(client, session, people):
    tournament = session()
    contestants = list(tournament.published.contestants.order_by("position"))
    for contestant, percentage in zip(contestants, ("50", "50", "45", "50"), strict=True):
        contestant.percentage = Decimal(percentage)
        contestant.save()
    figures = session_of(tournament.published_id).figures
    page = open_page(client, f"{tournament.get_absolute_url()}manos/")
    assert "2 porcentajes de la clasificación no son los de las manos" in page.main.text
    assert "clasificación 45,00\N{NO-BREAK SPACE}%" in page.main.text
    assert {card_url(tournament, position) for position in (1, 2, 3, 4)} <= set(page.addresses)
    assert "penalización" in page.main.text
    tournament.published.contestants.update(percentage=Decimal("45"))
    text = open_page(client, f"{tournament.get_absolute_url()}manos/").main.text
    assert "Son la mayoría" in text and "penalización" not in text
    for contestant in contestants:
        contestant.percentage = rounded(figures[contestant.pk])
        contestant.save()
    page = open_page(client, f"{tournament.get_absolute_url()}manos/")
    assert "4 porcentajes de la clasificación salen iguales" in page.main.text


def test_boards_are_compared_with_a_ranking_without_neubergs_formula(client, session):
    # On board 7 only one result counts: 50 % with Neuberg's formula, and no matchpoints at all without it.
    tournament = session([result(1, 1, 2, 420), result(1, 3, 4, 400), result(7, 1, 2, 420)])
    contestants = tournament.published.contestants.order_by("position")
    for shares in (("75", "25", "0", "100"), ("100", "0", "0", "100")):
        for contestant, share in zip(contestants, shares, strict=True):
            contestant.percentage = Decimal(share)
            contestant.save()
        memo.forget()
        page = open_page(client, f"{tournament.get_absolute_url()}manos/")
        assert "4 porcentajes de la clasificación salen iguales" in page.main.text


def test_the_list_says_what_is_known_of_the_boards(client, session):
    tournament = session([*ROWS, result(9, 1, 3, None, adjusted=(60, 40))], scored=IMPS)
    page = open_page(client, f"{tournament.get_absolute_url()}manos/")
    assert "Se puntúan en IMP" in page.main.text
    assert "Con las cartas 2" in page.main.text
    assert "Resultados arbitrales 1" in page.main.text
    assert "cuenta 3 IMP por cada diez por ciento" in page.main.text
    assert "porcentajes" not in page.main.text


def test_artificial_scores_and_unknown_opponents_are_shown(client, session):
    rows = [
        *ROWS,
        result(1, None, 2, None, adjusted=(60, 40), contract="", declarer="", lead="", tricks=None),
    ]
    tournament = session(rows)
    text = open_page(client, board_url(tournament, 1)).text
    assert "60\xa0%/40\xa0%" in text and "no está en la clasificación" in text
    assert "40\xa0%/60\xa0%" in open_page(client, card_url(tournament, 2)).text


def test_boards_scored_in_imps_have_imps(client, session):
    tournament = session(scored=IMPS)
    assert "IMP N-S" in open_page(client, board_url(tournament, 1)).text
    assert "IMP" in open_page(client, card_url(tournament, 1)).text


@pytest.mark.parametrize("path", ["manos/", "manos/1/", "tarjetas/1/"])
def test_a_tournament_without_board_results_has_no_such_pages(client, today, people, path):
    tournament = make.scored(*make.pairs(people), end_date=today)
    page = open_page(client, tournament.get_absolute_url())
    assert "manos/" not in page.html and "tarjetas/" not in page.html
    assert client.get(tournament.get_absolute_url() + path).status_code == 404


@pytest.mark.parametrize(
    "path", ["manos/2/", "manos/99999999999999999999/", "tarjetas/5/", "tarjetas/99999999999/"]
)
def test_boards_and_contestants_that_do_not_exist_are_not_found(client, session, path):
    assert client.get(session().get_absolute_url() + path).status_code == 404


@pytest.mark.parametrize("path", ["manos/", "manos/1/", "tarjetas/1/"])
def test_other_spellings_of_a_url_redirect_to_the_right_one(client, session, path):
    tournament = session()
    response = client.get(f"/torneos/2020/otro-{tournament.pk}/{path}")
    assert (response.status_code, response.url) == (302, tournament.get_absolute_url() + path)


@pytest.mark.parametrize("path", ["manos/1/", "manos/", "tarjetas/1/", "tarjetas/2/"])
def test_hidden_players_stay_hidden(client, session, people, path):
    hidden = people[0]
    hidden.given_name, hidden.surname, hidden.hidden = "Secundina", "Ocultada", True
    hidden.save()
    html = open_page(client, session().get_absolute_url() + path).html
    assert "Secundina" not in html and "Ocultada" not in html


def test_the_readers_own_row_is_marked(client, session, people):
    user = make.user()
    people[0].user = user
    people[0].save()
    client.force_login(user)
    tournament = session()
    page = open_page(client, f"{board_url(tournament, 1)}?yo=1")
    assert [link for link in page.all("a") if link.text == "Tu tarjeta"][0]["href"] == card_url(tournament, 1)
    own = [row for row in page.all("tr") if "own" in row.classes]
    assert len(own) == 1 and people[0].full_name in own[0].text


@pytest.mark.parametrize("path", ["manos/", "manos/1/", "tarjetas/1/"])
def test_the_number_of_queries_does_not_depend_on_the_number_of_results(client, session, path):
    one = session([result(1, 1, 2)], deals=[(1, HANDS)])
    rows = [result(board, ns, ew) for board in range(1, 4) for ns, ew in ((1, 2), (3, 4))]
    three = session(rows, deals=[(1, HANDS), (2, HANDS)], players=make.players(8, category="2P"))
    assert query_count(client, one.get_absolute_url() + path) == query_count(
        client, three.get_absolute_url() + path
    )


@pytest.mark.parametrize("path", ["manos/", "manos/1/", "tarjetas/1/"])
def test_no_page_reads_the_boards_of_other_tournaments(client, session, path):
    address = session().get_absolute_url() + path
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
    for table in (BoardResult._meta.db_table, Deal._meta.db_table):
        for statement in statements_of(client, address, table):
            with connection.cursor() as cursor:
                explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
                cursor.execute(f"{explain} {statement}")
                plan = "\n".join(str(row) for row in cursor.fetchall())
            assert "revision_id=?" in plan or "revision_id = " in plan, plan
            assert f"SCAN {table}" not in plan and f"Seq Scan on {table}" not in plan, plan


def test_results_lie_on_a_scale_about_the_mean():
    def row(percentage=None, score=None):
        return {
            "percentage": percentage and Decimal(percentage),
            "score": score and Decimal(score),
        }

    scale = scale_of([row("62.4"), row("34.67"), row()])
    assert scale == Scale(50, 20, "%")
    assert [scale.at(Decimal(value)) for value in (30, 50, 70)] == ["4.00%", "50.00%", "96.00%"]
    assert scale_of([row(score="12"), row(score="-3")]) == Scale(0, 20, "")
    # The mean of victory points is not known.
    assert scale_of([row(score="12"), row(score="3")]) is None
    assert scale_of([row("50")]) == Scale(50, 10, "%")
    assert scale_of([]) is None


def test_a_ranking_draws_its_percentages(client, session):
    tournament = session()
    tournament.published.contestants.update(percentage=Decimal("61.5"))
    page = open_page(client, tournament.get_absolute_url())
    assert len([svg for svg in page.all("svg") if "stem" in svg.classes]) == 4


def test_a_ranking_in_imps_names_the_unit(client, session):
    tournament = session(scored=IMPS)
    tournament.published.contestants.update(percentage=None, score=Decimal("4.5"))
    page = open_page(client, tournament.get_absolute_url())
    assert "IMP" in page.text


def file_rows(client, url: str) -> list[list[str]]:
    response = client.get(url, {"formato": "csv"})
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text), delimiter=";"))


def test_the_tables_of_boards_have_files(client, session, people):
    tournament = session([*ROWS, result(9, 1, 3, None, adjusted=(60, 40))])
    address = tournament.get_absolute_url()
    heads, first, *_rest = file_rows(client, f"{address}manos/")
    assert first == ["1", "4S N", "420", "50"] and heads[0] == "Mano"
    heads, *rows = file_rows(client, board_url(tournament, 1))
    assert "Corregir" not in heads
    names = " – ".join(["1", *(player.full_name for player in people[:2])])
    assert rows[0][0] == names and rows[0][2:] == ["4S N", "DT", "10", "420", "", "100,00"]
    (adjusted,) = file_rows(client, board_url(tournament, 9))[1:]
    assert adjusted[-3:] == ["", "60/40", "60,00"]
    _heads, *rows = file_rows(client, card_url(tournament, 1))
    assert rows[1][:2] == ["7", "E-O"] and rows[1][-3:] == ["100", "", "100,00"]
    assert client.get(f"{address}manos/?formato=xlsx").status_code == 200
    assert client.get(f"{address}manos/?formato=pdf").status_code == 404


def sheet_rows(client, url: str) -> list[list]:
    response = client.get(url, {"formato": "xlsx"})
    book = openpyxl.load_workbook(io.BytesIO(b"".join(response.streaming_content)))
    return [[cell.value for cell in row] for row in book.active.iter_rows()]


def test_scores_of_boards_are_numbers_in_files(client, session):
    tournament = session([*ROWS, result(9, 1, 3, -1100)])
    for url, heading, scores in (
        (board_url(tournament, 1), "Puntos N-S", [420, -50]),
        (card_url(tournament, 1), "Puntuación", [420, 100, -1100]),
    ):
        heads, *rows = sheet_rows(client, url)
        column = heads.index(heading)
        assert [row[column] for row in rows] == scores
        heads, *lines = file_rows(client, url)
        assert [line[column] for line in lines] == [str(score) for score in scores]


def test_results_of_a_ranking_in_imps_are_numbers_in_files(client, session):
    tournament = session(scored=IMPS)
    tournament.published.contestants.update(percentage=None, score=Decimal("-4.5"))
    _heads, *rows = sheet_rows(client, tournament.get_absolute_url())
    assert rows and all(-4.5 in row for row in rows)
