"""The public list of corrections."""

import csv
import io
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from scoring.annulments import services as annulments
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs
from scoring.office.services import merges
from scoring.pages.queries import corrections
from scoring.uploads.services.confirm import confirm
from tests import factories as make
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.calendar.test_plans import nodes
from tests.scoring.pages.test_queries import query_count
from tests.scoring.uploads.makers import approve
from tests.scoring.uploads.test_approval import NATIONAL, received, score, waiting
from tournaments import drafts
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
PAGE = "/torneos/correcciones/"


def correct(tournament: Tournament, contestants, by=None, reason="Al revés") -> ScoringRun:
    """Store and score a correction of a tournament, as a confirmed upload does."""
    ranking = make.rows(*contestants)
    revision = drafts.store(drafts.header_of(tournament), ranking, by, corrects=tournament, reason=reason)
    run = runs.create_run(revision, by, reason)
    runs.score(run.pk)
    return ScoringRun.objects.get(pk=run.pk)


def played(of=None, count=8):
    pairs = make.pairs(make.players(count, category="2P"))
    return make.scored(*pairs, of=of or make.club(), end_date=make.today() - timedelta(days=2)), pairs


@pytest.fixture
def listed():
    """Return a function that reads the records of the list."""
    return lambda **values: corrections.records(list(corrections.CorrectionFilter(**values).queryset()))


def test_a_correction_is_listed_with_what_it_changed(client, listed):
    director = make.director(make.club(name="Club Sur"))
    tournament, pairs = played(of=director.roles.get().club)
    points = dict(tournament.entries.values_list("player_id", "points"))
    # The last two pairs change their places.
    correct(tournament, [*pairs[:2], pairs[3], pairs[2]], director)
    (record,) = listed()
    third, fourth = points[pairs[2][0].pk], points[pairs[3][0].pk]
    assert (record["places"], record["players"], record["most"]) == (4, 4, third - fourth)
    assert (record["reason"], record["club"], record["by"]) == ("Al revés", "Club Sur", "el club")
    speak(client, "en")
    page = client.get(PAGE).content.decode()
    assert "4 players have another place." in page and "Club Sur" in page and director.username not in page
    assert f"{tournament.get_absolute_url()}#historia" in page
    assert 'id="historia"' in client.get(tournament.get_absolute_url()).content.decode()
    assert reverse("corrections") in client.get(reverse("tournaments")).content.decode()


def test_guests_with_another_place_are_counted_and_those_with_another_name_are_not(listed):
    pairs = [*make.pairs(make.players(6, category="2P")), ("Ana Gil", "Rui Costa"), ("Eva Paz", "Luis Rey")]
    tournament = make.scored(*pairs, end_date=make.today() - timedelta(days=2))
    correct(tournament, [*pairs[:3], pairs[4], ("Ana Gil", "Rui da Costa")])
    (record,) = listed()
    # Rui Costa may be another person than Rui da Costa.
    assert (record["places"], record["players"]) == (3, 0)
    assert record["what"].startswith("3 jugadores tienen otro puesto.")


def test_annulments_and_restorations_are_listed_latest_first(listed):
    tournament, _pairs = played()
    for number, verb in enumerate((annulments.annul, annulments.restore), 1):
        runs.score(verb(tournament.pk, f"Motivo {number}", make.office()).pk)
    restored, annulled = listed()
    assert (annulled["act"], restored["act"]) == ("Anulado", "Restablecido")
    assert (annulled["players"], annulled["places"], annulled["by"]) == (8, 0, "la oficina de la federación")
    assert restored["players"] == 8


def test_first_rankings_and_what_waits_are_not_listed(listed, director_club_players):
    director, club, players = director_club_players
    upload = received(director, club, players, **NATIONAL)
    confirm(upload, director)
    approve(make.office(), waiting())
    tournament = score(upload).tournament
    again = received(director, club, players[::-1], corrects=tournament, reason="Al revés", **NATIONAL)
    confirm(again, director)
    assert listed() == []
    approve(make.office(), waiting())
    score(again)
    assert [record["by"] for record in listed()] == ["el club, con la aprobación de una segunda persona"]


@pytest.fixture
def director_club_players():
    club = make.club()
    return make.director(club), club, make.pairs(make.players(12, club=club, category="2P"))


