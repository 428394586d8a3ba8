"""Names of hidden players, seeded wherever the test federation stores people, are on no page of outsiders.

The federation of the access tests has players in rankings, boards, lists of a year-end change, ratings of Go,
cases, notices, merges, duplicates, drafts and imported lists. All of them are hidden here.
"""

import re

import pytest
from django.core import mail

from players.models import Player
from players.services.changes import send_players_changed
from scoring.letters.composing import texts_of
from scoring.letters.models import Notice
from scoring.ratings.models import RatedPlayer
from tests.access.matrix import MATRIX
from tests.access.test_downloads import LISTS
from tests.access.test_matrix import NAMES, address, client_of
from tests.access.test_private_fields import content_of
from tournaments.models import Seat
from ui import exports
from ui.shared import is_shared

# The link in a letter, which only the person has, opens a page that greets them by name.
OWN_LINK = "sign_up_finish"
OUTSIDERS = ["nobody", "outsider", "far_director", "far_club_admin", "far_region_admin"]
CANARY = re.compile("canariaxq|ocultarez", re.IGNORECASE)


@pytest.fixture
def seeded(world):
    """Give all players a name that can be recognised, link the Go players to the register, and hide them.

    The players of each ranking sit in it once more, as guests with their names.
    """
    players = list(Player.objects.all())
    linked = RatedPlayer.objects.filter(player=None)
    for rated, player in zip(linked, players, strict=False):
        rated.player = player
        rated.name, rated.given_name = f"Ocultarez{player.pk} Canariaxq", "Canariaxq"
        rated.save()
    for player in players:
        player.given_name, player.surname, player.hidden = "Canariaxq", f"Ocultarez{player.pk}", True
        player.derive_from_name()
    Player.objects.bulk_update(players, ["given_name", "surname", "hidden", "search_text", "sort_key"])
    for seat in Seat.objects.exclude(player=None).select_related("player", "contestant")[:4]:
        Seat.objects.create(
            revision_id=seat.revision_id,
            contestant=seat.contestant,
            position=seat.contestant.seats.count() + 1,
            guest_name=f"{seat.player.given_name} {seat.player.surname}",
        )
    send_players_changed({player.pk for player in players})
    return world


def test_the_canaries_are_seen_by_the_office(seeded):
    """The pages of outsiders would prove nothing if nobody saw the names."""
    client = client_of(seeded, "office")
    seen = [
        name
        for name in NAMES
        if CANARY.search(content_of(client.get(address(name, seeded))).decode(errors="replace"))
    ]
    assert len(seen) >= 10


@pytest.mark.parametrize("actor", OUTSIDERS)
def test_no_page_feed_or_file_of_outsiders_shows_a_hidden_name(seeded, actor):
    client = client_of(seeded, actor)
    shown = set()
    for name in set(NAMES) - {OWN_LINK}:
        if actor != "nobody" and is_shared(address(name, seeded)):
            continue  # the same bytes for everybody, see test_shared.py
        queries = [MATRIX[name].query]
        if name in LISTS:
            queries += [{**MATRIX[name].query, "formato": kind} for kind in exports.FORMATS]
        for query in queries:
            response = client.get(address(name, seeded), query)
            texts = [content_of(response).decode(errors="replace"), *response.headers.values()]
            if any(CANARY.search(text) for text in texts):
                shown.add((name, query.get("formato", "")))
    assert shown == set()


def test_no_notice_or_letter_to_others_names_a_hidden_player(seeded):
    others = Notice.objects.exclude(account__player__isnull=False).select_related("account")
    assert others
    for notice in others:
        for text in texts_of(notice.account, [notice]).values():
            assert not CANARY.search(" ".join([text.subject, *text.paragraphs, text.path]))
    assert not any(CANARY.search(str(message.message())) for message in mail.outbox)


@pytest.mark.parametrize("indexed", [False, True])
def test_pages_with_names_ask_search_engines_to_stay_away(seeded, settings, indexed):
    """Nobody is hidden here: what shows a name must not be indexed, unless the federation says so."""
    settings.INDEX_NAMES = indexed
    Player.objects.update(hidden=False)
    send_players_changed(Player.objects.values_list("pk", flat=True))
    client = client_of(seeded, "nobody")
    with_names = 0
    for name in set(NAMES) - {OWN_LINK}:
        response = client.get(address(name, seeded), MATRIX[name].query)
        if response.status_code == 200 and CANARY.search(content_of(response).decode(errors="replace")):
            with_names += 1
            assert ("X-Robots-Tag" in response.headers) != indexed, name
    assert with_names >= 8


def test_pages_without_names_are_indexed(client, db):
    for path in ("/privacidad/", "/reglamento/", "/ayuda/", "/robots.txt"):
        response = client.get(path)
        assert response.status_code == 200
        assert "X-Robots-Tag" not in response.headers
    assert "Disallow: /mi/" in client.get("/robots.txt").content.decode()
