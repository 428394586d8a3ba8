"""The engine gives every number of the ACBL's formulas for which there is a source."""

from decimal import Decimal

import pytest

from scoring.engine.rounding import decimal_of
from scoring.engine.types import Contestant
from scoring.regulations import get
from scoring.regulations.acbl import club, overall, tables
from tests.scoring.engine.support import check_row, golden

RESTRICTION = {"1 gender/age restriction": "one", "2 gender/age restrictions": "two"}
RATING = {
    "unit championship": "unit",
    "sectional": "sectional",
    "regional": "regional",
    "national": "national",
}
FIRST = (Contestant("1", place=1),)


def event_of(**changes):
    factors = {"M": Decimal(1), "T": Decimal(1), "depth": Decimal(1)}
    values = {
        "contestants": FIRST,
        "tables": Decimal(10),
        "rating": "unit",
        "sessions": 1,
        "factors": factors,
    }
    return overall.OverallEvent(**(values | changes))


def coefficient(name, **changes):
    return get("acbl-overall").score(event_of(**changes)).coefficients[name]


def value(row):
    function, args = row["function"], row["args"]
    if function == "R":
        return coefficient("R", rating=RATING[args])
    if function == "S":
        return coefficient("S", sessions=int(args))
    if function == "P":
        return coefficient("P", restriction=RESTRICTION[args])
    if function == "B":
        return coefficient("B", tables=Decimal(args))
    if function == "clubdepth":
        event = club.ClubEvent(contestants=FIRST, contestant_count=int(args))
        return Decimal(get("acbl-club").ladder(event).paid)
    curve = {"clubplace": club.curve, "overallplace": overall.curve}[function]
    return decimal_of(curve(int(args)))


@pytest.mark.parametrize("row", golden("acbl", "factors"), ids=lambda row: row["id"])
def test_every_printed_acbl_factor_is_right(row):
    check_row(row, value(row))


def test_a_places_share_is_the_larger_of_two_curves():
    for k in range(1, 200):
        assert overall.curve(k) == max(tables.OVERALL_STEP ** (k - 1), 1 / tables.Fraction(k))


def test_the_size_factor_jumps_between_60_and_61_tables():
    assert coefficient("B", tables=Decimal(60)) < coefficient("B", tables=Decimal(61))
    assert coefficient("B", tables=Decimal("60.5")) == coefficient("B", tables=Decimal(61))
    assert coefficient("B", tables=Decimal(400)) == 2
