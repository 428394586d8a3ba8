"""The numbers printed in the Polish article on strength, some of which do not follow from its own rule."""

from decimal import Decimal
from statistics import stdev

import numpy as np
import pytest

from scoring.regulations.strength.graph import Meetings
from scoring.regulations.strength.solve import step
from tests.scoring.engine.support import check_row, golden

TABLE = golden("strength", "mp_table")
IMP_TABLE = golden("strength", "imp_table")
SUMMARY = {row["quantity"]: row for row in golden("strength", "mp_summary")}
CENT = Decimal("0.01")


def column(name):
    return [Decimal(row[name]) for row in TABLE]


def places(values):
    """Return the place of each value, counted from the highest, with ties as in 1, 2, 2, 4."""
    return [1 + sum(other > value for other in values) for value in values]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["pair"])
def test_the_matchpoint_tables_printed_changes_agree_with_its_values(row):
    assert row["status"] == "ok"
    values = {name: Decimal(text) for name, text in row.items() if name not in ("status", "reason")}
    assert abs(abs(values["iter1"] - values["result"]) - values["delta1"]) <= CENT
    assert abs(abs(values["iter2"] - values["iter1"]) - values["delta2"]) <= CENT


@pytest.mark.parametrize("name", ["", "1", "2"])
def test_the_matchpoint_tables_printed_places_follow_from_its_values(name):
    values = column({"": "result", "1": "iter1", "2": "iter2"}[name])
    assert places(values) == [int(row[f"place{name}"]) for row in TABLE]


@pytest.mark.parametrize("row", IMP_TABLE, ids=lambda row: row["pair"])
def test_the_imp_tables_printed_changes_agree_with_its_values(row):
    """The changes printed in a row of the IMP table agree with its values and with seven opponents per pair.

    With seven opponents, the first iteration changes a value by a multiple of 1/7, the second by one of 1/49.
    """
    assert row["status"] == "ok"
    values = {name: Decimal(text) for name, text in row.items() if name not in ("status", "reason")}
    assert abs(values["iter1"] - values["result"] - values["delta1"]) <= CENT
    assert abs(values["iter2"] - values["iter1"] - values["delta2"]) <= CENT
    assert abs(values["delta1"] * 7 - round(values["delta1"] * 7)) <= 7 * CENT / 2
    assert abs(values["delta2"] * 49 - round(values["delta2"] * 49)) <= 49 * CENT / 2


def moved(by):
    return sum(abs(int(row["place"]) - int(row["place1"])) == by for row in TABLE)


def summary_value(quantity):
    delta1, delta2 = column("delta1"), column("delta2")
    return {
        "max_delta1": lambda: max(delta1),
        "min_delta1": lambda: min(delta1),
        "sd_sample_abs_delta1": lambda: stdev(delta1),
        "max_delta2": lambda: max(delta2),
        "sd_sample_abs_delta2": lambda: stdev(delta2),
        "moved_by_3": lambda: Decimal(moved(3)),
        "moved_by_2": lambda: Decimal(moved(2)),
        "moved_by_1": lambda: Decimal(moved(1)),
        "moved_total": lambda: Decimal(sum(row["place"] != row["place1"] for row in TABLE)),
        "xA_rule": lambda: example()[0],
        "xB_rule": lambda: example()[1],
    }[quantity]()


def example():
    """Return the adjusted scores of sides A and B on the example board of the article.

    Both sides score 50 % on the board. In the whole session, A scores 52 % and B 58 %.
    """
    meetings = Meetings.of(2, [0], [1])
    change = step(np.array([0.0, 0.0]), np.array([52.0, 58.0]) - 50, meetings)
    return [Decimal(repr(value)) for value in change.tolist()]


RULES = [quantity for quantity in SUMMARY if quantity not in ("sum_iter2_minus_iter1", "xA_as_printed")]


@pytest.mark.parametrize("quantity", RULES)
def test_the_matchpoint_tables_summary_is_right_or_a_known_misprint(quantity):
    check_row(SUMMARY[quantity], summary_value(quantity))


def test_the_formula_as_printed_contradicts_the_rule_and_the_text():
    """The article's formula, printed without brackets, gives −108. The article's rule and text give 8."""
    row = SUMMARY["xA_as_printed"]
    assert row["status"] == "erratum"
    assert Decimal(row["corrected"]) == 50 - 100 - 58
    assert Decimal(row["published"]) == example()[0]


def test_the_second_iteration_does_not_follow_from_the_first():
    """The second iteration printed in the article cannot follow from the first, because their sums differ.

    If all pairs play the same number of boards, an iteration does not change the sum.
    """
    row = SUMMARY["sum_iter2_minus_iter1"]
    assert row["status"] == "erratum"
    result, first, second = column("result"), column("iter1"), column("iter2")
    assert sum(first) - sum(result) == Decimal(row["published"])
    assert sum(second) - sum(first) == Decimal(row["corrected"])
    assert row["corrected"] != row["published"]
