"""Lists in several documents: every row once, cursors that nobody can forge, and few queries."""

from datetime import timedelta

import pytest
from django.core.signing import Signer
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.api.limits import CURSOR_LENGTH
from scoring.api.reading import paging, promotions, standings
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import posting
from scoring.promotions.acts.publish import Publish, Withdraw
from scoring.promotions.pure.states import Verb
from tests import factories as make
from tests.scoring.pages.test_queries import add_to_lists
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.conftest import clock, module_people, people  # noqa: F401 (fixtures)
from tests.scoring.ratings import makers as go

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_rows(monkeypatch) -> None:
    """Let documents have two rows."""
    for module in (paging, promotions, standings):
        monkeypatch.setattr(module, "PAGE_ROWS", 2)


@pytest.fixture
def world(today, settings):
    """Players with equal points, tournaments on one day, clubs and rated Go players: at least five each."""
    settings.FAMILIES = ["aeb", "go"]
    players = make.players(10, category="2P")
    day = today - timedelta(days=3)
    rows = [posting.OpeningRow(player.pk, day, "Antes", False, 100) for player in players[:7]]
    posting.post_opening(rows, None)
    make.scored(*make.pairs(players), end_date=today)
    for _number in range(4):
        make.scored(tuple(players[:2]), ("Una", "Otra"), end_date=day, event_type="regional")
    for _number in range(4):
        make.club()
    go.registered(
        go.event(players=go.people(6), games=[(1, n, n + 1, "1") for n in (1, 3, 5)]), make.office()
    )
    return players


def lists(players) -> dict[str, str]:
    """Return {path of a list: name of the member that tells its rows apart}."""
    return {
        "tournaments": "id",
        "clubs": "code",
        "ratings": "id",
        "standings/2P": "number",
        "standings/2P?club=" + players[0].club.code: "number",
        "standings/2P?as_of=2026-11-20": "number",
        f"players/{players[0].number}/awards": "id",
    }


def keys_of(reader, path: str, name: str) -> list:
    path, _sign, query = path.partition("?")
    return [item[name] for item in reader.every_item(path, **dict([query.split("=")] if query else []))]


def test_the_documents_of_a_list_have_every_row_once_in_order(reader, world, monkeypatch):
    whole = {path: keys_of(reader, path, name) for path, name in lists(world).items()}
    assert all(len(keys) >= 5 for keys in whole.values()), whole
    for module in (paging, promotions, standings):
        monkeypatch.setattr(module, "PAGE_ROWS", 2)
    for path, name in lists(world).items():
        assert keys_of(reader, path, name) == whole[path], path
        assert len(set(whole[path])) == len(whole[path]), path


def test_a_published_list_comes_in_several_documents(reader, people, two_rows):  # noqa: F811
    campaigns.published(people)
    numbers = [item["number"] for item in reader.every_item("promotions/2025/2D")]
    assert numbers == [player.number for player in people.diamonds]


def test_rows_added_meanwhile_repeat_no_others(reader, world, two_rows, today):
    """The next document begins behind the last row, however many rows come before it since."""
    first = reader.get("tournaments")
    make.scored(tuple(world[:2]), ("Una", "Otra"), end_date=today)
    following = reader.client.get(first["next"]).json()
    assert {item["id"] for item in first["items"]}.isdisjoint(item["id"] for item in following["items"])
    first = reader.get("standings/2P")
    better = make.player(category="2P")
    posting.post_opening([posting.OpeningRow(better.pk, today, "Antes", False, 99_999)], None)
    following = reader.client.get(first["next"]).json()
    assert {item["number"] for item in first["items"]}.isdisjoint(
        item["number"] for item in following["items"]
    )
    assert following["items"][0]["rank"] >= 3


def test_ranks_go_on_in_the_next_document(reader, world, two_rows):
    ranks = [item["rank"] for item in reader.every_item("standings/2P")]
    assert ranks == sorted(ranks) and ranks[:2] == [1, 1]
    assert [item["shared"] for item in reader.every_item("standings/2P")][:2] == [True, True]


# --- Cursors ------------------------------------------------------------------------------------------------
def cursor_of(address: str) -> str:
    return address.rpartition("cursor=")[2]


FORGED = [
    "x",
    "0",
    "e30:x",
    ":",
    "::",
    "a" * CURSOR_LENGTH,
    "a" * (CURSOR_LENGTH + 1),
    "ñ",
    "\x00",
    "' OR 1=1 --",
    "{}",
    "\ud7ff",
    Signer().sign_object([1, 2]),
    Signer(salt="scoring.api").sign_object(["2026-01-01", 1]),
]


@pytest.mark.parametrize("cursor", FORGED, ids=range(len(FORGED)))
def test_forged_cursors_are_refused(reader, world, cursor):
    for path in lists(world):
        path, _sign, query = path.partition("?")
        document = reader.get(path, cursor=cursor, **dict([query.split("=")] if query else []))
        assert (reader.answer.status_code, document["code"]) == (400, "cursor_invalid"), path


