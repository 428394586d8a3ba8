"""Searches by name: all have the same results as comparing every name, whichever way they use the index."""

import uuid
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.urls import reverse
from hypothesis import example, given
from hypothesis import strategies as st

from players.models import Club, ClubPair, NamePair, Player, names
from tests import factories as make
from tests.access.test_plans import no_scans, readings, statements_of  # noqa: F401
from tests.examples import examples
from tests.pages import open_page
from tests.undone import rolled_back
from tournaments.models import Announcement, AnnouncementPair, Tournament, TournamentPair
from ui import paging
from ui.text import words_of

# Words that begin like each other, with accents, particles, punctuation, digits, letters of other alphabets.
WORDS = (
    *(
        "Ana",
        "ana1",
        "Anam",
        "Añá",
        "zz",
        "zza",
        "Zoe",
        "de",
        "del",
        "d",
        "La",
        "Lara",
        "l'Hospitalet",
        "9",
        "99",
    ),
    *("O'Brien", "García-Rico", "garcia", "Łódź", "Łó", "anał", "αβ", "αγ", "Torneo", "torneos", "A", "(B)"),
)
TEXTS = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
# The numbers of rows from which a search uses the index differently: always the ids, a subquery, or the list.
LIMITS = ((500, 50_000), (0, 50_000), (0, 0), (1, 4))


def meant(text: str, name: str) -> bool:
    """Return whether each word of a text begins a word of the name: the definition, without the index."""
    own = words_of(name)
    return all(any(word.startswith(begun) for word in own) for begun in words_of(text))


@pytest.fixture(scope="module")
def named(django_db_setup, django_db_blocker):
    """Names of two to five words: every two neighbours in `WORDS`, and mixtures."""
    combined = [" ".join(WORDS[at : at + 2]) for at in range(len(WORDS))]
    combined += [" ".join(WORDS[at % len(WORDS)] for at in range(start, 90, 19)) for start in range(19)]
    with rolled_back(django_db_blocker):
        club = make.club()
        players = [make.player(given_name=name, surname="Prado", club=club) for name in combined]
        Player.objects.filter(pk=players[0].pk).update(hidden=True)
        Player.objects.filter(pk=players[1].pk).update(merged_into=players[2])
        for name in combined:
            make.club(name=name)
            make.tournament(club, name=name)
            make.announcement(club, name=name)
        yield


@pytest.mark.django_db
@examples(60)
@given(text=TEXTS, limits=st.sampled_from(LIMITS))
@example(text="ana ana1", limits=(0, 50_000))
@example(text="an zz", limits=(500, 50_000))
@example(text="d garcia", limits=(500, 50_000))
@example(text="?", limits=(500, 50_000))
def test_searches_find_what_comparing_every_name_finds(named, text, limits):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names, "FEW", limits[0])
        patch.setattr(names, "MANY", limits[1])
        players = set(Player.objects.search(text).values_list("pk", flat=True))
        clubs = set(Club.objects.search(text).values_list("pk", flat=True))
        tournaments = set(Tournament.objects.search(text).values_list("pk", flat=True))
        announced = set(Announcement.objects.search(text).values_list("pk", flat=True))
    is_text = bool(words_of(text))
    shown = Player.objects.filter(merged_into=None)
    assert players == {
        row.pk
        for row in shown
        if is_text and (row.number == text or not row.hidden and meant(text, row.full_name))
    }
    assert clubs == {
        row.pk for row in Club.objects.all() if is_text and meant(text, f"{row.name} {row.city} {row.code}")
    }
    for model, matches in ((Tournament, tournaments), (Announcement, announced)):
        assert matches == {
            row.pk for row in model.objects.all() if meant(text, row.name) and (is_text or not text.strip())
        }


