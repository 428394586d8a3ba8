"""While a window holds points of both AEB scales, the pages that add them up say so."""

from datetime import date

import pytest
from django.urls import reverse
from django.utils import translation

from scoring.wording import two_scales
from tests import factories

from .conftest import TODAY

SENTENCE = "the 12 months hold points of AEB 2022 and of AEB 2026"


@pytest.mark.parametrize(
    ("day", "holds"),
    [
        (date(2025, 12, 31), False), (date(2026, 1, 1), True), (date(2026, 12, 30), True),
        (date(2026, 12, 31), False), (date(2022, 6, 1), False),
    ],
)  # fmt: skip
def test_a_window_holds_both_until_the_last_award_of_the_older_one_leaves(day, holds):
    with translation.override("en"):
        text = two_scales(day)
    assert (SENTENCE in text) == holds
    assert ("30 Dec 2026" in text) == holds


@pytest.mark.django_db
def test_standings_and_pages_of_players_say_so(client):
    factories.scored(*factories.pairs(players := factories.players(8, category="2P")), end_date=TODAY)
    client.cookies["django_language"] = "en"
    url = reverse("standing", args=["2p"])
    for address in (url, players[0].get_absolute_url()):
        assert SENTENCE in client.get(address).content.decode()
    assert SENTENCE not in client.get(url, {"a": "2025-12-31"}).content.decode()
