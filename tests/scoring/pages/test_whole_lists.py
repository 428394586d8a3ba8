"""Lists shown on a single page for printing: they have every row up to a limit, and hide hidden players."""

from datetime import date

import pytest
from django.urls import reverse

from scoring.ratings.models import RatedPlayer
from tests import factories as make
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.pages.test_queries import add_to_lists, query_count
from tests.scoring.pages.test_standings import listed_records, post_points
from ui import paging, tables

pytestmark = pytest.mark.django_db
STANDING = "/clasificaciones/2p/"


@pytest.fixture
def crowd(today):
    """Create 53 players of one club in category 2P with points. The last one is hidden."""
    club = make.club(name="Club del Puerto")
    players = make.players(53, category="2P", club=club)
    players[-1].hidden, players[-1].given_name, players[-1].surname = True, "Secundina", "Ocultada Nombre"
    players[-1].save()
    points = [*range(9000, 9000 - 49 * 10, -10), 5000, 5000, 5000, 4000]
    post_points(*zip(players, points, strict=True), day=today)
    return players


def rated(count: int) -> None:
    """Create Go players with ratings. The last one is also a hidden player of the federation."""
    hidden = make.player(hidden=True, given_name="Secundina", surname="Ocultada Nombre")
    for k in range(count):
        RatedPlayer.objects.create(
            name=f"Jugadora {k}", rating=2000 - k, player=hidden if k == count - 1 else None
        )


def row_count(client, address: str) -> int:
    return len(open_page(client, address).tables[0].rows)


@pytest.mark.parametrize("day", ["", "2026-11-20"])
def test_the_page_for_printing_has_every_row_with_its_rank(client, crowd, monkeypatch, day):
    post_points(*((player, 100) for player in crowd), day=date(2026, 11, 20))
    asked = {"a": day} if day else {}
    by_page = [row for number in (1, 2) for row in listed_records(client, pagina=number, **asked)]
    # Read the list in pieces, some of which end between tied players.
    monkeypatch.setattr(paging, "CHUNK", 50)
    whole = listed_records(client, entera=1, **asked)
    assert whole == by_page
    assert len(whole) == 53


def test_hidden_players_are_numbers_on_pages_for_printing_too(client, crowd):
    html = client.get(STANDING, {"entera": 1}).content.decode()
    assert crowd[-1].number in html
    assert "Secundina" not in html and "Ocultada" not in html


def test_the_rating_list_and_a_club_can_be_shown_on_one_page(client, crowd):
    rated(53)
    for address in (reverse("go_ratings"), crowd[0].club.get_absolute_url()):
        assert row_count(client, address) == 50
        assert "?entera=1" in open_page(client, address).addresses
        assert row_count(client, f"{address}?entera=1") == 53
        assert "Secundina" not in open_page(client, f"{address}?entera=1").html


def test_the_link_to_the_page_for_printing_keeps_the_filters(client, crowd):
    part = open_page(client, f"{STANDING}?lugar=presencial&pagina=2")
    assert "?lugar=presencial&entera=1" in part.addresses
    whole = open_page(client, f"{STANDING}?lugar=presencial&entera=1")
    assert "?lugar=presencial" in whole.addresses


def test_a_short_list_offers_no_page_for_printing(client, federation):
    assert "entera" not in open_page(client, STANDING).html


def test_a_list_that_is_too_long_for_printing_offers_the_file(client, crowd, monkeypatch):
    monkeypatch.setattr(tables, "MOST_PRINTED", 52)
    speak(client, "en")
    for address in (STANDING, f"{STANDING}?entera=1"):
        page = open_page(client, address)
        assert len(page.tables[0].rows) == 50
        assert "Too many rows to print on one page (53)" in page.text
        assert any("formato=csv" in item for item in page.addresses)
        assert "?entera=1" not in page.addresses
    monkeypatch.setattr(tables, "MOST_PRINTED", 53)
    assert row_count(client, f"{STANDING}?entera=1") == 53


def test_the_url_cannot_change_the_length_of_the_page_for_printing(client, crowd):
    assert row_count(client, f"{STANDING}?entera=1&filas=3&pagina=9") == 53


def test_search_engines_index_the_list_and_not_the_page_for_printing(client, crowd):
    whole = open_page(client, f"{STANDING}?entera=1")
    assert whole.the("meta", name="robots")["content"] == "noindex"
    assert not whole.all("link", rel="canonical")
    assert open_page(client, STANDING).all("link", rel="canonical")


def test_an_unchanged_page_for_printing_is_answered_with_304(client, crowd, today):
    first = client.get(STANDING, {"entera": 1})
    assert first.headers["ETag"] != client.get(STANDING).headers["ETag"]
    again = client.get(STANDING, {"entera": 1}, headers={"if-none-match": first.headers["ETag"]})
    assert again.status_code == 304
    post_points((crowd[0], 100), day=today)
    assert (
        client.get(STANDING, {"entera": 1}, headers={"if-none-match": first.headers["ETag"]}).status_code
        == 200
    )


@pytest.mark.parametrize("address", [f"{STANDING}?entera=1", f"{STANDING}?entera=1&a=2026-11-20"])
def test_the_number_of_queries_for_printing_does_not_grow_with_rows(client, today, address):
    club = make.club()
    add_to_lists(club, today)
    count = query_count(client, address)
    add_to_lists(club, today)
    add_to_lists(club, today)
    assert query_count(client, address) == count


def test_the_queries_for_printing_ratings_and_clubs_do_not_grow_with_rows(client, today):
    club = make.club()
    addresses = [reverse("go_ratings") + "?entera=1", club.get_absolute_url() + "?entera=1"]
    add_to_lists(club, today)
    rated(1)
    first = [query_count(client, address) for address in addresses]
    add_to_lists(club, today)
    add_to_lists(club, today)
    rated(2)
    assert [query_count(client, address) for address in addresses] == first


def test_the_printed_page_names_region_and_club(client, crowd):
    club = crowd[0].club
    speak(client, "en")
    page = open_page(client, f"{STANDING}?entera=1&region={club.region.slug}&club={club.slug}")
    notes = [item.text for item in page.all("p", class_="print-only")]
    (filters,) = (note for note in notes if note.startswith("in person and online"))
    assert filters.endswith(f"{club.region.name} · {club.name}")
