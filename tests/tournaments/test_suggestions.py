"""Players are proposed for written names by an index of words, as if the whole register were compared."""

import random
import re
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.given_names import written_out
from players.models import NamePair, Player
from scoring.demo import names as demo
from tests import factories
from tests.access.test_plans import COMPARISON, no_scans, readings  # noqa: F401
from tournaments.services import candidates
from tournaments.services.candidates import Candidates
from tournaments.services.suggestions import Suggestion, choose, suggest
from ui.text import PARTICLES, words_of

pytestmark = pytest.mark.django_db
SIZE = 1_500


def register(rng: random.Random, club, size: int = SIZE) -> list[Player]:
    """Create players with random names; some are members of the club."""
    players = []
    for number in range(size):
        given_name, surname, _woman = demo.person(rng)
        home = club if rng.random() < 0.05 else None
        player = Player(number=str(500_000 + number), given_name=given_name, surname=surname, club=home)
        player.derive_from_name()
        players.append(player)
    return Player.objects.bulk_create(players)


def misspelt(word: str, rng: random.Random) -> str:
    """Return a word with a letter missing, doubled, wrong or swapped, but the first."""
    at = rng.randrange(1, len(word))
    before, letter, after = word[:at], word[at], word[at + 1 :]
    return rng.choice(
        [
            before + after,
            before + 2 * letter + after,
            before + "e" + after,
            before + after[:1] + letter + after[1:],
        ]
    )


def written(player: Player, rng: random.Random) -> str:
    """Return the player's name as a club may write it."""
    given_names, surnames = player.given_name.split(), player.surname.split()
    if rng.random() < 0.3:
        surnames = surnames[:1]
    words = surnames + given_names if rng.random() < 0.3 else given_names + surnames
    if rng.random() < 0.5:
        at = rng.randrange(len(words))
        words[at] = misspelt(words[at], rng)
    if rng.random() < 0.1:
        words[0] = words[0][0] + "."
    return " ".join(words)


def by_comparing_all(names: list[str], club) -> dict:
    """Return what `suggest` returns, with every player who shares a word of three letters as candidate."""
    everybody = [
        (player, words_of(player.search_text)) for player in Player.objects.unmerged().order_by("pk")
    ]
    full_names = {name: written_out(words_of(name)) for name in names}
    near = {}
    for name in [*full_names, *(other for others in full_names.values() for other in others)]:
        words = {word for word in words_of(name) if len(word) > 2} - PARTICLES
        near[name] = Candidates([row for row in everybody if not words.isdisjoint(row[1])])
    return choose(full_names, near, club.pk)


@pytest.mark.parametrize("seed", range(3))
def test_the_proposals_are_those_of_a_comparison_with_the_whole_register(seed):
    """Only the second or third player shown may differ, where words begin with another letter."""
    rng, club = random.Random(seed), factories.club()
    players = register(rng, club)
    names = [written(player, rng) for player in rng.sample(players, 120)]
    expected, result = by_comparing_all(names, club), suggest(names, club)
    assert len(expected) > 110
    for name in names:
        before, now = expected.get(name, Suggestion()), result.get(name, Suggestion())
        assert (now.players[:1], now.clear, now.certain) == (before.players[:1], before.clear, before.certain)
    assert sum(expected.get(name) != result.get(name) for name in names) <= 5


def test_of_more_candidates_than_are_compared_nobody_is_clear_but_a_member(monkeypatch):
    """Another player with all words may be among those left out, so no other player is chosen beforehand."""
    club = factories.club()
    for _ in range(3):
        factories.player(given_name="Ana", surname="Gil")
    monkeypatch.setattr(candidates, "MOST", 1)
    alone = suggest(["Gil Ana", "Ana Gil"], club)
    assert {(len(row.players), row.clear) for row in alone.values()} == {(1, None)}
    member = factories.player(given_name="Ana", surname="Gil", club=club)
    assert suggest(["Ana Gil"], club)["Ana Gil"].clear == member


def test_a_single_word_that_few_players_have_is_a_proposal():
    club, player = factories.club(), factories.player(given_name="Ana", surname="Zubizarreta")
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
        factories.player(given_name="María", surname=f"{letter}osa {letter}ena")
    result = suggest(["Zubizarreta", "María"], club)
    assert result["Zubizarreta"].players == (player,)
    assert "María" not in result


MARTINEZ = ("Héctor", "Martínez Lozano")
GARRIDO = ("Ana", "Garrido Ballesteros")


@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("A. Garrido Ballesteros", GARRIDO),
        ("A Garrido Ballesteros", GARRIDO),
        ("Garrido Ballesteros, A.", GARRIDO),
        ("GARRIDO BALL. ANA", GARRIDO),
        ("Héctor Martínez Loz.", MARTINEZ),
        ("HECTOR MARTINEZ LOZ", MARTINEZ),
        ("Martínez Lozano Héct", MARTINEZ),
        ("H. Mtnez. Lozano", MARTINEZ),
    ],
)
def test_initials_and_words_cut_off_are_clear_if_one_member_fits_alone(name, member):
    club = factories.club()
    player = factories.player(given_name=member[0], surname=member[1], club=club)
    factories.player(given_name="Ignacio", surname="Garrido Martínez", club=club)
    result = suggest([name], club)[name]
    assert (result.clear, result.certain) == (player, False)