def test_the_points_of_merged_numbers_are_those_of_one_person(listed):
    tournament, pairs = played()
    twin = make.player()
    merges.merge(pairs[0][0], twin, "Dos números", make.office())
    correct(tournament, pairs, reason="Solo el nombre")
    (record,) = listed()
    assert (record["places"], record["players"], record["most"]) == (0, 0, 0)
    assert record["what"].startswith("No cambió")


def test_the_list_can_be_narrowed_by_month_region_and_club(client):
    north, south = make.club(), make.club()
    for club in (north, south):
        tournament, pairs = played(of=club)
        correct(tournament, pairs[::-1])
    long_ago = timezone.now() - timedelta(days=70)
    ScoringRun.objects.filter(tournament__club=north).exclude(reason="").update(finished_at=long_ago)
    then, now = (f"{timezone.localdate(moment):%Y-%m}" for moment in (long_ago, timezone.now()))

    def clubs(query: str) -> list[str]:
        file = client.get(f"{PAGE}?formato=csv&{query}")
        lines = io.StringIO(file.getvalue().decode("utf-8-sig"))
        return [row["Club"] for row in csv.DictReader(lines, delimiter=";")]

    assert clubs("mes=") == [south.name, north.name] and clubs("") == [south.name]
    assert clubs(f"mes={then}") == [north.name] and clubs(f"mes={now}") == [south.name]
    assert clubs(f"mes=&club={south.slug}") == [south.name] == clubs(f"mes=&region={south.region.slug}")
    assert clubs(f"mes={then}&club={south.slug}") == []
    assert client.get(f"{PAGE}?club=nadie").status_code == 404
    assert client.get(f"{PAGE}?mes=9999-12").status_code == client.get(f"{PAGE}?mes=x%00").status_code == 200
    north.active = False
    north.save()
    assert clubs(f"mes=&club={north.slug}") == [north.name]  # as its tournaments link to it


def test_an_empty_month_says_so_and_links_the_latest_that_has_some(client):
    speak(client, "en")
    assert "No tournament was corrected in" in open_page(client, PAGE).text
    tournament, pairs = played()
    correct(tournament, pairs[::-1])
    long_ago = timezone.now() - timedelta(days=70)
    ScoringRun.objects.exclude(reason="").update(finished_at=long_ago)
    then, club = f"{timezone.localdate(long_ago):%Y-%m}", tournament.club.slug
    for query in ({}, {"club": club}):
        page = open_page(client, PAGE, **query)
        assert "No tournament was corrected in" in page.text
        latest = next(link for link in page.addresses if f"mes={then}" in link)
        assert tournament.name in open_page(client, latest).text and query.get("club", "") in latest
    own = open_page(client, tournament.get_absolute_url())
    assert tournament.name in open_page(client, next(link for link in own.addresses if PAGE in link)).text


def test_a_month_is_named_whole_in_sentences(client):
    assert "En noviembre de 2031" in open_page(client, PAGE, mes="2031-11").text
    assert "No se corrigió ningún torneo en noviembre de 2031" in open_page(client, PAGE, mes="2031-11").text


def test_three_corrections_take_as_many_queries_as_one(client):
    def add() -> None:
        tournament, pairs = played()
        correct(tournament, pairs[::-1], make.director(tournament.club))
        runs.score(annulments.annul(tournament.pk, "Repetido", make.office()).pk)

    add()
    count = query_count(client, PAGE)
    add(), add()
    assert query_count(client, PAGE) == count <= 13


def test_the_list_is_read_by_an_index(client, settings):
    statement = (
        str(corrections.CorrectionFilter().queryset()[:50].query)
        .replace("= done", "= 'done'")
        .replace("= )", "= '')")
    )
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
            plan = " ".join(row[-1] for row in cursor.fetchall())
            assert "run_correction" in plan and "TEMP B-TREE" not in plan
            return
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
        cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}")
        plan = nodes(cursor.fetchone()[0][0]["Plan"])
    assert "run_correction" in {node.get("Index Name") for node in plan}
    assert "Sort" not in {node["Node Type"] for node in plan}


def test_a_correction_that_left_all_points_is_counted_apart(client):
    tournament, pairs = played()
    correct(tournament, pairs, reason="Otro nombre")
    page = open_page(client, PAGE)
    assert page.context["total"] == 0 and "1 más dejó todos los puntos como estaban" in page.text
    correct(tournament, [*pairs[:2], pairs[3], pairs[2]])
    page = open_page(client, PAGE)
    assert (page.context["total"], page.context["unchanged"]) == (1, 1)
