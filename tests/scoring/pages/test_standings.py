"""Standings: ranks, ties, filters, pages, and any past day."""

import random
from datetime import date, timedelta

import pytest
from django.urls import reverse

from players.models import CategoryAssignment, Licence
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.queries.scope import Scope
from scoring.ledger.queries.standings import LiveList, PastList
from scoring.ledger.services import posting, standings
from scoring.ledger.windows import first_day
from tests import factories as make
from tests.pages import Page, open_page
from ui import memo

pytestmark = pytest.mark.django_db
CELLS = ("rank", "name", "club", "points", "in_person", "online", "played")
HEADS = {
    "Puesto": "rank",
    "Sem.": "week",
    "Jugador": "name",
    "Club": "club",
    "Torneos": "tournaments",
    "Presencial": "in_person",
    "En línea": "online",
    "Puntos ↓": "points",
    "Puntos": "points",
}
MISSING = ["/clasificaciones/9z/", "/clasificaciones/2p/?club=no-hay", "/clasificaciones/2p/?region=x"]


def post_points(*awards, day: date, online: bool = False) -> None:
    """Post one award for each (player, points in hundredths)."""
    posting.post_opening(
        [
            posting.OpeningRow(player.pk, day, f"Torneo {number}", online, points)
            for number, (player, points) in enumerate(awards)
        ],
        None,
    )


def listed_records(client, code: str = "2p", **params) -> list[dict]:
    """Return the rows of the table on a standings page, as dicts of the texts in its cells."""
    page = open_page(client, reverse("standing", args=[code]), **params)
    tables = page.tables[:1]  # the second is that of the histogram
    return [
        {HEADS.get(head, head): cell for head, cell in row.items()}
        for table in tables
        for row in table.records
    ]


def test_players_with_equal_points_share_a_rank_and_the_next_is_skipped(client, today):
    players = make.players(5, category="2P")
    post_points(*zip(players, (3000, 2000, 2000, 1000, 1000), strict=True), day=today)
    records = listed_records(client)
    assert [record["rank"] for record in records] == ["1", "=2", "=2", "=4", "=4"]
    assert [record["name"] for record in records] == [player.public_name for player in players]


def test_the_column_of_the_week_says_who_went_up_or_down_and_who_is_new(client, today):
    risen, fallen, steady, new, unlicensed = players = make.players(5, category="2P")
    Licence.objects.filter(player=unlicensed).delete()
    post_points(*zip(players, (1000, 2000, 500, 0, 1500), strict=True), day=today - timedelta(days=8))
    post_points((risen, 1500), (new, 100), day=today)
    words = {record["name"]: record["week"] for record in listed_records(client)}
    assert words == {
        risen.public_name: "▲ 1 sube 1 puesto esta semana",
        fallen.public_name: "▼ 1 baja 1 puesto esta semana",
        steady.public_name: "igual que hace una semana",
        new.public_name: "entra",
    }
    # The places of a week ago are those of licensed players by all their points.
    for narrowed in (
        {"licencia": "todos"},
        {"lugar": "presencial"},
        {"a": (today - timedelta(days=1)).isoformat()},
    ):
        assert "week" not in listed_records(client, **narrowed)[0]


def test_ties_continue_on_the_next_page(client, today):
    players = make.players(53, category="2P")
    points = [*range(9000, 9000 - 49 * 10, -10), 5000, 5000, 5000, 4000]
    post_points(*zip(players, points, strict=True), day=today)
    assert [record["rank"] for record in listed_records(client)][-2:] == ["49", "=50"]
    assert [record["rank"] for record in listed_records(client, pagina=2)] == ["=50", "=50", "53"]


def test_a_filtered_list_keeps_the_ranks_of_the_category(client, today):
    here, there = make.club(name="Club de aquí"), make.club(name="Club de allí")
    player, two, three = (make.player(category="2P", club=club) for club in (here, there, here))
    post_points((player, 3000), (two, 2000), (three, 1000), day=today)
    assert [(r["rank"], r["name"]) for r in listed_records(client, club=here.slug)] == [
        ("1", player.public_name),
        ("3", three.public_name),
    ]
    assert [r["rank"] for r in listed_records(client, region=there.region.slug)] == ["2"]
    assert [r["rank"] for r in listed_records(client, q=three.surname)] == ["3"]


