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
SECRET = re.compile(rb"canary-[0-9]+@secret\.example|\b1907\b")


@pytest.fixture
def seeded(world):
    """Give all players of the federation an address and a year of birth that can be recognised."""
    players = list(Player.objects.all())
    for player in players:
        player.email, player.birth_year = f"canary-{player.pk}@secret.example", 1907
    Player.objects.bulk_update(players, ["email", "birth_year"])
    return world


def content_of(response) -> bytes:
    """Return what a response contains, with the parts of a workbook unpacked."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    if not body.startswith(b"PK"):
        return body
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return b"\n".join(archive.read(name) for name in archive.namelist())


def test_the_canaries_are_recognised(seeded):
    player = Player.objects.first()
    assert SECRET.search(player.email.encode()) and SECRET.search(str(player.birth_year).encode())


@pytest.mark.parametrize("actor", ACTORS)
def test_no_page_feed_or_file_shows_an_address_or_a_year_of_birth(seeded, actor):
    client = client_of(seeded, actor)
    shown = set()
    for name in NAMES:
        queries = [MATRIX[name].query]
        if name in LISTS:
            queries += [{**MATRIX[name].query, "formato": kind} for kind in exports.FORMATS]
        for query in queries:
            if SECRET.search(content_of(client.get(address(name, seeded), query))):
                shown.add((name, query.get("formato", "")))
    assert shown == set()