@pytest.mark.parametrize(
    "second", [("Alberto", "Garrido Ballesteros"), ("Ángel", "Garrido"), ("Aurora", "Garrido Balesteros")]
)
def test_initials_are_not_clear_if_a_second_member_may_be_meant(second):
    club = factories.club()
    for given_name, surname in (GARRIDO, second):
        factories.player(given_name=given_name, surname=surname, club=club)
    result = suggest(["A. Garrido Ballesteros"], club)["A. Garrido Ballesteros"]
    assert result.clear is None and len(result.players) == 2


@pytest.mark.parametrize(
    "name",
    ["Garrido Ballesteros", "Garrido Ball.", "I. Garrido Ballesteros", "A. Garrito Ballesteros", "A. G."],
)
def test_surnames_alone_and_slips_are_not_taken_for_abbreviated_names(name):
    club = factories.club()
    factories.player(given_name=GARRIDO[0], surname=GARRIDO[1], club=club)
    assert suggest([name], club).get(name, Suggestion()).clear is None


@pytest.mark.parametrize("name", ["A. Garrido Ballesteros", "Ana Garrido Ball."])
def test_players_of_other_clubs_are_not_clear_by_abbreviated_names(name):
    factories.player(given_name=GARRIDO[0], surname=GARRIDO[1], club=factories.club())
    assert suggest([name], factories.club())[name].clear is None


# --- The index ------------------------------------------------------------------------------------------
def indexed(player: Player) -> set[tuple[str, str]]:
    return set(NamePair.objects.filter(player=player).values_list("stem", "second"))


AFTER = {("nunez1i", "inigo"), ("inigo1n", "nunez")}


def test_the_index_follows_a_name_that_changes():
    player = factories.player(given_name="Ana", surname="de la Peña")
    assert indexed(player) == {("ana1p", "pena"), ("pena1a", "ana")}
    player.given_name, player.surname = "Íñigo", "Núñez"
    player.save()
    assert indexed(player) == AFTER


@pytest.mark.parametrize("act", ["bulk_update", "bulk_create", "ignore"])
def test_the_index_follows_names_that_are_written_in_bulk(act):
    player, other = factories.player(surname="Peña"), factories.player(given_name="Eva", surname="Gil")
    before = indexed(other)
    player.given_name, player.surname = "Íñigo", "Núñez"
    player.derive_from_name()
    fields = ["given_name", "surname", "search_text", "sort_key"]
    if act == "bulk_update":
        Player.objects.bulk_update([player], fields)
    elif act == "bulk_create":
        options = {"update_conflicts": True, "unique_fields": ["number"], "update_fields": fields}
        Player.objects.bulk_create([player], **options)
    else:
        stored = indexed(player)
        Player.objects.bulk_create([player], ignore_conflicts=True)
        assert indexed(player) == stored
        return
    assert indexed(player) == AFTER
    assert indexed(other) == before


def test_the_migration_indexes_the_names_of_existing_players():
    players = [factories.player(given_name="Ana", surname=surname) for surname in ("Peña Gil", "Núñez")]
    expected = [indexed(player) for player in players]
    NamePair.objects.all().delete()
    import_module("players.migrations.0009_index_names").create(apps, None)
    assert [indexed(player) for player in players] == expected


# --- The queries ----------------------------------------------------------------------------------------
EXACT = {"stem", "id", "rowid", "number"}


def unbounded(statement: str) -> list[tuple[str, str]]:
    """Return the accesses to players and the index of names that no condition limits to few rows."""
    return [
        (how, condition)
        for model in (Player, NamePair)
        for how, condition in readings(statement, model._meta.db_table)
        if how in ("SCAN", "Seq Scan") or not is_bounded(condition)
    ]


def is_bounded(condition: str) -> bool:
    compared = {(column, sign[0]) for column, sign in COMPARISON.findall(re.sub("'[^']*'", "''", condition))}
    return any((column, "=") in compared for column in EXACT)


def queries_of(names: list[str], club) -> list[str]:
    with CaptureQueriesContext(connection) as queries:
        suggest(names, club)
    return [query["sql"] for query in queries]


def test_no_query_reads_the_whole_register(no_scans):  # noqa: F811
    rng, club = random.Random(1), factories.club()
    players = register(rng, club, 200)
    statements = queries_of([player.full_name for player in players[:3]] + ["Zubizarreta"], club)
    assert len(statements) == 3
    assert {statement: wrong for statement in statements if (wrong := unbounded(statement))} == {}


def test_the_check_finds_a_query_that_reads_the_whole_register(no_scans):  # noqa: F811
    everybody = Player.objects.unmerged().filter(hidden=False).order_by("pk")
    assert unbounded(str(everybody.values("pk").query)) != []


def test_the_queries_do_not_grow_with_the_names():
    rng, club = random.Random(1), factories.club()
    players = register(rng, club, 200)
    one, three = ([written(player, rng) for player in players[:count]] for count in (1, 3))
    assert len(queries_of(one, club)) == len(queries_of(three, club)) == 3
