"""The ranking alone, as Chromium prints it."""

import re

import pytest

from tests import factories as make

LINES = 45  # as the page promises


def printed(page, live_url, tournament) -> bytes:
    page.goto(f"{live_url}{tournament.get_absolute_url()}imprimir/")
    return page.pdf(prefer_css_page_size=True)


def count_sheets(document: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", document))


@pytest.mark.django_db(transaction=True)
def test_a_ranking_is_printed_on_one_sheet(page, live_url):
    players = make.players(2 * LINES, category="2P", surname="de la Fuente y Martínez-Almeida")
    tournament = make.scored(*make.pairs(players), end_date=make.today(), name="Pool de los viernes del club")
    assert count_sheets(printed(page, live_url, tournament)) == 1


@pytest.mark.django_db(transaction=True)
def test_a_long_ranking_is_printed_on_two_sheets_with_whole_rows_and_the_heading_on_both(page, live_url):
    people = [(player,) for player in make.players(96, surname="de la Fuente y Martínez-Almeida")]
    tournament = make.scored(*people, end_date=make.today(), format="individual")
    assert count_sheets(printed(page, live_url, tournament)) == 2
    # The text of a PDF is compressed: what Chromium repeats and keeps whole is read from the styles.
    page.emulate_media(media="print")
    style = "(element, name) => getComputedStyle(element)[name]"
    assert page.locator("table.baza tbody tr").count() == 96
    assert page.locator("table.baza thead").evaluate(style, "display") == "table-header-group"
    kept = page.locator("table.baza tbody tr").evaluate_all(
        "rows => rows.map(row => getComputedStyle(row).breakInside)"
    )
    assert set(kept) == {"avoid"}
    assert page.locator("table.baza").evaluate(style, "display") == "table"
