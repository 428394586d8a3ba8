"""The engine gives every number printed in SBF 2019.

Of the tables from before 2020, whose formula is unknown, only the sums are checked.
"""

from decimal import Decimal
from fractions import Fraction

import pytest

from scoring.engine.errors import EngineError
from scoring.engine.rounding import decimal_of
from scoring.engine.types import Contestant
from scoring.regulations import get
from scoring.regulations.sbf_2019.rules import SbfEvent
from tests.scoring.engine.support import check_row, golden

BRONZE, SILVER = get("sbf-2019-bronze"), get("sbf-2019-silver")
FIRST = (Contestant("1", place=1),)
PLACES = [
    (table, row)
    for table, names in {"A": ("A20", "A30", "A525"), "AY": ("AY525", "AY_fixed")}.items()
    for name in names
    for row in golden("sbf_2019", f"table_{name}")
]
OLD = golden("sbf_2019", "old_tables")


def bronze(pairs, table="AY"):
    event = SbfEvent(contestants=FIRST, contestant_count=int(pairs), decimals=0, places_table=table)
    return BRONZE.ladder(event)


def silver(row):
    pairs, boards = int(row["pairs"]), int(row["boards"])
    return SILVER.ladder(SbfEvent(contestants=FIRST, contestant_count=pairs, decimals=1, boards=boards))


def by_id(row):
    return row["id"] if isinstance(row, dict) else None


@pytest.mark.parametrize("row", golden("sbf_2019", "bronze_winner"), ids=by_id)
def test_winners_get_the_printed_bronze_points(row):
    check_row(row, decimal_of(bronze(row["pairs"]).at(1)))


@pytest.mark.parametrize("row", golden("sbf_2019", "factor"), ids=by_id)
def test_the_factor_between_places_is_the_printed_fraction(row):
    assert row["status"] == "ok"
    event = SbfEvent(contestants=FIRST, contestant_count=int(row["pairs"]), decimals=0)
    assert BRONZE.factor(event) == Fraction(row["published_fraction"])


@pytest.mark.parametrize(("table", "row"), PLACES, ids=by_id)
def test_every_place_gets_the_bronze_points_of_the_printed_tables(table, row):
    ladder = bronze(row["pairs"], table)
    if row["rank"] == "depth":
        check_row(row, Decimal(ladder.paid))
    elif row["rank"] == "sum":
        points = sum(ladder.points(ladder.at(k)) for k in range(1, ladder.paid + 1))
        check_row(row, Decimal(points) / 100)
    else:
        check_row(row, decimal_of(ladder.at(int(row["rank"]))))


@pytest.mark.parametrize("row", golden("sbf_2019", "silver_winner"), ids=by_id)
def test_winners_get_the_printed_silver_points(row):
    check_row(row, decimal_of(silver(row).at(1)))


@pytest.mark.parametrize("row", golden("sbf_2019", "silver_damped"), ids=by_id)
def test_every_place_gets_the_printed_silver_points(row):
    check_row(row, decimal_of(silver(row).at(int(row["rank"]))))


def test_the_tables_from_before_2020_add_up_to_their_printed_sums():
    """The cells of the tables from before 2020, whose formula is unknown, add up to the printed sums."""
    cells = [row for row in OLD if row["status"] == "no_formula"]
    assert {row["status"] for row in OLD} == {"no_formula", "ok"}
    for total in (row for row in OLD if row["rank"] == "sum"):
        printed = [int(row["published"]) for row in cells if row["pairs"] == total["pairs"]]
        assert sum(printed) == int(total["published"])


def test_the_golden_files_contain_every_cell_of_the_printed_tables():
    assert len(PLACES) == 7 + 10 + 14 + 13 + 18
    assert sum(row["status"] == "erratum" for _, row in PLACES) == 5
    assert len(OLD) == 33


@pytest.mark.parametrize("regulation", [BRONZE, SILVER])
@pytest.mark.parametrize("decimals", [-1, 3])
def test_bronze_and_silver_accept_only_the_decimals_of_the_rules(regulation, decimals):
    with pytest.raises(EngineError) as refused:
        regulation.ladder(SbfEvent(contestants=FIRST, decimals=decimals, boards=24))
    assert refused.value.field == "decimals"


def test_awards_are_rounded_half_up():
    """Awards are rounded half up, as in the document. Half to even would give 300, 32.2 and 38.2."""
    assert bronze(251).points(bronze(251).at(1)) == 30100
    assert silver({"pairs": 60, "boards": 50}).points(Fraction("32.25")) == 3230
    assert silver({"pairs": 160, "boards": 40}).points(Fraction("38.25")) == 3830


def test_the_minimum_share_of_the_winner_applies_from_the_right_place_on():
    """The first place that gets the minimum award is the right one, for events of five sizes.

    The minimum award of place k is the winner's award divided by k. Earlier places get a share of the
    previous place's award.
    """
    for pairs, place in ((50, 9), (500, 21), (525, 21), (1500, 30), (5000, 30)):
        ladder = bronze(pairs)
        winner = ladder.at(1)
        first = next(k for k in range(2, ladder.paid + 1) if ladder.at(k) == winner / k)
        assert first == place
