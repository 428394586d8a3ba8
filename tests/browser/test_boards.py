"""The pages of a tournament's boards in Chromium: accessible, not too wide, and usable by keyboard."""

from random import Random

import pytest

from scoring.demo.session import play_session
from scoring.strength.services import store_figures
from tests import factories
from tests.browser.conftest import overflow_width, page_problems
from tournaments import boards
from tournaments.boards import BoardRow
from tournaments.models import Tournament

SMALL = """
[...document.querySelectorAll("main *")]
  .filter(element => [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
  .filter(element => parseFloat(getComputedStyle(element).fontSize) < 16)
  .map(element => element.outerHTML)
"""


@pytest.fixture
def tournament(transactional_db) -> Tournament:
    """Return a scored pool of eight pairs with hands, results of boards and percentages."""
    scored = factories.scored(*factories.pairs(factories.players(16, category="2P")))
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
    shares = [pair.percentage for pair in played.ranking]
    for pair in played.ranking:
        place = 1 + sum(share > pair.percentage for share in shares)
        scored.published.contestants.filter(position=pair.number).update(
            percentage=pair.percentage, place=place
        )
    store_figures(scored.published)
    return scored


@pytest.mark.parametrize("path", ["", "manos/", "manos/2/", "tarjetas/1/", "fuerza/"])
def test_the_pages_of_boards_are_accessible_and_not_too_wide(page, live_url, tournament, path):
    assert page.goto(live_url + tournament.get_absolute_url() + path).status == 200
    assert page_problems(page) == []


@pytest.mark.parametrize("path", ["", "manos/", "manos/2/", "tarjetas/1/"])
def test_no_letters_are_smaller_than_16_pixels(page, live_url, tournament, path):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(live_url + tournament.get_absolute_url() + path)
    assert page.evaluate(SMALL) == []


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


class Clicks:
    """Counts the clicks of a director who corrects a board, and types only a number."""

    def __init__(self, page) -> None:
        self.page, self.count = page, 0

    def __call__(self, selector: str) -> None:
        self.count += 1
        self.page.locator(selector).first.click()
        self.page.wait_for_load_state()


def test_a_board_is_corrected_with_six_clicks(page, live_url, sign_in, tournament):
    sign_in(factories.director(tournament.club))
    page.goto(live_url + tournament.get_absolute_url())
    click = Clicks(page)
    click("main a.btn[href$='/manos/']")
    click("main table a[href$='/manos/2/']")
    assert page_problems(page) == []
    page.set_viewport_size({"width": 320, "height": 900})
    assert overflow_width(page) == 0
    click("td a[href*='/resultados/manos/']")
    assert page_problems(page) == []
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert overflow_width(page) == 0
    click("#id_tricks")  # a list opens: the arrow keys choose
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    click("main form button.btn-primary")
    assert page_problems(page) == []
    assert page.locator("main table del").count() > 0
    click("main form button.btn-primary")
    assert "/recibo/" in page.url
    assert click.count == 6
