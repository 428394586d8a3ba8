"""The details beside a player's figures."""

import pytest

from tests import factories as make

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_mark_of_a_licence_stands_before_its_first_word(page, live_url):
    player = make.player(category="3D")
    page.goto(live_url + player.get_absolute_url())
    light = page.locator("aside .facts .light").first
    assert light.evaluate("item => getComputedStyle(item).display") == "inline"
