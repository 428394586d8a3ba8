"""The engine gives every number of the tables printed in the AEB documents."""

from decimal import Decimal

import pytest

from scoring.engine.types import Contestant, Event
from scoring.regulations import get, of_family
from tests.scoring.engine.support import category_code, check_row, golden, golden_of

AEB_2022 = get("aeb-2022")
AEB = of_family("aeb")
VENUE_OF = {Decimal("1"): "in_person", Decimal("0.5"): "online_supervised", Decimal("0.25"): "online"}
# By the label of an event type in tables 3 to 7: the prefix of the code that the project uses for it.
CODES_OF = {
    "Club": "pool",
    "BBO": "pool",
    "Funbridge": "pool",
    "Aut.": "regional",
    "Nac.": "national",
    "Zonal": "zonal",
    "Mix/Dam": "mixed_women_teams_",
    "Sel. Open": "selection_open",
    "Sel.": "selection_mixed_women_senior",
    "Par.": "pairs_championship_",
    "Eq.": "teams_championship_",
}
POINT_TABLES = [row for number in range(3, 8) for row in golden("aeb_2022", f"table{number}")]


def row_of_c1(cell):
    prefix = next(code for start, code in CODES_OF.items() if cell["column"].startswith(start))
    rows = [r for r in AEB_2022.event_types.rows if r.code.startswith(prefix)]
    (result,) = (r for r in rows if r.value == Decimal(cell["C1"]))
    return result


def scored(cell):
    n = Decimal(cell["n"])
    if cell["mode"].startswith("individual"):
        event_format, count = "individual", n * 2
    elif cell["mode"] == "teams":
        event_format, count = "teams", n / 2
    else:
        event_format, count = "pairs", n
    positions = {"first": Decimal(1), "middle": (n + 1) / 2, "last": n}
    event = Event(
        event_type=row_of_c1(cell).code,
        format=event_format,
        boards=int(cell["m"]),
        venue=VENUE_OF[Decimal(cell["C5"])],
        c4=Decimal(cell["cat"]),
        contestant_count=int(count),
        contestants=tuple(Contestant(id=name, i=i) for name, i in positions.items()),
    )
    return AEB_2022.score(event)


@pytest.mark.parametrize("cell", POINT_TABLES, ids=lambda c: f"{c['table']}-{c['column']}-{c['quantity']}")
def test_the_engine_gives_every_number_of_the_points_tables(cell):
    result = scored(cell)
    if cell["quantity"] in result.coefficients:
        check_row(cell, result.coefficients[cell["quantity"]])
    else:
        (award,) = (a for a in result.awards if a.contestant == cell["quantity"])
        assert cell["status"] == "ok"
        assert award.points == Decimal(cell["published"]) * 100


def test_the_golden_files_contain_every_points_table():
    assert len(POINT_TABLES) == 30 + 35 + 35 + 25 + 42


@pytest.mark.parametrize("regulation", AEB, ids=str)
def test_c1_of_every_event_type_is_the_printed_one(regulation):
    printed = golden_of(regulation, "table1_C1")
    assert [row.value for row in regulation.event_types.rows] == [Decimal(row["C1"]) for row in printed]


@pytest.mark.parametrize("regulation", AEB, ids=str)
def test_c4_of_every_category_is_the_printed_one(regulation):
    printed = {
        category_code(row["category"]): Decimal(row["C4"]) for row in golden_of(regulation, "table2_C4")
    }
    assert {row.code: row.value for row in regulation.categories.rows} == printed


@pytest.mark.parametrize("regulation", AEB, ids=str)
def test_c4_rises_with_the_category(regulation):
    values = [row.value for row in regulation.categories.rows]
    assert values == sorted(values)
