"""Pages for those who do not see them as drawn: in forced colours, read aloud, by the keyboard alone."""

from collections import defaultdict

import pytest

from tests import factories as make
from tests.browser.conftest import watched_page
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 390, "height": 844}
COLOUR = """name => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.setProperty("color", name);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}"""
STYLE = "(at, name) => getComputedStyle(at)[name]"
# The name of the element with the focus, its outline, and whether it is in the window.
FOCUSED = """() => {
  const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
  const shown = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  return [at.innerText || at.name || at.tagName, `${style.outlineStyle} ${style.outlineWidth}`, shown];
}"""


@pytest.fixture
def reader():
    """A player with points in a category where others have some too, and an account."""
    players = make.players(8, club=make.club(), category="2P")
    make.scored(*make.pairs(players), of=players[0].club, boards=24)
    players[0].user = make.user()
    players[0].save()
    return players[0]


def spoken(page) -> dict[str, list[str]]:
    """Return {role: names} of what Chromium gives to assistive technology, in reading order."""
    devtools = page.context.new_cdp_session(page)
    result = defaultdict(list)
    for node in devtools.send("Accessibility.getFullAXTree")["nodes"]:
        if not node.get("ignored"):
            result[node["role"]["value"]].append(node.get("name", {}).get("value", ""))
    return result


def heard_rows(page, caption: str) -> list[list[tuple[str, str]]]:
    """Return the rows of a table as Chromium gives them to a screen reader: (role, name) of their cells.

    Cells without a name are counted too: a screen reader finds the heading of a cell by its place in the row.

    caption: how the table's name begins
    """
    devtools = page.context.new_cdp_session(page)
    nodes = {node["nodeId"]: node for node in devtools.send("Accessibility.getFullAXTree")["nodes"]}

    def heard(node: dict):
        for child in node.get("childIds", ()):
            if nodes[child].get("ignored"):
                yield from heard(nodes[child])
            else:
                yield nodes[child]

    def within(node: dict, role: str):
        for child in heard(node):
            if child["role"]["value"] == role:
                yield child
            else:
                yield from within(child, role)

    def named(node: dict) -> tuple[str, str]:
        return node["role"]["value"], node.get("name", {}).get("value", "")

    tables = [node for node in nodes.values() if named(node)[0] == "table" and not node.get("ignored")]
    table = next(node for node in tables if named(node)[1].startswith(caption))
    cells = {"cell", "columnheader", "rowheader"}  # not the words before the links that sort
    rows = ([named(child) for child in heard(row)] for row in within(table, "row"))
    return [[cell for cell in row if cell[0] in cells] for row in rows]


@pytest.mark.parametrize("chosen", ["light", "dark"])
def test_forced_colours_reach_drawings_and_marks_in_both_themes(browser, live_url, reader, chosen):
    for page in watched_page(browser, live_url, forced_colors="active", color_scheme="dark"):
        page.goto(reader.get_absolute_url())
        page.evaluate("theme => { document.documentElement.dataset.bsTheme = theme }", chosen)
        line = page.locator(".plot .wide .line").first
        assert line.evaluate(STYLE, "stroke") == page.evaluate(COLOUR, "Highlight")
        assert page.locator(".plot .wide .mark").first.evaluate(STYLE, "stroke") == page.evaluate(
            COLOUR, "CanvasText"
        )
        here = page.locator(".site-nav a[aria-current]").first
        assert "underline" in here.evaluate(STYLE, "textDecorationLine")


def test_tables_and_plots_keep_their_roles_and_names_on_a_telephone(page, live_url, reader):
    page.set_viewport_size(PHONE)
    page.goto(f"{live_url}/clasificaciones/2p/")
    result = spoken(page)
    assert [name for name in result["table"] if name.startswith("Puntos de los 12 meses")]
    assert len(result["row"]) >= 8
    assert reader.full_name in result["rowheader"]
    page.goto(live_url + reader.get_absolute_url())
    before = spoken(page)
    plots = [name for name in before["image"] if name.startswith("Puntos de los últimos 12 meses Hoy ")]
    assert len(plots) == 1  # the drawing for wide windows is silent
    page.get_by_text("Los datos en una tabla").first.focus()
    page.keyboard.press("Enter")
    data = spoken(page)
    assert "Puntos de los últimos 12 meses" in data["table"]
    assert len(data["rowheader"]) > len(before["rowheader"])


def test_on_a_telephone_each_cell_has_the_place_of_its_heading(page, live_url, reader):
    page.set_viewport_size(PHONE)
    for address, caption, name, opener in (
        ("/clasificaciones/2p/", "Puntos", "Jugador", f"Más de {reader.full_name}"),
        (
            Tournament.objects.get().get_absolute_url(),
            "",
            "Jugadores",
            f"Más de {reader.full_name} 2 de picas – ",
        ),
        (f"{reader.get_absolute_url()}resultados/", "", "Torneo y pareja", "Más de Pool "),
    ):
        page.goto(live_url + address)
        heads, row, *_others = heard_rows(page, caption)
        places = {heading: at for at, (_role, heading) in enumerate(heads)}
        assert row[places[name]][0] == "rowheader"
        assert row[places["Puntos"]][1].startswith("7,97")
        assert len(row) == len(heads)
        assert row[-1][1].startswith(opener)
    page.goto(f"{live_url}/clasificaciones/2p/")
    folded = heard_rows(page, "Puntos")[1]
    page.locator("table.fold summary").first.click()
    heads, opened, *_others = heard_rows(page, "Puntos")
    places = {heading: at for at, (_role, heading) in enumerate(heads)}
    assert (folded[places["Presencial"]][1], opened[places["Presencial"]][1]) == ("", "Presencial 7,97")


def tab_to(page, text: str) -> None:
    """Press Tab until the focus is on the control with this text. It has to be visible at every stop."""
    for _stop in range(60):
        page.keyboard.press("Tab")
        label, ring, shown = page.evaluate(FOCUSED)
        assert (ring, shown) == ("solid 3px", True), label
        if text in label:
            return
    raise AssertionError(f"the keyboard does not reach {text}")


def enter(page) -> None:
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_the_keyboard_alone_leads_from_the_search_to_a_receipt_and_back(page, live_url, reader):
    page.goto(live_url)
    tab_to(page, "q")
    page.keyboard.type(reader.surname)
    enter(page)
    if page.url.rstrip("/").split("/")[-2] != "jugadores":
        tab_to(page, reader.surname)
        enter(page)
    assert page.locator("h1").inner_text().startswith(reader.full_name)
    tab_to(page, str(page.locator("main table a[href*='/puntos/']").first.inner_text()))
    enter(page)
    assert "/puntos/" in page.url
    page.go_back()
    assert page.locator("h1").inner_text().startswith(reader.full_name)


def test_the_keyboard_alone_leads_to_a_complaint_about_a_tournament(page, live_url, reader, sign_in):
    sign_in(reader.user)
    page.goto(live_url)
    page.wait_for_selector(".menu summary")
    tab_to(page, reader.given_name)
    page.keyboard.press("Enter")
    tab_to(page, "Mis puntos")
    enter(page)
    tab_to(page, "Avisar")
    enter(page)
    assert page.locator("main form textarea").count() == 1
