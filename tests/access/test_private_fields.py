"""E-mail addresses and years of birth of players: nobody but the office and the player ever reads them."""

import io
import re
import zipfile

import pytest

from players.models import Player
from tests.access.matrix import MATRIX
from tests.access.test_downloads import LISTS
from tests.access.test_matrix import NAMES, address, client_of
from ui import exports

ACTORS = ["nobody", "outsider", "club_admin", "region_admin", "committee", "auditor"]
ADDRESS = re.compile(rb"canary-[0-9]+@secret\.example")
# A page that shows the year shows the other one if it changes; a key or a number that looks like it stays.
YEARS = (1907, 1911)


@pytest.fixture
def seeded(world):
    """Give all players of the federation an address and a year of birth that can be recognised."""
    players = list(Player.objects.all())
    for player in players:
        player.email, player.birth_year = f"canary-{player.pk}@secret.example", YEARS[0]
    Player.objects.bulk_update(players, ["email", "birth_year"])
    return world


def content_of(response) -> bytes:
    """Return what a response contains, with the parts of a workbook unpacked."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    if not body.startswith(b"PK"):
        return body
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return b"\n".join(archive.read(name) for name in archive.namelist())


def has_canary(client, path: str, query: dict) -> bool:
    """Return whether a page or file shows an address, or the year of birth whatever it is."""

    def shows(year: int) -> bool:
        Player.objects.update(birth_year=year)
        content = content_of(client.get(path, query))
        return bool(ADDRESS.search(content) or re.search(rb"\b%d\b" % year, content))

    return all(map(shows, YEARS))


def test_the_canaries_are_recognised(seeded):
    client, person = client_of(seeded, "office"), address("person", seeded)
    assert has_canary(client, person, {})
    Player.objects.update(email="")
    assert has_canary(client, person, {})
    assert not has_canary(client_of(seeded, "nobody"), address("player", seeded), {})


@pytest.mark.parametrize("actor", ACTORS)
def test_no_page_feed_or_file_shows_an_address_or_a_year_of_birth(seeded, actor):
    client = client_of(seeded, actor)
    shown = set()
    for name in NAMES:
        queries = [MATRIX[name].query]
        if name in LISTS:
            queries += [{**MATRIX[name].query, "formato": kind} for kind in exports.FORMATS]
        for query in queries:
            if has_canary(client, address(name, seeded), query):
                shown.add((name, query.get("formato", "")))
    assert shown == set()
