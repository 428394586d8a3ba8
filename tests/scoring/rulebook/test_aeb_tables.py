"""Pages show the AEB's printed tables: the event types of table 1, and the points of tables 3 to 7."""

import re
from datetime import date
from decimal import Decimal

import pytest
from django.test import override_settings
from django.utils import translation
from django.utils.translation import gettext

from scoring import regulations
from scoring.ledger.receipts import receipt_of
from scoring.regulations.aeb_2022.printed import TABLES
from tests import factories
from tests.scoring.engine.support import golden, golden_of
from tests.scoring.rulebook.test_examples import page_of
from ui.text import fold

AEB_2022 = regulations.get("aeb-2022")
ABBREVIATED = {"camp.": "campeonato", "eq.": "equipos", "(o eq.)": "(o equivalente)"}
QUANTITIES = ("first", "middle", "last")


def words(label: str) -> set[str]:
    """Return the words of an event type's name, in the singular and without articles and prepositions."""
    matches = re.findall(r"\w+", fold(label))
    return {word.removesuffix("s") for word in matches} - {"de", "del", "por", "o", "la", ""}


def spelt_out(label: str) -> str:
    text = label.lower()
    for short in sorted(ABBREVIATED, key=len, reverse=True):
        text = text.replace(short, ABBREVIATED[short])
    return text


@pytest.mark.parametrize("regulation", regulations.of_family("aeb"), ids=str)
def test_tournament_types_have_the_names_of_the_document(regulation):
    printed = golden_of(regulation, "table1_C1")
    with translation.override("es"):
        shown = [gettext(row.label) for row in regulation.event_types.rows]
    assert len(printed) == len(shown)
    for row, label in zip(printed, shown, strict=True):
        named = words(spelt_out(row["event"]))
        assert named <= words(label) <= named | {"prueba"}, label


# --- Tables 3 to 7 --------------------------------------------------------------------------------------
def printed_points() -> dict[tuple[str, str], tuple[str, ...]]:
    """Return {(number of the table, tournament): printed points of the first, middle and last place}."""
    result: dict = {}
    for number in range(3, 8):
        for cell in golden("aeb_2022", f"table{number}"):
            result.setdefault((cell["table"], cell["column"]), {})[cell["quantity"]] = cell["published"]
    return {key: tuple(cells[name] for name in QUANTITIES) for key, cells in result.items()}


def hundredths(texts) -> tuple[int, ...]:
    return tuple(int(Decimal(text) * 100) for text in texts)


def test_the_page_has_every_printed_award():
    assert {(number, row.name): row.points for number, rows in TABLES.items() for row in rows} == (
        printed_points()
    )


def test_places_spread_evenly_give_every_printed_award():
    for rows in TABLES.values():
        for row in rows:
            assert row.computed(AEB_2022, "even") == hundredths(row.points), row.name


def test_the_texts_formula_gives_some_places_other_points_than_the_tables():
    same = differ = 0
    for rows in TABLES.values():
        for row in rows:
            pairs = zip(row.computed(AEB_2022, "text"), hundredths(row.points), strict=True)
            unlike = [name for name, (first, other) in zip(QUANTITIES, pairs, strict=True) if first != other]
            assert unlike == {"pairs": [], "teams": ["middle", "last"], "individual": ["middle"]}[row.format]
            differ += len(unlike)
            same += 3 - len(unlike)
    assert (same, differ) == (63, 33)


@pytest.mark.django_db
def test_the_page_shows_printed_and_computed_awards_with_the_ruling(client):
    page = page_of(client, "aeb-2022", "es")
    shown = {table.caption: table.rows for table in page.tables}
    rows = {row[0]: row[1:] for caption, lines in shown.items() for row in lines if len(row) == 6}
    assert len(rows) == 32
    assert rows["Zonal 1"] == ["145,92", "51,60", "64,86", "1,00", "18,88"]
    assert rows["Club 1"] == ["16,07", "4,34", "4,34", "0,10", "0,10"]
    assert "pendiente de confirmar" in page.text
    assert "Se aplica la fórmula del texto" in page.text
    with override_settings(PLACE_RULE="even"):
        assert "Los puestos se reparten por igual" in page_of(client, "aeb-2022", "es").text


@pytest.mark.django_db
@pytest.mark.parametrize("place_rule", ["text", "even"])
def test_the_setting_decides_the_points_of_the_last_of_three_teams(settings, place_rule):
    """The setting PLACE_RULE decides which points the last of three teams gets.

    In the tournament Zonal 1 of the printed table 5, the winner gets 145.92 points and the last team 18.88.
    The test scores such a tournament, whose strength of the field (C4) is another. With the rule `text`, the
    last team gets the same share of the winner's points as in the table. With `even` it gets the minimum.
    """
    settings.PLACE_RULE = place_rule
    teams = [factories.players(4, category="3D") for _ in range(3)]
    played = factories.scored(
        *teams, event_type="zonal", format="teams", boards=80, end_date=date(2025, 5, 1)
    )
    points = dict(played.entries.values_list("player_id", "points"))
    first, of_last = points[teams[0][0].pk], points[teams[2][0].pk]
    assert of_last == (100 if place_rule == "even" else pytest.approx(1888 * first / 14592, abs=40))
    run = played.runs.get()
    assert ("place_rule" in run.inputs[0]["event"]) == (place_rule == "even")
    settings.PLACE_RULE = "text"  # the receipt still uses the setting with which the tournament was scored
    entry = played.entries.get(player=teams[2][0])
    receipt = receipt_of(entry, "es")
    assert receipt.agrees
    (line,) = (item for item in receipt.lines if item.key == "i")
    assert line.formula == ("i = 1 + (k − 1)·(n − 1)/(N − 1)" if place_rule == "even" else "i = 2·k − 1")
    assert line.working.endswith("= 6" if place_rule == "even" else "= 5")
