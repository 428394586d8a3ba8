"""The pages of a tournament's boards in Chromium: accessible, not too wide, and usable by keyboard."""

from random import Random

import pytest

from scoring.demo.session import play_session
from scoring.strength.services import store_figures
from tests import factories as make
from tests.browser.conftest import page_problems
from tournaments import boards
from tournaments.boards import BoardRow
from tournaments.models import Tournament


@pytest.fixture
def tournament(transactional_db) -> Tournament:
    """Return a scored pool of eight pairs with hands, results of boards and percentages."""
    scored = make.scored(*make.pairs(make.players(16, category="2P")))
    played = play_session([()] * 8, [0.0] * 8, 6, Random(7))
    rows = [
        BoardRow(
            line.board,
            "",
            line.ns,
            line.ew,
            line.score,
            contract=line.play.contract,
            declarer=line.play.declarer,
            lead=line.play.lead,
            tricks=line.play.tricks,
        )
        for line in played.travellers
    ]
    boards.store_boards(scored.published, boards.MATCHPOINTS, rows)
    boards.store_deals(scored.published, played.deals, rows)
    for pair in played.ranking:
        scored.published.contestants.filter(position=pair.number).update(percentage=pair.percentage)
    store_figures(scored.published)
    return scored


@pytest.mark.parametrize("path", ["", "manos/", "manos/2/", "tarjetas/1/", "fuerza/"])
def test_the_pages_of_boards_are_accessible_and_not_too_wide(page, live_url, tournament, path):
    assert page.goto(live_url + tournament.get_absolute_url() + path).status == 200
    assert page_problems(page) == []


def test_boards_are_walked_by_keyboard(page, live_url, tournament):
    address = live_url + tournament.get_absolute_url()
    page.goto(f"{address}manos/1/")
    page.locator(".board-numbers a[aria-current]").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}manos/2/")
    page.locator("a[rel=next]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}manos/3/")


def test_names_and_leads_are_for_wide_screens(page, live_url, tournament):
    page.goto(f"{live_url}{tournament.get_absolute_url()}manos/1/")
    shown = {}
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        shown[width] = [page.locator(f"td.{name}").first.is_visible() for name in ("roomy-only", "key")]
    assert shown == {390: [False, True], 1280: [True, True]}
