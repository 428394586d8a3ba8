"""No page lists all clubs: neither a select, which becomes a text box, nor a list, which has pages."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Club
from tests.access import world as worlds
from tests.access.matrix import MATRIX
from tests.pages import open_page
from tests.undone import rolled_back

PAGE = 100  # clubs that the longest list of a page has
NAME = re.compile(rb"Zzclub [0-9]+")


@pytest.fixture(scope="module")
def built(django_db_setup, django_db_blocker):
    with rolled_back(django_db_blocker):
        world = worlds.build()
        region = Club.objects.first().region
        Club.objects.bulk_create(
            Club(code=f"Z{number}", name=f"Zzclub {number}", city="Villa Nueva", region=region)
            for number in range(300)
        )
        yield world


@pytest.fixture
def world(built, db):
    return built


def test_no_page_mentions_more_than_a_page_of_clubs(world):
    long = set()
    for actor in ("nobody", "office", "committee", "region_admin", "player"):
        client = Client()
        if world.accounts.get(actor):
            client.force_login(world.accounts[actor])
        for name, page in MATRIX.items():
            response = client.get(reverse(name, args=page.args(world)), page.query)
            is_page = response.headers.get("Content-Type", "").startswith("text/html")
            if is_page and len(set(NAME.findall(response.content))) > PAGE:
                long.add(name)
    assert long == set()


FILTERS = {
    "standing": ["2p"],
    "tournaments": [],
    "calendar": [],
    "corrections": [],
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_club_is_chosen_by_typing_its_name_or_code(world, client, english, name):
    address, club = reverse(name, args=FILTERS[name]), Club.objects.get(code="Z77")
    for text in (club.slug, "z77", "ZZCLUB 77", club.label, "zzclub 77 nueva"):
        page = open_page(client, address, club=text)
        assert page.the("input", name="club")["value"] == "Zzclub 77 (Z77)" and not page.context["left_out"]
    several = open_page(client, address, club="7 zzclub", q="a")
    assert several.the("input", name="club")["value"] == "7 zzclub"
    assert "may be several clubs, so all are listed" in several.text and "…" in several.text
    link = several.link("Zzclub 7 (Z7)")
    assert "club=z7-zzclub-7" in link and "q=a" in link
    assert "No club is called “xyz”" in open_page(client, address, club="xyz").text


def test_a_form_resolves_what_was_typed(world, client, english):
    client.force_login(world.accounts["office"])
    address = reverse("office_tournaments")
    assert open_page(client, address, club="z77").the("input", name="club")["value"] == "z77"
    page = open_page(client, address, club="7 zzclub")
    assert "Write the code of one of them: Zzclub 7 (Z7)" in page.text
    assert "No club to choose has this name or code" in open_page(client, address, club="xyz").text


def test_clubs_are_proposed_while_one_types(world, client):
    options = client.get(reverse("clubs_like"), {"q": "nueva zzclub 29"}).json()["options"]
    assert options[0] == {"value": "Zzclub 29 (Z29)", "name": "Zzclub 29", "note": "Z29, Villa Nueva"}
    assert len(options) == 8 and client.get(reverse("clubs_like"), {"q": ""}).json()["options"] == []


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("zzclub 29", "There are more: type more of the name."),
        ("zzclub 123", "1 club"),
        ("xyz", "No club has this name."),
    ],
)
def test_the_box_says_how_many_clubs_may_be_meant(world, client, english, text, status):
    assert client.get(reverse("clubs_like"), {"q": text}).json()["status"] == status


def test_the_list_of_clubs_has_pages_and_a_search(world, client, english):
    page = open_page(client, reverse("clubs"), pagina="2")
    assert page.lead.startswith("30") and len(NAME.findall(page.response.content)) <= PAGE
    assert open_page(client, reverse("clubs"), q="zzclub 123").lead.startswith("1 club in 1 region")
