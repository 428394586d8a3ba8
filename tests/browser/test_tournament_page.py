"""The page of a tournament, on screen and on paper."""

import re

import pytest

from tests import factories as make

A4 = {"width": 688, "height": 1000}  # the print area of A4 with margins of 14 mm, in CSS pixels


@pytest.fixture
def address(transactional_db, live_url) -> str:
    """Return the address of a scored pool of twelve pairs."""
    players = make.players(24, category="2P", surname="de la Fuente Hernández")
    return live_url + make.scored(*make.pairs(players), end_date=make.today()).get_absolute_url()


def sheets(printed: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", printed))


def test_a_tournament_is_printed_on_two_sheets(page, address):
    page.goto(address)
    assert sheets(page.pdf(prefer_css_page_size=True)) <= 2


def test_a_printed_chart_has_letters_as_large_as_the_text(page, address):
    page.set_viewport_size(A4)
    page.emulate_media(media="print")
    page.goto(address)
    heights = page.locator("aside .plot svg:visible text").evaluate_all(
        "texts => texts.map(text => text.getBoundingClientRect().height)"
    )
    line = page.locator("aside .facts dd").first.evaluate("fact => fact.getBoundingClientRect().height")
    assert heights
    assert max(heights) <= line


def test_a_pair_of_a_ranking_stays_on_two_lines(page, transactional_db, live_url):
    players = make.players(8, category="2P", given_name="Eugenia Nieves", surname="Caballero Parra")
    tournament = make.scored(*make.pairs(players), end_date=make.today())
    for place, contestant in enumerate(tournament.published.contestants.order_by("position")):
        contestant.percentage = 60 - 5 * place
        contestant.save()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(live_url + tournament.get_absolute_url())
    assert page.locator("table .stem").count() == 4
    persons = page.locator("table th .person")
    heights = persons.evaluate_all("names => names.map(name => name.getBoundingClientRect().height)")
    assert len(heights) == 8
    assert max(heights) < 30
