"""While 12-month totals include points of both AEB 2022 and AEB 2026, the pages that show them say so."""

from datetime import date

import pytest
from django.urls import reverse
from django.utils import translation

from scoring.ledger.wording import two_scales
from tests import factories
from tests.languages import speak

SENTENCE = "the 12 months hold points of AEB 2022 and of AEB 2026"


@pytest.mark.parametrize(
    ("day", "holds"),
    [
        (date(2025, 12, 31), False),
        (date(2026, 1, 1), True),
        (date(2026, 12, 30), True),
        (date(2026, 12, 31), False),
        (date(2022, 6, 1), False),
    ],
)
def test_both_regulations_are_mentioned_until_the_last_older_award_expires(day, holds):
    with translation.override("en"):
        text = two_scales(day)
    assert (SENTENCE in text) == holds
    assert ("30 Dec 2026" in text) == holds


@pytest.mark.django_db
def test_standings_and_players_pages_say_that_totals_mix_two_regulations(client, today):
    factories.scored(*factories.pairs(players := factories.players(8, category="2P")), end_date=today)
    speak(client, "en")
    url = reverse("standing", args=["2p"])
    for address in (url, players[0].get_absolute_url()):
        assert SENTENCE in client.get(address).content.decode()
    assert SENTENCE not in client.get(url, {"a": "2025-12-31"}).content.decode()


@pytest.mark.django_db
def test_lists_of_players_with_points_say_that_totals_mix_two_regulations(client, federation):
    speak(client, "en")
    word = federation.players[0].given_name
    lists = [
        reverse("players"),
        f"{reverse('players')}?q={word}",
        federation.club.get_absolute_url(),
        f"{reverse('search')}?q={word}",
    ]
    for address in lists:
        html = client.get(address).content.decode()
        assert "Points of 12 months" in html and html.count(SENTENCE) == 1, address


@pytest.mark.django_db
def test_an_empty_list_of_players_does_not_mention_two_regulations(client, federation):
    speak(client, "en")
    for name in ("players", "search"):
        assert SENTENCE not in client.get(reverse(name), {"q": "zzzz"}).content.decode()