def test_an_empty_list_speaks_of_filters_only_where_some_are_set(client, today):
    make.player(category="2P")
    empty = {
        name: open_page(client, reverse("standing", args=["3p"]), **params).the("div", class_="empty")
        for name, params in {"whole": {}, "filtered": {"q": "Zz"}}.items()
    }
    assert "otros filtros" not in empty["whole"].text
    assert reverse("help") in empty["whole"].addresses
    assert "otros filtros" in empty["filtered"].text
    assert reverse("standing", args=["3p"]) in empty["filtered"].addresses


def test_only_players_with_points_in_the_venue_are_in_its_list(client, today):
    player, two = make.players(2, category="2P")
    post_points((player, 3000), (two, 1000), day=today)
    post_points((two, 500), day=today, online=True)
    assert [r["name"] for r in listed_records(client)] == [player.public_name, two.public_name]
    assert [r["name"] for r in listed_records(client, lugar="en-linea")] == [two.public_name]
    assert [r["points"] for r in listed_records(client, lugar="presencial")] == ["30,00", "15,00"]


def test_sorting_by_another_column_keeps_the_ranks_of_the_list(client, today):
    first, two = make.players(2, category="2P")
    post_points((first, 3000), (two, 1000), day=today)
    post_points((two, 500), day=today, online=True)
    assert [r["rank"] for r in listed_records(client, orden="points")] == ["2", "1"]
    assert [r["rank"] for r in listed_records(client, orden="-points_online")] == ["2", "1"]


def test_unlicensed_players_are_listed_only_when_asked_for(client, today):
    licensed, other = make.player(category="2P"), make.player(category="2P", licensed=False)
    post_points((licensed, 1000), (other, 2000), day=today)
    assert [r["name"] for r in listed_records(client)] == [licensed.public_name]
    assert [(r["rank"], r["name"]) for r in listed_records(client, licencia="todos")] == [
        ("1", other.public_name),
        ("2", licensed.public_name),
    ]


def test_a_players_own_row_is_marked_with_a_word(client, today):
    player, other = make.players(2, category="2P")
    player.user = make.user()
    player.save()
    post_points((player, 1000), (other, 2000), day=today)
    assert not open_page(client, reverse("standing", args=["2p"])).all(class_="own")
    client.force_login(player.user)
    own = open_page(client, f"{reverse('standing', args=['2p'])}?yo=1").the("tr", class_="own")
    assert own.all(class_="own-word")


@pytest.mark.parametrize(
    "typed", ["2026-11-22", "2027-01-01", "14/3/26", "2026-02-30", "ayer", "20260314", "0001-01-01"]
)
def test_a_future_or_unreadable_day_is_an_error(client, today, typed):
    player = make.player(category="2P")
    post_points((player, 1000), day=today)
    response = client.get(reverse("standing", args=["2p"]), {"a": typed})
    assert response.status_code == 400
    assert Page(response).tables == []


@pytest.mark.parametrize(
    "address", ["/clasificaciones/9z/", "/clasificaciones/2p/?club=no-hay", "/clasificaciones/2p/?region=x"]
)
def test_lists_of_unknown_categories_and_pages_are_not_found(client, today, address):
    assert client.get(address).status_code == 404


def test_a_page_number_beyond_the_last_shows_the_last_page(client, today):
    players = make.players(2, category="2P")
    post_points(*zip(players, (2, 1), strict=True), day=today)
    assert len(listed_records(client, pagina=99)) == 2
    assert len(listed_records(client, pagina="x")) == 2


@pytest.mark.parametrize("asked", ["0", "-1", "1", "99999999", "x", "9" * 5000])
def test_the_url_cannot_change_the_length_of_a_page(client, today, asked):
    post_points(*[(make.player(category="2P"), 100) for _ in range(3)], day=today)
    for name in ("filas", "pagina"):
        response = client.get(reverse("standing", args=["2p"]), {name: asked})
        assert response.status_code == 200
        assert response.context["listed"] == 3


def test_an_award_counts_for_a_year_and_one_of_29_february_until_1_march(client, today):
    player = make.player(category="2P")
    post_points((player, 1000), day=date(2024, 2, 29))
    seen = {
        day: bool(listed_records(client, a=day.isoformat()))
        for day in (date(2024, 2, 28), date(2024, 2, 29), date(2025, 2, 28), date(2025, 3, 1))
    }
    assert list(seen.values()) == [False, True, True, False]


def test_old_titles_lead_to_the_list_of_the_title_that_replaces_them(client, today):
    player = make.player(category="MN")
    post_points((player, 1000), day=today)
    assert [r["name"] for r in listed_records(client, "mn")] == [player.public_name]
    assert [r["name"] for r in listed_records(client, "mn-o")] == [player.public_name]


