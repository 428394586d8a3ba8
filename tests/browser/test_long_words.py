"""Words longer than any real one, in names, titles and reasons, break instead of widening the page."""

import pytest

from tests import factories as make
from tests.browser.conftest import overflow_width
from tests.browser.test_boards import tournament as with_boards  # noqa: F401
from tests.scoring.pages.test_corrections import correct

WORD = "Wolfeschlegelsteinhausenbergerdorffvoralternd"  # 45 letters
GIVEN_NAME, SURNAME = (WORD * 2)[:78], (WORD * 3)[:118]
OF_TOURNAMENT = ["", "manos/", "manos/2/", "tarjetas/1/", "imprimir/"]
OTHERS = ["/torneos/correcciones/", "/torneos/", "/clasificaciones/2p/", "/"]


@pytest.fixture
def scored(with_boards):  # noqa: F811
    """Return a corrected tournament. Its name, the reason and the names of a player are long."""
    for seat in with_boards.published.seats.select_related("player").order_by("pk")[:2]:
        seat.player.given_name, seat.player.surname = GIVEN_NAME, SURNAME
        seat.player.save()
    with_boards.published.contestants.filter(place=2).update(team_name=f"Equipo {WORD}")
    with_boards.name = f"Copa {WORD}"
    with_boards.save()
    with_boards.club.name = f"Club {WORD}"
    with_boards.club.save()
    pairs = make.pairs(make.players(8, category="2P"))
    other = make.scored(*pairs, of=with_boards.club, name=f"Copa {WORD}", end_date=make.today())
    correct(other, pairs[::-1], reason=f"Motivo {WORD * 4}")
    return with_boards


@pytest.mark.parametrize("width", [320, 390, 800, 1280])
def test_no_page_is_wider_than_the_window(page, live_url, scored, width):
    page.set_viewport_size({"width": width, "height": 900})
    player = scored.published.seats.order_by("pk").first().player
    paths = [scored.get_absolute_url() + path for path in OF_TOURNAMENT]
    paths += [player.get_absolute_url(), scored.club.get_absolute_url(), *OTHERS]
    if width != 800:  # too narrow for the columns of this page, whatever the names
        paths.append(f"{scored.get_absolute_url()}fuerza/")
    wider = {}
    for path in paths:
        assert page.goto(live_url + path).status == 200, path
        wider[path] = overflow_width(page)
    assert {path: pixels for path, pixels in wider.items() if pixels > 0} == {}
