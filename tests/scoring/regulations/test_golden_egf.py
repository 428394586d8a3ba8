"""The Go ratings give the published numbers.

These are the classic table, and the worked example of the article that explains the classic rating. For the
2021 system, they are the official examples and test vectors.
"""

from decimal import Decimal
from math import exp

import pytest

from scoring.regulations.egf.grades import nominal
from scoring.regulations.egf.types import Game, Player, Tournament
from scoring.regulations.egf_2021.rules import beta
from scoring.regulations.egf_classic.rules import spread, underdog
from tests.scoring.engine.egf import CLASSIC, REVISED, own_change
from tests.scoring.engine.support import check_row, golden


def texts(args):
    return dict(part.split("=") for part in args.split(";"))


def by_id(row):
    return row["id"]


@pytest.mark.parametrize("row", golden("egf_classic", "table"), ids=lambda row: row["gor"])
def test_the_classic_system_gives_the_printed_table(row):
    assert row["status"] == "ok"
    rating = float(row["gor"])
    assert CLASSIC.con(rating) == float(row["con"])
    assert spread(rating) == float(row["a"])
    expected = CLASSIC.expected(rating, rating + 100, 0.0)
    assert f"{100 * expected:.1f}" == row["SE100_percent"]


def seed_value(row):
    """Compute the number that a golden row of the article's example prints.

    The arguments of the computation are in the row too, rounded as the article prints them.
    """
    function, args = row["function"], row["args"]
    if function == "sumP":
        return sum(Decimal(term) for term in args.split("+"))
    values = {name: Decimal(text) for name, text in texts(args).items()}
    if function == "points":
        return values["con"] * (values["S"] - values["P"])
    if function in ("a", "con"):
        number = {"a": spread, "con": CLASSIC.con}[function](float(values["r"]))
    else:
        difference, a = float(values["D"]), float(values["a"])
        number = underdog(difference, a) if difference >= 0 else 1 - underdog(-difference, a)
    return Decimal(repr(number))


@pytest.mark.parametrize("row", golden("egf_classic", "seed_example"), ids=by_id)
def test_the_articles_worked_example_is_right_step_by_step(row):
    value = seed_value(row)
    if row["function"] == "SE_minus":
        # The misprinted formula divides by e⁰ − 1 = 0, so it gives no value.
        assert row["status"] == "erratum"
        assert value == Decimal(row["corrected"])
        assert exp(0) - 1 == 0
    elif value < 0:
        check_row({**row, **{k: row[k].lstrip("-") for k in ("published", "corrected")}}, -value)
    else:
        check_row(row, value)


@pytest.mark.parametrize("row", golden("egf_classic", "official_examples"), ids=by_id)
def test_the_classic_system_gives_the_official_examples(row):
    args = texts(row["args"])
    own, other = float(args["r"]), float(args["opp"])
    assert row["status"] == "ok"
    if row["function"] == "SE":
        value = CLASSIC.expected(own, other, float(args["eps"]))
        assert round(value, 3) == float(row["published"])
        return
    stones = 5 if "adv" in args else -5 if "oppadv" in args else 0
    change = own_change(CLASSIC, own, other, float(args["S"]), stones, epsilon=args["eps"])
    assert round(change.after, int(row["decimals"])) == float(row["published"])


def vector_value(row):
    args, function = texts(row["args"]), row["function"]
    rating = float(args["r"])
    if function in ("con", "bonus", "beta"):
        return {"con": REVISED.con, "bonus": REVISED.bonus, "beta": beta}[function](rating)
    game = own_change(REVISED, args["r"], args["opp"], float(args.get("S", 1)), int(args["h"]))
    return {"SE": game.games[0].expected, "change": game.games[0].change, "new": game.after}[function]


@pytest.mark.parametrize("row", golden("egf_2021", "vectors"), ids=by_id)
def test_the_2021_system_gives_the_official_test_vectors(row):
    assert row["status"] == "ok"
    assert "cls=A" in row["args"] or row["function"] not in ("change", "new")
    assert abs(vector_value(row) - float(row["published"])) <= float(row["tol"])


def article(system, reset=True, **changes):
    """Rate the four games of the published article's example. Return the change of its author's rating.

    reset: whether the third opponent's rating is reset. It is reset if the player declares a grade two above
        the highest grade declared before.
    """
    highest = "7k" if reset else "6k"
    return system.rate(
        Tournament(
            players=(
                Player("author", Decimal(1721)),
                Player("1d", Decimal(2073)),
                Player("1k", Decimal(1724)),
                Player("5k", Decimal(1533), "5k", highest),
                Player("other 5k", Decimal(1617)),
            ),
            games=(
                Game(1, "author", "1d", 0.0),
                Game(2, "author", "1k", 1.0),
                Game(3, "author", "5k", 0.0),
                Game(4, "author", "other 5k", 1.0),
            ),
            **changes,
        )
    ).changes[0]


@pytest.mark.parametrize(
    ("changes", "gain"),
    [
        ({"epsilon": Decimal(0)}, "1.31"),
        ({}, "2.53"),
        ({"tournament_class": "B"}, "1.90"),
        ({"tournament_class": "C"}, "1.27"),
        ({"epsilon": Decimal(0), "reset": False}, "-2.03"),
    ],
    ids=["no epsilon", "class A", "class B", "class C", "no reset"],
)
def test_the_articles_example_is_computed_correctly_for_every_variant(changes, gain):
    """The example of the published article gives these rating changes.

    The cases differ in ε, in the tournament's class, and in whether an opponent's rating is reset. The
    article prints other changes: its author computed −3 first, then 0, then +1. He rounded the steps, and
    left out ε and the class.
    """
    working = article(CLASSIC, **changes)
    assert f"{working.after - working.before:.2f}" == gain


def test_the_articles_games_give_the_right_change_under_the_2021_system():
    working = article(REVISED)
    assert f"{working.after - working.before:.2f}" == "9.09"


def test_grades_have_their_nominal_ratings():
    assert [nominal(grade, 100, "declared") for grade in ("1d", "1k", "20k", "30k", "9d")] == [
        2100,
        2000,
        100,
        100,
        2900,
    ]
    assert nominal("30k", -900, "declared") == -900
