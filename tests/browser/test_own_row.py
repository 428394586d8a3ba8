"""The reader's own row of a standing on a telephone: it stays in sight and hides nothing that has focus."""

import pytest

from scoring.ledger.services import posting
from tests import factories as make

PHONE = {"width": 390, "height": 844}
OWN = 30  # the place of the reader among PLAYERS
PLAYERS = 45


@pytest.fixture
def standing(page, live_url, sign_in, transactional_db):
    """Open the standings of a category on a telephone, as a player in the middle of the first page."""
    players = make.players(PLAYERS, category="2P")
    rows = [
        posting.OpeningRow(player.pk, make.today(), "De antes", False, 9000 - 100 * place)
        for place, player in enumerate(players)
    ]
    posting.post_opening(rows, None)
    reader = players[OWN - 1]
    reader.user = make.user()
    reader.save()
    sign_in(reader.user)
    page.set_viewport_size(PHONE)
    page.emulate_media(reduced_motion="reduce")  # scroll at once
    page.goto(f"{live_url}/clasificaciones/2p/")
    page.locator("tr.own").wait_for()
    return page


def top_and_bottom(row) -> tuple[float, float]:
    box = row.bounding_box()
    return box["y"], box["y"] + box["height"]


def test_the_own_row_is_at_the_lower_edge_until_it_is_reached_and_then_at_the_upper(standing):
    own = standing.locator("tr.own")
    assert top_and_bottom(own)[1] == PHONE["height"]
    rows = standing.locator("table.fold tbody tr")
    rows.nth(OWN).evaluate("next => next.scrollIntoView({block: 'center'})")
    top, bottom = top_and_bottom(own)
    assert top > 0
    assert bottom < PHONE["height"]
    rows.last.evaluate("last => last.scrollIntoView({block: 'end'})")
    assert top_and_bottom(own)[0] == 0


def test_nothing_that_has_the_focus_is_behind_the_own_row(standing):
    own, rows = standing.locator("tr.own"), standing.locator("table.fold tbody tr")
    for order, key in ((range(OWN - 1), "Tab"), (range(PLAYERS - 1, OWN, -1), "Shift+Tab")):
        standing.evaluate("y => window.scrollTo(0, y)", 0 if key == "Tab" else 10_000)
        rows.nth(order[0]).locator("a" if key == "Tab" else "summary").focus()
        for _row in order:
            for _stop in ("the name", "the rest"):
                focused = standing.locator(":focus").bounding_box()
                top, bottom = top_and_bottom(own)
                assert focused["y"] + focused["height"] <= top or focused["y"] >= bottom
                standing.keyboard.press(key)