def brute_force(day: date, category, column: str, licensed_only: bool) -> list[tuple[int, int, int]]:
    """Return the standings as (rank, player id, points in hundredths), computed slowly in Python."""
    held: dict[int, CategoryAssignment] = {}
    for row in CategoryAssignment.objects.select_related("category__successor").order_by("valid_from", "pk"):
        if row.valid_from <= day and row.revoked_at is None:
            best = held.get(row.player_id)
            if best is None or not best.category.is_title or row.category.order > best.category.order:
                held[row.player_id] = row
    licensed = {
        row.player_id
        for row in Licence.objects.all()
        if row.valid_from <= day <= row.valid_to and (not row.issuer or row.equivalent)
    }
    totals: dict[int, int] = {}
    for entry in LedgerEntry.objects.all():
        venue = {"points": True, "points_in_person": not entry.online, "points_online": entry.online}[column]
        if venue and first_day(day) <= entry.played_on <= day:
            totals[entry.player_id] = totals.get(entry.player_id, 0) + entry.points
    result = []
    for player, points in totals.items():
        if player not in held or points <= 0 or (licensed_only and player not in licensed):
            continue
        code = held[player].category
        if code.valid_to and code.valid_to < day:
            code = code.successor
        if code.pk == category.pk:
            result.append((player, points))
    result.sort(key=lambda row: (-row[1], row[0]))
    return [(1 + sum(p > points for _, p in result), player, points) for player, points in result]


@pytest.fixture
def forty_players(today):
    """Create forty players whose categories, licences and points change over two years, with some ties."""
    chance = random.Random(7)
    codes = ["2D", "2C", "2P", "MN"]
    players = make.players(40, licensed=False)
    span = [date(2024, 6, 1) + timedelta(days=5 * step) for step in range(180)]
    for player in players:
        for day in sorted(chance.sample(span, 3)):
            make.assign(player, chance.choice(codes), day)
        if chance.random() < 0.8:
            make.licence(player, valid_from=chance.choice(span), valid_to=date(2026, 12, 31))
    rows = [
        posting.OpeningRow(
            chance.choice(players).pk,
            chance.choice(span),
            f"T{number}",
            chance.random() < 0.3,
            chance.choice([100, 200, 300]),
        )
        for number in range(600)
    ]
    posting.post_opening(rows, None)
    standings.rebuild(today)
    return span


@pytest.mark.parametrize("column", ["points", "points_in_person", "points_online"])
@pytest.mark.parametrize("licensed_only", [True, False])
def test_the_list_of_any_past_day_equals_a_slow_computation(forty_players, today, column, licensed_only):
    checked = 0
    for day in [*forty_players[20::35], today]:
        for code in ("2C", "2P", "MN-O"):
            scope = Scope(make.category(code), day, column, licensed_only)
            rows = PastList(scope).every_row()
            result = [(row["rank"], row["player_id"], row[column]) for row in rows]
            assert result == brute_force(day, scope.category, column, licensed_only), (day, code)
            checked += len(result)
    assert checked > 50


@pytest.mark.parametrize("column", ["points", "points_in_person", "points_online"])
def test_the_stored_list_of_today_equals_the_one_summed_from_the_ledger(forty_players, today, column):
    version = 1_000_000  # a version of the standings for which nothing is cached
    for code in ("2D", "2C", "2P", "MN-O"):
        for licensed_only in (True, False):
            memo.forget()
            scope = Scope(make.category(code), today, column, licensed_only)
            live, past = LiveList(scope, version), PastList(scope)
            assert list(live.every_row()) == list(past.every_row())
            assert live.count() == past.count() == live.players() == past.players()
            for start in range(1, live.count()):
                assert live.rows(start, start + 2) == past.rows(start, start + 2)
    assert Standing.objects.exists()


@pytest.mark.usefixtures("english")
def test_a_category_that_did_not_exist_on_a_day_is_named_or_its_predecessor_is_listed(client):
    address = reverse("standing", args=["me-d"])
    response = client.get(address, {"a": "2025-12-31"})
    assert response.status_code == 400
    assert "ME-D exists since 1 January 2026" in Page(response).lead
    assert open_page(client, address, a="2026-01-01").headings(1)
    page = open_page(client, reverse("standing", args=["mn-o"]), a="2025-12-31")
    assert page.context["category"].code == "MN"
