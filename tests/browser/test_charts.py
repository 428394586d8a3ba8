"""The table of figures below a chart fits a phone."""

import pytest

from tests import factories
from tests.browser.conftest import PHONE, overflow_width


@pytest.mark.django_db(transaction=True)
def test_the_table_below_a_chart_fits_on_a_phone(page):
    players = factories.players(8)
    factories.scored(*factories.pairs(players))
    page.set_viewport_size(PHONE)
    page.goto(players[0].get_absolute_url())
    table = page.locator("table.stays", has_text="Si no se juega más")
    assert not table.is_visible()
    page.evaluate("document.querySelectorAll('main details').forEach(each => { each.open = true })")
    assert table.is_visible()
    assert overflow_width(page) == 0
