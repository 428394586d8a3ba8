"""Atom feeds: what they hold, that they are valid, and what they cost."""

from datetime import datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.http import http_date

from scoring.feeds import atom, entries
from scoring.promotions.acts.publish import Withdraw
from scoring.transparency.models import Checkpoint
from tests import factories as make
from tests.access.test_plans import no_scans, readings, statements_of  # noqa: F401 (a fixture)
from tests.pages import open_page
from tests.scoring.pages.test_corrections import correct
from tests.scoring.pages.test_queries import query_count
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.conftest import clock, module_people, people  # noqa: F401 (fixtures)

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
SCORED = "Scored"
RESULTS, LISTS = "/novedades/resultados.atom", "/novedades/listas.atom"


def feed_of(client, address: str) -> ElementTree.Element:
    """Return the feed at an address, after checking what RFC 4287 demands of every feed and entry."""
    response = client.get(address)
    assert response.status_code == 200, address
    assert response.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(response.content)
    assert feed.tag == f"{ATOM}feed"
    for element in (feed, *feed.iter(f"{ATOM}entry")):
        assert all(len(element.findall(f"{ATOM}{name}")) == 1 for name in ("id", "title", "updated"))
        assert datetime.fromisoformat(text(element, "updated")).tzinfo
        assert text(element, "id").startswith("tag:localhost,2026:")
    assert text(feed.find(f"{ATOM}author"), "name")
    [own] = [link for link in feed.findall(f"{ATOM}link") if link.get("rel") == "self"]
    assert own.get("href").endswith(address)
    ids = [text(entry, "id") for entry in feed.iter(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids)
    return feed


def text(element: ElementTree.Element, name: str) -> str:
    return element.find(f"{ATOM}{name}").text


def titles(client, address: str) -> list[str]:
    return [text(entry, "title") for entry in feed_of(client, address).iter(f"{ATOM}entry")]


def played(club, name: str, **fields):
    pairs = make.pairs(make.players(4, category="2P"))
    return make.scored(*pairs, of=club, name=name, **fields), pairs


def test_results_scored_and_corrected_are_entries_the_latest_first(client, english):
    club = make.club(name="Club <del> Faro")
    tournament, pairs = played(club, "Pool\x01 & más")
    correct(tournament, pairs[::-1])
    feed = feed_of(client, RESULTS)
    latest, first = feed.iter(f"{ATOM}entry")
    assert (text(first, "title"), text(latest, "title")) == (f"{SCORED}: Pool & más", "Corrected: Pool & más")
    assert text(first, "summary").startswith("Club <del> Faro, ")
    assert first.find(f"{ATOM}link").get("href") == f"http://testserver{tournament.get_absolute_url()}"
    assert text(feed, "updated") == text(latest, "updated")


def test_feeds_name_no_player(client):
    club = make.club()
    hidden = make.player(category="2P", hidden=True)
    others = make.players(3, category="2P")
    make.scored((hidden, others[0]), (others[1], others[2]), of=club)
    content = client.get(RESULTS).content.decode()
    names = [name for player in (hidden, *others) for name in (player.surname, str(player.number))]
    assert not any(name in content for name in names)


def test_regions_and_clubs_have_their_own_feeds(client, english):
    here, there = make.club(), make.club()
    played(here, "Aquí")
    played(there, "Allí")
    assert len(titles(client, RESULTS)) == 2
    assert titles(client, f"/novedades/resultados/club/{here.slug}.atom") == [f"{SCORED}: Aquí"]
    assert titles(client, f"/novedades/resultados/region/{there.region.slug}.atom") == [f"{SCORED}: Allí"]
    assert client.get("/novedades/resultados/club/ninguno.atom").status_code == 404
    assert client.get("/novedades/resultados/region/ninguna.atom").status_code == 404


def test_an_empty_feed_is_valid_and_stays_the_same(client):
    assert titles(client, RESULTS) == titles(client, LISTS) == []
    assert client.get(RESULTS).headers["ETag"] == client.get(RESULTS).headers["ETag"]


def test_feeds_end_after_fifty_entries_and_sixty_days(client, english, monkeypatch):
    club = make.club()
    for number in range(3):
        played(club, f"Pool {number}")
    monkeypatch.setattr(entries, "MOST", 2)
    assert titles(client, RESULTS) == [f"{SCORED}: Pool 2", f"{SCORED}: Pool 1"]
    monkeypatch.setattr(entries, "RESULTS_BACK", timedelta(days=-1))
    assert titles(client, RESULTS) == []
    assert atom.MOST == 50


def test_an_unchanged_feed_is_not_sent_again(client):
    club = make.club()
    played(club, "Pool")
    response = client.get(RESULTS)
    etag, changed = response.headers["ETag"], response.headers["Last-Modified"]
    assert "max-age=0" in response.headers["Cache-Control"] and "public" in response.headers["Cache-Control"]
    assert client.get(RESULTS, headers={"if-none-match": etag}).status_code == 304
    assert client.get(RESULTS, headers={"if-modified-since": changed}).status_code == 304
    before = http_date((timezone.now() - timedelta(days=2)).timestamp())
    assert client.get(RESULTS, headers={"if-modified-since": before}).status_code == 200
    played(club, "Otra")
    assert client.get(RESULTS, headers={"if-none-match": etag}).status_code == 200


@pytest.mark.parametrize(("address", "language"), [(RESULTS, "es"), (f"/en{RESULTS}", "en")])
def test_a_feed_says_its_language(client, address, language):
    feed = feed_of(client, address)
    assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == language


# --- Lists --------------------------------------------------------------------------------------------------
def test_published_lists_are_entries_until_they_are_withdrawn(client, people):  # noqa: F811
    campaign = campaigns.published(people)
    published = titles(client, LISTS)
    assert published and all(str(campaign.year) in title for title in published)
    etag = client.get(LISTS).headers["ETag"]
    Withdraw().perform(campaign.pk, people.office, "Un error")
    assert titles(client, LISTS) == []
    assert client.get(LISTS, headers={"if-none-match": etag}).status_code == 200


def checkpoint(days: int, note: str, hours: int = 0) -> None:
    """Store a checkpoint of noon, some days ago, or some hours later."""
    noon = atom.midnight(make.today() - timedelta(days=days)) + timedelta(hours=12 + hours)
    Checkpoint.objects.create(size=1, root=b"\0" * 32, note=note, created_at=noon)


def test_the_last_checkpoint_of_each_day_before_today_is_an_entry(client):
    checkpoint(entries.CHECKPOINT_DAYS + 1, "old")
    checkpoint(3, "first\n\n— name c2ln\n")
    checkpoint(1, "morning")
    checkpoint(1, "evening", hours=8)
    checkpoint(0, "today")
    listed = list(feed_of(client, LISTS).iter(f"{ATOM}entry"))
    assert [text(entry, "content") for entry in listed] == ["evening", "first\n\n— name c2ln\n"]
    day = make.today() - timedelta(days=1)
    assert text(listed[0], "id").endswith(f":checkpoint-{day.isoformat()}")


# --- Cost ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["all", "region", "club"])
def test_three_results_take_as_many_queries_as_one(client, kind):
    club = make.club()
    address = {
        "all": RESULTS,
        "region": f"/novedades/resultados/region/{club.region.slug}.atom",
        "club": f"/novedades/resultados/club/{club.slug}.atom",
    }[kind]
    played(club, "Uno")
    count = query_count(client, address)
    played(club, "Dos"), played(club, "Tres")
    assert query_count(client, address) == count <= 4


def test_three_checkpoints_take_as_many_queries_as_one(client):
    checkpoint(1, "one")
    count = query_count(client, LISTS)
    checkpoint(2, "two"), checkpoint(3, "three")
    assert query_count(client, LISTS) == count <= 5


@pytest.mark.parametrize(
    ("address", "table", "column"),
    [(RESULTS, "ledger_scoringrun", "finished_at"), (LISTS, "transparency_checkpoint", "created_at")],
)
@pytest.mark.usefixtures("no_scans")
def test_no_feed_reads_a_growing_table_whole(client, address, table, column):
    played(make.club(), "Pool")
    checkpoint(1, "one")
    [statement] = statements_of(client, address, table)
    plan = list(readings(statement, table))
    assert any(f"{column}>" in condition.replace(" ", "") for _how, condition in plan), plan
    assert not {how for how, _condition in plan} & {"SCAN", "Seq Scan"}, plan


# --- Links --------------------------------------------------------------------------------------------------
def test_pages_lead_to_the_feeds(client):
    club = make.club()
    pages = {
        reverse("tournaments"): RESULTS,
        reverse("club", args=[club.slug]): f"/novedades/resultados/club/{club.slug}.atom",
        reverse("clubs"): f"/novedades/resultados/region/{club.region.slug}.atom",
        reverse("promotions"): LISTS,
    }
    for address, feed in pages.items():
        page = open_page(client, address)
        assert feed in announced(page), address
        assert feed in page.addresses, address
    assert {RESULTS, LISTS} <= announced(open_page(client, "/"))


def announced(page) -> set[str]:
    """Return the addresses of the feeds that programs find in the head of a page."""
    return {link["href"] for link in page.all("link", rel="alternate", type="application/atom+xml")}
