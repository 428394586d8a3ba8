"""The page of a session's adjusted results: content, number of queries, and hidden players."""

import csv
import io
from collections import defaultdict
from datetime import timedelta
from decimal import Decimal
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.promotions.models import PromotionRuleSet
from scoring.strength import services as service
from scoring.strength.figures import strength_of
from scoring.strength.queries import ComparedContestant, Comparison, address
from scoring.strength.tables import rounded
from scoring.strength.views import GRID, MOST_DOTS, _chart
from tests import factories as make
from tests.languages import speak
from tests.pages import Page, open_page
from tests.scoring.promotions.sessions import lines_of
from tournaments import boards
from tournaments.boards import IMPS, MATCHPOINTS, BoardRow
from tournaments.models import BoardResult, Tournament
from ui import memo
from ui.formatting import format_fixed

pytestmark = pytest.mark.django_db


def howell(size: int, rounds: int, number: int = 2) -> list[tuple[int, int, int]]:
    """Return (board, North-South, East-West) of a Howell movement: each pair meets a new one every round.

    size: the number of pairs
    number: the number of boards per round
    """
    ring = list(range(1, size))
    meetings = []
    for turn in range(rounds):
        order = [size, *ring[turn:], *ring[:turn]]
        for table in range(size // 2):
            sides = (order[table], order[-1 - table])
            ns, ew = sides if (turn + table) % 2 else sides[::-1]
            meetings += [(turn * number + board, ns, ew) for board in range(1, number + 1)]
    return meetings


def random_results(meetings, rng=None, **fixed) -> list[BoardRow]:
    rng = rng or Random(5)
    return [BoardRow(board, "", ns, ew, 10 * rng.randrange(-60, 60), **fixed) for board, ns, ew in meetings]


def session(today, rows, size=8, scored=MATCHPOINTS, players=None, **fields) -> Tournament:
    """Store and score a tournament with these board results.

    size: the number of pairs
    scored: the way of scoring, matchpoints or IMPs
    """
    players = players or make.players(2 * size, category="2P")
    tournament = make.scored(*make.pairs(players), end_date=today - timedelta(days=5), **fields)
    revision = tournament.published
    boards.store_boards(revision, scored, rows)
    service.store_figures(revision)
    return tournament


def strength_page(client, tournament, **params) -> Page:
    return open_page(client, address(tournament), **params)


def iterated_result(session_, rounds=4000) -> dict[int, float]:
    """Return the adjusted result of each pair, by number, computed slowly by a damped iteration."""
    lines = defaultdict(list)
    for row in session_:
        lines[row.board].append(row)
    field = max(map(len, lines.values()))
    got, met = defaultdict(list), defaultdict(list)
    for members in lines.values():
        for row in members:
            won = sum((row.score > o.score) + (row.score == o.score) / 2 for o in members if o is not row)
            share = ((2 * won + 1) * field / len(members) - 1) / (2 * (field - 1)) * 100
            got[row.ns].append(share - 50)
            got[row.ew].append(50 - share)
            met[row.ns].append(row.ew)
            met[row.ew].append(row.ns)
    own = {who: sum(shares) / len(shares) for who, shares in got.items()}
    value = dict(own)
    for _round in range(rounds):
        value = {
            who: (value[who] + own[who] + sum(value[o] for o in met[who]) / len(met[who])) / 2 for who in own
        }
    return {who: 50 + result for who, result in value.items()}


@pytest.mark.parametrize(("size", "rounds"), [(8, 7), (8, 3), (12, 4)])
def test_adjusted_results_equal_those_of_a_slow_iteration(today, size, rounds):
    rows = random_results(howell(size, rounds))
    del rows[1]  # so that one board has fewer results
    tournament = session(today, rows, size)
    expected = iterated_result(rows)
    position = dict(tournament.published.contestants.values_list("pk", "position"))
    strength = strength_of(tournament.published_id)
    assert len(strength.figures) == size
    for contestant, figure in strength.figures.items():
        assert figure.adjusted.value == pytest.approx(expected[position[contestant]], abs=1e-6)
        assert figure.steps[0].value == pytest.approx(float(figure.official), abs=1e-9)


def test_the_page_shows_official_and_adjusted_results_and_explains_them(client, today):
    tournament = session(today, random_results(howell(8, 7)))
    assert address(tournament) in open_page(client, tournament.get_absolute_url()).addresses
    speak(client, "en")
    page = strength_page(client, tournament)
    assert "does not change the points" in page.text
    assert len(page.all("tr")) >= 9
    assert page.all("svg")
    best = Comparison(tournament.published_id)
    best.sort("adjusted", True)
    assert best.rows(0, 1)[0]["new_place"] == 1


def test_the_table_can_be_sorted_and_paged(client, today):
    tournament = session(today, random_results(howell(8, 7)))
    first = strength_page(client, tournament, orden="-adjusted")
    last = strength_page(client, tournament, orden="adjusted")
    assert first.html != last.html
    for query in ("-place", "boards", "official", "step0", "-step1", "step2", "new_place", "-moved", "zz"):
        assert client.get(address(tournament), {"orden": query, "pagina": "9"}).status_code == 200


def test_a_page_of_a_large_session_lists_fifty_contestants(client, today):
    tournament = session(today, random_results(howell(56, 5, number=1)), 56)
    tables = [
        Page(strength_page(client, tournament, **query).context["table_html"]).table()
        for query in ({}, {"pagina": "2"}, {"orden": "-adjusted"}, {"filas": "5000"})
    ]
    # The table has at most 200 rows, whatever the query string asks for.
    assert [len(table.rows) for table in tables] == [50, 6, 50, 56]


def test_the_chart_of_a_thousand_contestants_has_a_few_hundred_dots(today):
    rng = Random(3)
    shares = [(Decimal(repr(round(rng.gauss(50, 6), 2))), rng.gauss(0, 1.5)) for _ in range(1000)]
    rows = tuple(
        ComparedContestant(k, "", k, "", "", 26, official, (), float(official) + gain, k, 1)
        for k, (official, gain) in enumerate(shares, start=1)
    )
    session_ = strength_of(session(today, random_results(howell(8, 7))).published_id)
    chart = _chart(rows, session_)
    dots = chart.series[1].points
    assert 50 < len(dots) < 400 and len(chart.as_table["rows"]) == len(dots)
    assert len(Page(chart.wide).all("circle")) == len(dots) + 1  # plus one in the legend
    step = (max(official for official, _gain in shares) - min(official for official, _gain in shares)) / GRID
    for official, gain in shares:
        near = [dot for dot in dots if abs(dot[0] - official) <= step]
        assert any(abs(float(dot[1]) - float(official) - gain) <= step for dot in near)
    few = rows[:MOST_DOTS]
    alone = {(rounded(row.official), rounded(row.adjusted)) for row in few}
    assert set(_chart(few, session_).series[1].points) == alone


def test_a_tournament_without_board_results_has_no_page_of_adjusted_results(client, today):
    tournament = make.scored(*make.pairs(make.players(8, category="2P")), end_date=today)
    assert client.get(address(tournament)).status_code == 404
    assert "fuerza/" not in open_page(client, tournament.get_absolute_url()).html
    assert client.get("/torneos/2026/x-99999999/fuerza/").status_code == 404
    assert client.get("/torneos/2026/nada/fuerza/").status_code == 404


def test_other_spellings_of_the_url_redirect_to_the_right_one(client, today):
    tournament = session(today, random_results(howell(8, 7)))
    response = client.get(f"/torneos/2020/otro-{tournament.pk}/fuerza/")
    assert (response.status_code, response.url) == (302, address(tournament))


def mitchell(tables: int) -> list[tuple[int, int, int]]:
    return [
        (board, ns, tables + 1 + (ns + board) % tables)
        for board in range(1, tables + 1)
        for ns in range(1, tables + 1)
    ]


def codes(tournament) -> list[str]:
    return [warned.code for warned in strength_of(tournament.published_id).warnings]


def note_count(client, tournament) -> int:
    notes = strength_page(client, tournament).all(class_="note")
    return len([note for note in notes if note.classes == ["note"]])


def test_the_page_explains_separate_lines_and_separate_groups(client, today):
    two_lines = session(today, random_results(mitchell(4)[1:-1]))
    assert codes(two_lines) == ["bipartite"]
    assert note_count(client, two_lines) == 1
    apart = howell(4, 3) + [(board, ns + 4, ew + 4) for board, ns, ew in howell(4, 3)]
    groups = session(today, random_results(apart))
    assert codes(groups) == ["disconnected"]
    places = [row.new_place for row in Comparison(groups.published_id).rows_in_order]
    assert sorted(places)[:2] == [1, 1]
    assert max(places) <= 4
    assert note_count(client, groups) == 1


def test_the_page_says_so_if_there_is_nothing_to_adjust(client, today):
    tournament = session(today, random_results(mitchell(4)))
    page = strength_page(client, tournament)
    assert (page.context["nothing_to_adjust"], page.context["lines"]) == (True, True)
    assert page.tables == [] and not page.all("svg")
    assert (
        strength_page(client, session(today, random_results(howell(8, 7)))).context["nothing_to_adjust"]
        is False
    )


def test_the_page_says_that_artificial_scores_are_left_out(client, today):
    rows = random_results(howell(8, 7))
    rows[0] = BoardRow(rows[0].board, "", rows[0].ns, rows[0].ew, None, (60, 40))
    rows[1] = BoardRow(rows[1].board, "", rows[1].ns, None, 420)
    # Two unknown pairs: only the others of the board are compared with them.
    rows.append(BoardRow(rows[1].board, "", None, None, 1430))
    tournament = session(today, rows)
    strength = strength_of(tournament.published_id)
    assert (strength.artificial, strength.unknown, len(strength.figures)) == (1, 1, 8)
    assert note_count(client, tournament) >= 2
    assert BoardResult.objects.filter(revision=tournament.published_id, ew=None).count() == 2


def test_a_contestant_with_only_artificial_scores_has_no_adjusted_result(client, today):
    rows = random_results(howell(6, 5)) + [BoardRow(1, "", 7, 8, None, (50, 50))]
    tournament = session(today, rows)
    blank = [row for row in Comparison(tournament.published_id).rows_in_order if row.adjusted is None]
    assert len(blank) == 2
    for query in ({"orden": "-adjusted"}, {"formato": "csv"}):
        assert client.get(address(tournament), query).status_code == 200


def test_the_page_notes_percentages_that_differ_from_the_boards(client, today):
    tournament = session(today, random_results(howell(8, 7)))
    contestant = tournament.published.contestants.first()
    contestant.percentage = Decimal("99.9")
    contestant.save()
    memo.forget()
    assert list(strength_of(tournament.published_id).gaps) == [contestant.pk]
    assert note_count(client, tournament) == 1


def test_sessions_scored_in_imps_have_a_page_too(client, today):
    tournament = session(today, random_results(howell(8, 7)), scored=IMPS)
    strength = strength_of(tournament.published_id)
    total = sum(figure.adjusted.value * figure.boards for figure in strength.figures.values())
    assert (strength.mean, round(total, 6)) == (0, 0)
    assert client.get(address(tournament)).status_code == 200


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_table_can_be_exported(client, today, kind):
    tournament = session(today, random_results(howell(8, 7)))
    response = client.get(address(tournament), {"formato": kind})
    data = b"".join(response.streaming_content)
    assert data
    if kind == "csv":
        assert len(data.splitlines()) == 17


def test_the_file_has_the_order_of_the_page(client, today):
    tournament = session(today, random_results(howell(8, 7)))
    speak(client, "en")
    orders = {}
    for sort in ("adjusted", "-adjusted"):
        body = b"".join(client.get(address(tournament), {"formato": "csv", "orden": sort}).streaming_content)
        rows = list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"))))
        orders[sort] = [Decimal(row["Adjusted result"]) for row in rows]
    assert len(set(orders["adjusted"])) > 1
    assert orders["adjusted"] == sorted(orders["adjusted"])
    assert orders["-adjusted"] == sorted(orders["adjusted"], reverse=True)


def test_a_hidden_player_is_a_number_on_the_page_and_in_the_file(client, today):
    players = make.players(16, category="2P")
    hidden = players[0]
    hidden.hidden, hidden.surname = True, "Ocultada Nombre"
    hidden.save()
    tournament = session(today, random_results(howell(8, 7)), players=players)
    for params in ({}, {"formato": "csv"}):
        response = client.get(address(tournament), params)
        data = b"".join(response.streaming_content) if params else response.content
        assert b"Ocultada" not in data
        assert hidden.number.encode() in data


def queries(client, tournament) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address(tournament)).status_code == 200
    return len(captured)


