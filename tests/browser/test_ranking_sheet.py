"""The ranking alone, as Chromium prints it."""

import re

import pytest

from tests import factories as make

LINES = 45  # as the page promises


@pytest.mark.django_db(transaction=True)
def test_a_ranking_is_printed_on_one_sheet(page, live_url):
    players = make.players(2 * LINES, category="2P", surname="de la Fuente y Martínez-Almeida")
    tournament = make.scored(*make.pairs(players), end_date=make.today(), name="Pool de los viernes del club")
    page.goto(f"{live_url}{tournament.get_absolute_url()}imprimir/")
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
