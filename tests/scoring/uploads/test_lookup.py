"""Players are looked up while a director types a name on the review."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import NamePair, Player
from players.services.limits import Limit
from scoring.uploads import lookup
from scoring.uploads.views import people
from tests import factories
from tests.access.test_plans import COMPARISON, no_scans, readings  # noqa: F401
from tests.scoring.uploads.makers import csv_of, sent
from tests.scoring.uploads.test_queries import counted

pytestmark = pytest.mark.django_db
PLAYERS, NAMES = Player._meta.db_table, NamePair._meta.db_table


@pytest.fixture
def ask(signed_in, club, pairs):
    """Return a function that looks a text up on a draft of the club, and returns the records."""
    upload = sent(signed_in, club, csv_of(pairs))

    def act(text, client=signed_in):
        response = client.post(reverse("upload_people", args=[upload.pk]), {"q": text})
        return response.context["players"] if response.status_code == 200 else response.status_code

    return act


@pytest.fixture
def teresa(club):
    return factories.player(club=club, category="2P", given_name="Teresa", surname="Lafuente Gil")


def numbers(records) -> list[str]:
    return [record["number"] for record in records]


@pytest.mark.parametrize("text", ["lafuente t", "TERE lafu", "gil", " Teresa  Lafuente "])
def test_members_are_found_by_the_beginning_or_middle_of_any_name(ask, teresa, text):
    assert numbers(ask(text)) == [teresa.number]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("zwart", 1),
        ("zwart i", 1),
        ("ÍÑIGO zwart", 1),
        ("inigo", 1),
        ("íñi", 1),
        ("núñez", 1),
        ("nunez", 1),
        ("nunez i", 1),
        ("zwart nunez inigo", 1),
        ("zwart nunez ines", 0),
        ("zwart de nunez", 1),
        ("de", 0),
        ("del", 0),
        ("ñigo", 0),
        ("zw", 0),
    ],
)
def test_others_are_found_by_the_beginning_of_any_word_from_three_letters_on(ask, text, count):
    factories.player(given_name="Íñigo", surname="Zwart de Núñez")
    assert len(ask(text)) == count


def test_names_that_begin_with_the_typed_words_come_before_names_that_contain_them(ask, club):
    def member(given_name, surname, club=club):
        return factories.player(club=club, given_name=given_name, surname=surname).number

    inside = member("Ana", "Molina Abarca")
    apart = member("Rosa", "Molina Gil")
    for letter in "BCDEFGHI":
        member(f"Ana {letter}", "Molinar Acero")
    following = member("Nieves", "Molina Reyes")
    far = member("Inés", "Molina Rey", factories.club())
    listed = numbers(ask("molina r"))
    assert listed[:3] == [following, apart, far] and listed.index(inside) > 2


@pytest.mark.parametrize("text", ["rey", "REY l", "berto rey"])
def test_whole_words_come_before_words_that_only_begin_so(ask, club, text):
    beginning, whole = (
        factories.player(club=club, given_name=f"Berto {given_name}", surname=surname).number
        for given_name, surname in (("Ana", "Molina Reyes Luna"), ("Roberto", "Rey Lara"))
    )
    assert numbers(ask(text)) == [whole, beginning]


@pytest.mark.parametrize("text", ["concha", "pepe laf", "maite lafuente"])
def test_short_forms_find_the_names_that_they_stand_for(ask, club, text):
    given_name = {"c": "Concepción", "p": "José", "m": "María Teresa"}[text[0]]
    meant = factories.player(club=club, given_name=given_name, surname="Lafuente Mas")
    assert numbers(ask(text)) == [meant.number]


def test_members_come_first_and_the_list_is_bounded(ask, teresa):
    for number in range(lookup.MOST + 2):
        factories.player(given_name=f"Ana {number}", surname="Lafuente")
    records = ask("lafuente")
    assert len(records) == lookup.MOST and records[0]["number"] == teresa.number


def test_an_entry_has_club_licence_on_the_day_and_when_last_here(ask, club, pairs, teresa):
    teresa.licences.update(valid_to="2026-03-13")
    factories.scored((teresa, pairs[0][0]), *pairs[1:], of=club, end_date=factories.date(2026, 3, 6))
    (record,) = ask("lafuente")
    assert record == {
        "number": teresa.number,
        "name": "Teresa Lafuente Gil",
        "club": club.name,
        "category": "2P",
        "light": "lapsed",
        "last": factories.date(2026, 3, 6),
    }


def test_hidden_members_are_named_to_their_own_director_alone(client, ask, teresa):
    Player.objects.filter(pk=teresa.pk).update(hidden=True)
    (record,) = ask("lafuente")
    assert "Teresa Lafuente Gil" in record["name"]
    far = factories.club()
    client.force_login(factories.director(far))
    own = sent(client, far, csv_of(factories.pairs(factories.players(8, club=far))))
    page = reverse("upload_people", args=[own.pk])
    assert client.post(page, {"q": "lafuente"}).context["players"] == []
    (record,) = client.post(page, {"q": teresa.number}).context["players"]
    assert "Teresa" not in record["name"] and teresa.number in record["name"]


def test_directors_of_other_clubs_and_outsiders_cannot_look_up(client, ask, teresa):
    for account in (factories.director(factories.club()), factories.user()):
        client.force_login(account)
        assert ask("lafuente", client) == 404


def test_a_number_finds_the_player_and_a_merged_number_the_surviving_one(ask, teresa):
    former = factories.player(merged_into=teresa)
    assert numbers(ask(teresa.number)) == numbers(ask(f"00{teresa.number}")) == [teresa.number]
    assert numbers(ask(former.number)) == [teresa.number]


@pytest.mark.parametrize("text", ["", " ", "t", "%", "'", "\x00\x00", "a" * 5000, "1" * 500, "ﷺ" * 40])
def test_hostile_texts_find_nobody(ask, text):
    assert ask(text) == []


def test_more_players_take_no_more_queries_and_no_scan_of_the_register(
    signed_in,
    club,
    pairs,
    teresa,
    no_scans,  # noqa: F811
):
    upload = sent(signed_in, club, csv_of(pairs))
    page = reverse("upload_people", args=[upload.pk])
    signed_in.post(page, {"q": "maya l"})
    asked = []
    for more in (1, 2):
        for _player in range(more):
            factories.player(given_name="Luis", surname="Maya")
        asked.append(counted(lambda: signed_in.post(page, {"q": "maya l"})))
    assert asked[0] == asked[1]
    with CaptureQueriesContext(connection) as queries:
        signed_in.post(page, {"q": "maya l"})
    statements = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
    assert [statement for statement in statements if _scans(statement)] == []
    of_names = [NAMES in statement for statement in statements]
    assert sum(of_names) == 1
    ((how, condition),) = readings(statements[of_names.index(True)], NAMES)
    assert how in ("SEARCH", "Index Only Scan") and {">", "<"} == _signs(condition, "stem")


def test_an_account_that_looks_up_too_much_has_to_wait(ask, teresa, client, club, monkeypatch):
    monkeypatch.setattr(people, "LOOKUPS", Limit(2, timedelta(minutes=1), timedelta(minutes=1)))
    assert [len(ask("lafuente")), len(ask("gil")), ask("teresa")] == [1, 1, 429]
    client.force_login(factories.director(club))
    assert numbers(ask("lafuente", client)) == [teresa.number]


def test_the_names_that_are_looked_up_are_not_in_addresses(signed_in, club, pairs):
    page = reverse("upload_people", args=[sent(signed_in, club, csv_of(pairs)).pk])
    assert signed_in.get(page, {"q": "lafuente"}).status_code == 405


def _signs(condition: str, column: str) -> set[str]:
    return {sign[0] for name, sign in COMPARISON.findall(condition) if name == column}


def _scans(statement: str) -> bool:
    """Return whether the database would read all players for the statement if there were many of them."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
            return any(detail.startswith(f"SCAN {PLAYERS}") for *_ids, detail in cursor.fetchall())
        cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}")
        plan = cursor.fetchone()[0]
        return _reads_all((plan if isinstance(plan, list) else json.loads(plan))[0]["Plan"])


def _reads_all(node: dict) -> bool:
    """Return whether a node of a PostgreSQL plan reads all players, with or without an index."""
    is_players = node.get("Relation Name") == PLAYERS
    unbounded = node["Node Type"] == "Seq Scan" or (
        node["Node Type"] in ("Index Scan", "Index Only Scan") and "Index Cond" not in node
    )
    return (is_players and unbounded) or any(map(_reads_all, node.get("Plans", ())))