def test_the_number_of_queries_does_not_grow_with_pairs(client, today):
    small = session(today, random_results(howell(4, 3)), 4)
    large = session(today, random_results(howell(12, 11)), 12)
    memo.forget()
    fresh = queries(client, small)
    assert queries(client, large) == fresh
    assert queries(client, large) < fresh


def test_each_players_session_counts_in_their_modified_average(today):
    players = make.players(16, category="2P")
    tournament = session(today, random_results(howell(8, 7)), players=players)
    imps_session = session(today, random_results(howell(8, 7)), scored=IMPS, players=players)
    assert imps_session.published.boards_scored == IMPS
    day = tournament.end_date
    codes = {player.pk: "2P" for player in players}
    result = lines_of(PromotionRuleSet(average="strength", field_weight=1), day, day, codes)
    assert set(result) == {player.pk for player in players}
    strength = strength_of(tournament.published_id)
    of = dict(tournament.published.seats.values_list("player_id", "contestant_id"))
    for player, lines in result.items():
        exact = strength.figures[of[player]]
        assert [(line.tournament_id, line.boards) for line in lines] == [(tournament.pk, exact.boards)]
        assert exact.boards == 14
        assert float(lines[0].value) == pytest.approx(exact.adjusted.value, abs=5e-5)


def test_halves_are_rounded_as_in_the_ranking():
    values = [Decimal("62.285"), 62.285, Decimal("-0.125")]
    assert [format_fixed(rounded(value), "en", 2) for value in values] == ["62.29", "62.29", "−0.13"]
    assert [format_fixed(value, "en", 2) for value in (values[0], values[2])] == ["62.29", "−0.13"]
