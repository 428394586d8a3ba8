"""The engine gives the results of all worked examples in the AEB documents, and respects the bounds."""

from decimal import Decimal, localcontext

import pytest

from scoring.engine.points import Curve, mean, product
from scoring.engine.types import Contestant, Event, Seat
from scoring.regulations import FOLDERS, of_family
from tests.scoring.engine.support import check_row, golden, half_up, has_golden, numbers

REGULATION = {issue.code.removeprefix("aeb-"): issue for issue in of_family("aeb")}
# The golden rows of the examples in every regulation's document. A document may have none.
EXAMPLES = [
    row
    for regulation in REGULATION.values()
    if has_golden(FOLDERS[regulation.code], "examples")
    for row in golden(FOLDERS[regulation.code], "examples")
]
EDGES = golden("aeb", "edge_cases")


def curve_of(args):
    return Curve(args["n"], args["pmax"], args["pmin"])


def field_of(args, suits):
    """Return an event of individuals for a text such as '3H*3;U*2': three of 3♥, two without a category."""
    seats = []
    for part in args.split(";"):
        code, number = part.split("*")
        code = None if code == "U" else code.translate(suits) if code[0].isdigit() else code
        seats += [code] * int(number)
    people = tuple(
        Contestant(id=str(k), place=k, seats=(Seat(str(k), code, True),))
        for k, code in enumerate(seats, start=1)
    )
    return Event("pool", "individual", 24, "in_person", people)


def largest_pool(regulation, category):
    people = (Contestant(id="1", i=Decimal(1), seats=(Seat("a", category, True), Seat("b", category, True))),)
    event = Event("pool", "pairs", 120, "in_person", people, contestant_count=120)
    return regulation.score(event)


def first_of(regulation, args):
    (row,) = (
        r for r in regulation.event_types.rows if r.value == args["C1"] and not r.code.endswith("diamond")
    )
    (venue,) = (r.code for r in regulation.venues.rows if r.value == args["C5"])
    winner = (Contestant(id="1", i=Decimal(1)),)
    count = int(args["n"])
    event = Event(row.code, "pairs", int(args["m"]), venue, winner, contestant_count=count, c4=args["cat"])
    return regulation.score(event).awards[0].exact


def example_value(row):
    regulation = REGULATION[row["year"]]
    function = row["function"]
    if function in ("maxfactor", "maxpool"):
        return product(Decimal(factor) for factor in row["args"].split("*"))
    if function == "C4mean":
        suits = str.maketrans("HS", "CP")
        return regulation.score(field_of(row["args"], suits)).coefficients["C4"]
    if function in ("C4max", "C4min"):
        ends = {"C4max": regulation.categories.rows[-1].code, "C4min": regulation.categories.rows[0].code}
        return largest_pool(regulation, ends[function]).coefficients["C4"]
    args = numbers(row["args"])
    if function == "first":
        return first_of(regulation, args)
    if function == "C2":
        return regulation.c2(int(args["m"]))
    if function == "C3":
        return regulation.c3(args["n"])
    curve = curve_of(args)
    if function == "P":
        return curve.at(args["i"])
    # Formula (1) is linear in the fourth root of the position i, so its value at i = 0 is the intercept.
    intercept = curve.bare(Decimal(0))
    return intercept if function == "intercept" else curve.bare(Decimal(1)) - intercept


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: row["id"])
def test_every_worked_example_of_the_documents_is_right(row):
    with localcontext(prec=60):
        check_row(row, example_value(row))


def test_the_largest_possible_pools_have_the_right_maximum():
    assert half_up(largest_pool(REGULATION["2022"], "MM").p_max, 2) == Decimal("29.16")
    largest = largest_pool(REGULATION["2026"], "MM-O")
    assert largest.p_max == Decimal("164.9375")
    assert half_up(largest.p_max, 1) == Decimal("164.9")
    assert half_up(largest.p_max, 1) != Decimal("135.2")


def edge_value(row):
    args = numbers(row["args"])
    if row["quantity"] == "P":
        return curve_of(args).bare(args["i"])
    if row["quantity"] == "mean":
        curve = curve_of(args)
        return mean([curve.unsnapped(Decimal(1)), curve.unsnapped(Decimal(2))])
    name, year, _ = row["quantity"].split("_")
    regulation = REGULATION[f"20{year}"]
    return {"C2": regulation.c2_curve, "C3": regulation.c3_curve}[name].bare(args["x"])


@pytest.mark.parametrize("row", [r for r in EDGES if r["status"] == "derived"], ids=lambda row: row["id"])
def test_edge_cases_of_the_formula_have_the_derived_values(row):
    assert abs(edge_value(row) - Decimal(row["value"])) < Decimal("1e-9")


@pytest.mark.parametrize("row", [r for r in EDGES if r["quantity"] == "P"], ids=lambda row: row["id"])
def test_edge_cases_respect_the_minimum_and_the_maximum_award(row):
    """Positions from n on get the minimum award, Pmin. If n is 1 or less, every position gets Pmax.

    n is the number of contestants.
    """
    args = numbers(row["args"])
    award = curve_of(args).at(args["i"])
    if args["n"] <= 1:
        assert award == args["pmax"]
    elif args["i"] >= args["n"]:
        assert award == args["pmin"]
    else:
        assert abs(award - Decimal(row["value"])) < Decimal("1e-9")


def test_edge_cases_that_the_documents_leave_open_follow_a_ruling():
    undefined = [row for row in EDGES if row["status"] == "undefined"]
    assert [row["quantity"] for row in undefined] == ["P", "C4"]
    for year, lowest in (("2022", "1"), ("2026", "1.10")):
        nobody = field_of("U*4", {})
        assert REGULATION[year].score(nobody).coefficients["C4"] == Decimal(lowest)


def test_the_last_of_the_printed_individual_event_gets_the_minimum():
    """Places 49 and 50 of an individual event both get the printed minimum of 0.03.

    Without its bounds, the formula would give place 50 a negative award.
    """
    people = tuple(Contestant(id=str(place), place=place) for place in (1, 49, 50))
    event = Event("pool", "individual", 20, "online", people, contestant_count=50, c4=Decimal("1.11"))
    assert [award.points for award in REGULATION["2022"].score(event).awards] == [342, 3, 3]