@pytest.mark.parametrize(
    ("model", "pairs", "column"),
    [
        (Player, NamePair, "surname"),
        (Club, ClubPair, "name"),
        (Tournament, TournamentPair, "name"),
        (Announcement, AnnouncementPair, "name"),
    ],
)
def test_the_index_follows_every_way_in_which_a_name_is_written(db, model, pairs, column):
    makers = {
        Player: make.player,
        Club: make.club,
        Tournament: make.tournament,
        Announcement: make.announcement,
    }
    row = makers[model]()
    setattr(row, column, "Ábaco Rey")
    row.save()
    assert model.objects.search("abaco rey").get() == row
    setattr(row, column, "Rey Bosque")
    row.derive_from_name()
    model.objects.bulk_update([row], [column, "search_text"])
    assert model.objects.search("bosq").get() == row and not model.objects.search("abaco").exists()
    model.objects.filter(pk=row.pk).update(**{column: "Cisne"})
    assert row.name_pairs.exists()
    row.delete()
    assert not pairs.objects.filter(stem__startswith="bosque").exists()
    row.pk, row.uid = None, uuid.uuid4()
    setattr(row, column, "Duna Rey")
    model.objects.bulk_create([row])
    assert model.objects.search("du").get() == row


def test_names_that_were_stored_before_the_index_are_indexed(db):
    club, tournament = make.club(name="Círculo del Faro"), make.tournament(name="Pool (tarde)")
    player, announced = (
        make.player(given_name="Ana", surname="D'Ávila-Sanz"),
        make.announcement(name="Open (norte)"),
    )
    indexes = (ClubPair, TournamentPair, AnnouncementPair)
    before = {rows: set(rows.objects.values_list("stem", "second")) for rows in indexes}
    for rows in before:
        rows.objects.all().delete()
    Club.objects.update(search_text="")
    Tournament.objects.update(search_text="pool (tarde)")
    Announcement.objects.update(search_text="")
    Player.objects.filter(pk=player.pk).update(search_text="ana d'avila-sanz")
    for name in (
        "players.migrations.0022_fill",
        "tournaments.migrations.0019_fill",
        "tournaments.migrations.0021_fill_announced",
    ):
        import_module(f"{name}_names").fill(apps, None)
    assert before == {rows: set(rows.objects.values_list("stem", "second")) for rows in before}
    assert Club.objects.search("faro circ").get() == club
    assert Tournament.objects.search("tard").get() == tournament
    assert Announcement.objects.search("nort").get() == announced
    assert Player.objects.search("sanz avi d").get() == player


READ = {
    "search": ("players_player", "players_namepair", "players_clubpair", "tournaments_announcementpair"),
    "players": ("players_player", "players_namepair"),
    "tournaments": ("tournaments_tournament", "tournaments_tournamentpair"),
    "persons": ("players_clubpair",),
}


@pytest.mark.parametrize("limits", LIMITS[:2])
@pytest.mark.parametrize("page", READ)
def test_no_search_reads_a_whole_table(named, db, client, monkeypatch, no_scans, page, limits):  # noqa: F811
    """Rows are read by id or by a range of the index, whether a query gets the ids or a subquery."""
    monkeypatch.setattr(names, "FEW", limits[0])
    client.force_login(make.office())
    for table in READ[page]:
        statements = statements_of(client, reverse(page), table, {"q": "garcia"})
        is_index, column = table.endswith("pair"), f'"{table}"."search_text"'
        searches = [text for text in statements if is_index or column in text.partition("WHERE")[2]]
        assert searches
        for statement in searches:
            # In a test's small table PostgreSQL may prefer to walk the order of the list.
            strict = is_index or connection.vendor == "sqlite"
            scans = [how for how, condition in readings(statement, table) if strict and not condition]
            assert not scans and "Seq Scan" not in dict(readings(statement, table)), statement


def test_a_list_shows_the_first_of_very_many_that_a_search_finds(named, db, client, monkeypatch, english):
    monkeypatch.setattr(paging, "MOST_FOUND", 3)
    for name in ("players", "tournaments"):
        page = open_page(client, reverse(name), q="garcia")
        assert page.lead.startswith("More than 3 ") and page.context["total"] == 3