def test_forged_cursors_of_a_published_list_are_refused(reader, people):  # noqa: F811
    campaigns.published(people)
    for cursor in FORGED:
        document = reader.get("promotions/2025/2D", cursor=cursor)
        assert (reader.answer.status_code, document["code"]) == (400, "cursor_invalid"), cursor


def test_a_changed_cursor_is_refused(reader, world, two_rows):
    cursor = cursor_of(reader.get("tournaments")["next"])
    assert reader.client.get(f"/api/v1/tournaments?cursor={cursor}").status_code == 200
    for position in (0, len(cursor) // 2, len(cursor) - 1):
        other = "A" if cursor[position] != "A" else "B"
        changed = cursor[:position] + other + cursor[position + 1 :]
        answer = reader.client.get(f"/api/v1/tournaments?cursor={changed}")
        assert (answer.status_code, answer.json()["code"]) == (400, "cursor_invalid"), position


def test_a_cursor_fits_its_list_and_its_filters_alone(reader, world, two_rows):
    cursor = cursor_of(reader.get("standings/2P", venue="in_person")["next"])
    assert reader.client.get(f"/api/v1/standings/2P?venue=in_person&cursor={cursor}").status_code == 200
    for path in ("standings/2P", "standings/2P?venue=online", "standings/1P?venue=in_person", "tournaments"):
        sign = "&" if "?" in path else "?"
        answer = reader.client.get(f"/api/v1/{path}{sign}cursor={cursor}")
        assert (answer.status_code, answer.json()["code"]) == (400, "cursor_invalid"), path


def test_a_cursor_fits_however_the_parameters_are_written(reader, world, two_rows):
    number, club = world[0].number, world[0].club.code
    for path, same in (
        (f"players/{number}/awards", f"players/0{number}/awards?family=AEB&colour=red"),
        (f"standings/2P?club={club}", f"standings/2p?region=&club={club.lower()}"),
    ):
        cursor = cursor_of(reader.client.get(f"/api/v1/{path}").json()["next"])
        answer = reader.client.get(f"/api/v1/{same}&cursor={cursor}")
        assert answer.status_code == 200 and answer.json()["items"], same


def test_a_cursor_of_another_installation_is_refused(reader, world, two_rows, settings):
    cursor = cursor_of(reader.get("clubs")["next"])
    settings.SECRET_KEY = "another"
    assert reader.client.get(f"/api/v1/clubs?cursor={cursor}").json()["code"] == "cursor_invalid"


def test_the_same_document_has_the_same_cursor(reader, world, two_rows):
    """Otherwise its ETag would change with every request."""
    assert reader.get("tournaments") == reader.get("tournaments")


# --- Queries ------------------------------------------------------------------------------------------------
def test_lists_take_as_many_queries_with_three_rows_as_with_one(reader, today, settings):
    settings.FAMILIES = ["aeb", "go"]
    club = make.club(name="Club uno")
    add_to_lists(club, today)
    go.registered(go.event(), make.office())
    paths = [
        "tournaments",
        "clubs",
        "ratings",
        "regulations",
        "standings/2P",
        f"standings/2P?club={club.code}",
        "standings/2P?as_of=2026-11-20",
    ]
    few = {path: reader.queries(path) for path in paths}
    for number in range(2):
        add_to_lists(make.club(name=f"Club más {number}"), today)
        add_to_lists(club, today)
    go.registered(go.event(name="Otra", players=go.people(12)), make.office())
    assert {path: reader.queries(path) for path in paths} == few
    assert max(few.values()) <= 14, few
    assert few["tournaments"] == few["clubs"] == few["ratings"] == 1


def test_a_player_takes_as_many_queries_with_three_awards_as_with_one(reader, today):
    player = make.player(category="2P")

    def play() -> None:
        partner = make.player(category="2P")
        day = today - timedelta(days=10)
        make.scored((player, partner), ("Una", "Otra"), end_date=day, event_type="regional")

    play()
    paths = [f"players/{player.number}{part}" for part in ("", "/standing", "/awards")]
    few = [reader.queries(path) for path in paths]
    play(), play()
    assert LedgerEntry.objects.filter(player=player).count() == 3
    assert [reader.queries(path) for path in paths] == few
    assert max(few) <= 8, few


def test_a_tournament_takes_as_many_queries_with_six_pairs_as_with_two(reader, today):
    players = make.players(12, category="2P")
    small, large = (make.scored(*make.pairs(of), end_date=today) for of in (players[:4], players))
    few = reader.queries(f"tournaments/{small.pk}")
    assert reader.queries(f"tournaments/{large.pk}") == few <= 12


def test_a_published_list_takes_as_many_queries_with_more_players(reader, people):  # noqa: F811
    campaign = campaigns.published(people)

    def count() -> int:
        reader.get("promotions/2025/2D")
        with CaptureQueriesContext(connection) as queries:
            reader.get("promotions/2025/2D")
        return len(queries)

    few = count()
    Withdraw().perform(campaign.pk, people.office, "more players")
    for place in range(20):
        campaigns.post_points(make.player(category="2D"), 2000 + place)
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "more players")
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office)
    assert count() == few
    assert len(reader.get("promotions/2025/2D")["items"]) == 30
