"""The calculator of Go ratings: published games, both rating systems, and limits of the input."""

import pytest

from scoring.ledger.wording import regulation_name
from tests.scoring.engine.support import golden

pytestmark = pytest.mark.django_db
ARTICLE = {
    "puntos": "1721", "rival_1": "2073", "resultado_1": "0", "rival_2": "1724", "resultado_2": "1",
    "rival_3": "5k", "resultado_3": "0", "rival_4": "1617", "resultado_4": "1",
}  # fmt: skip


def rows_of(folder: str, name: str, *functions: str) -> list[dict[str, str]]:
    return [row for row in golden(folder, name) if row["function"] in functions]


def parameters_of(args: str) -> dict[str, str]:
    return dict(part.split("=") for part in args.split(";"))


def shown_value(page, row: dict[str, str]) -> float:
    """Return the number on the page that a golden row gives, such as the new rating or its change."""
    assert page.context["form"].errors == {}, row["id"]
    answer, game = page.context["answers"][0], page.context["games_table"].data[0]
    return {
        "new": answer["after"],
        "change": game["change0"],
        "SE": game["expected0"],
        "con": page.context["table"].data[0]["con"],
        "bonus": page.context["table"].data[0]["bonus"],
    }[row["function"]]


def handicap_fields(number: int) -> dict[str, str]:
    """Return the form's parameters for handicap stones.

    number: positive if the user receives the stones, negative if the user gives them
    """
    return {"piedras_1": str(abs(number)), "recibe_1": "yo" if number >= 0 else "rival"} if number else {}


def test_the_calculator_gives_the_test_vectors_of_the_2021_system(calculator):
    rows = rows_of("egf_2021", "vectors", "new", "change", "SE")
    # Test every third row of the long series (b-…), and all other rows.
    chosen = [row for k, row in enumerate(rows) if k % 3 == 0 or not row["id"].startswith("b-")]
    assert len(chosen) > 50
    for row in chosen:
        args = parameters_of(row["args"])
        page = calculator(
            "egf-2021",
            puntos=args["r"],
            rival_1=args["opp"],
            resultado_1=args.get("S", "1"),
            clase="A",
            **handicap_fields(int(args["h"])),
        )
        assert abs(shown_value(page, row) - float(row["published"])) <= float(row["tol"]), row["id"]


def test_the_calculator_shows_con_and_bonus_of_the_2021_system(calculator):
    for row in rows_of("egf_2021", "vectors", "con", "bonus")[::3]:
        page = calculator("egf-2021", puntos=parameters_of(row["args"])["r"], rival_1="1500")
        assert abs(shown_value(page, row) - float(row["published"])) <= float(row["tol"]), row["id"]


@pytest.mark.parametrize(
    "row", rows_of("egf_classic", "official_examples", "SE", "new"), ids=lambda row: row["id"]
)
def test_the_calculator_gives_the_official_examples_of_the_classic_system(calculator, row):
    args = parameters_of(row["args"])
    taken = 5 if "adv" in args else -5 if "oppadv" in args else 0
    page = calculator(
        "egf-classic",
        puntos=args["r"],
        rival_1=args["opp"],
        resultado_1=args.get("S", "1"),
        epsilon=args["eps"],
        **handicap_fields(taken),
    )
    assert round(shown_value(page, row), int(row["decimals"])) == float(row["published"])


@pytest.mark.parametrize(
    ("code", "changes", "gain"),
    [
        ("egf-classic", {"epsilon": "0"}, "+1.31"),
        ("egf-classic", {}, "+2.53"),
        ("egf-classic", {"clase": "B"}, "+1.90"),
        ("egf-classic", {"clase": "C"}, "+1.27"),
        ("egf-classic", {"epsilon": "0", "rival_3": "1533"}, "−2.03"),
        ("egf-2021", {}, "+9.09"),
    ],
)
def test_the_calculator_gives_the_articles_example_of_four_games(calculator, code, changes, gain):
    """The calculator gives the results of the article on Go ratings for its example of four games.

    In the example, the rating of the third opponent is reset to 1600, the usual rating of 5k. In one case the
    rating before the reset, 1533, is typed instead of the grade.
    """
    page = calculator(code, **{**ARTICLE, **changes})
    assert f", {gain}." in page.text
    assert len(page.context["games_table"].rows) == 4
    assert "5k (1,600)" in page.text or changes.get("rival_3")


def test_the_page_compares_both_rating_systems_side_by_side(calculator):
    both = calculator("egf-2021", comparar="egf-classic", **ARTICLE)
    names = {code: regulation_name(code) for code in ("egf-2021", "egf-classic")}
    assert f"{names['egf-2021']}: from 1,721.00 to 1,730.09, +9.09." in both.html
    assert f"{names['egf-classic']}: from 1,721.00 to 1,723.53, +2.53." in both.html
    alone = {
        code: calculator(code, **ARTICLE).context["games_table"].data for code in ("egf-2021", "egf-classic")
    }
    for k, row in enumerate(both.context["games_table"].data):
        assert row["change0"] == alone["egf-2021"][k]["change0"]
        assert row["change1"] == alone["egf-classic"][k]["change0"]
    assert len(both.context["chart"].series) == 4


def test_the_curve_shows_the_rating_change_of_one_even_game(calculator):
    page = calculator("egf-2021", puntos="1850", rival_1="2000")
    won, lost = page.context["chart"].series
    assert dict(won.points)[2000] == page.context["games_table"].data[0]["change0"]
    lost_game = (
        calculator("egf-2021", puntos="1850", rival_1="2000", resultado_1="0").context["games_table"].data[0]
    )
    assert dict(lost.points)[2000] == lost_game["change0"]
    changes = [change for _rating, change in won.points]
    assert changes == sorted(changes) and len(changes) == 21


def test_the_curve_stays_within_the_bounds(calculator):
    for puntos in ("-900", "3299.9999"):
        ratings = [
            x
            for x, _y in calculator("egf-2021", puntos=puntos, rival_1="1000")
            .context["chart"]
            .series[0]
            .points
        ]
        assert ratings and min(ratings) >= -900 and max(ratings) < 3300


def test_the_handicap_depends_on_who_receives_the_stones(calculator):
    takes = calculator("egf-2021", puntos="1500", rival_1="2000", piedras_1="5", recibe_1="yo")
    gives = calculator("egf-2021", puntos="1500", rival_1="2000", piedras_1="5", recibe_1="rival")
    even = calculator("egf-2021", puntos="1500", rival_1="2000")
    expected = [page.context["games_table"].data[0]["expected0"] for page in (takes, even, gives)]
    assert expected == sorted(expected, reverse=True)
    assert "takes 5" in takes.html and "gives 5" in gives.html


def test_the_page_shows_the_formulas_with_their_numbers(calculator):
    page = calculator("egf-2021", puntos="2073.715", rival_1="2056.795")
    assert "con = ((3300 − 2073.715)/200)^1.6 = 18.201127" in page.text
    classic = calculator("egf-classic", puntos="1850", rival_1="2000")
    assert "a = 200 − (1850 − 100)/20 → 112.5" in classic.html


def test_the_form_has_an_empty_row_for_the_next_game_up_to_ten_games(calculator):
    assert len(calculator("egf-2021", puntos="1500", rival_1="1500").context["form"].rows) == 3
    assert len(calculator("egf-2021", puntos="1500", rival_5="1500").context["form"].rows) == 6
    ten = calculator("egf-2021", puntos="1500", **{f"rival_{k}": "1500" for k in range(1, 12)})
    assert len(ten.context["form"].rows) == len(ten.context["games_table"].rows) == 10


@pytest.mark.parametrize(
    ("code", "changes", "field"),
    [
        ("egf-2021", {"puntos": "3300"}, "puntos"),
        ("egf-2021", {"puntos": "-901"}, "puntos"),
        ("egf-classic", {"puntos": "99"}, "puntos"),
        ("egf-classic", {"puntos": "10000"}, "puntos"),
        ("egf-2021", {"puntos": ""}, "puntos"),
        ("egf-2021", {"puntos": "31k"}, "puntos"),
        ("egf-2021", {"puntos": "NaN"}, "puntos"),
        ("egf-2021", {"puntos": "50", "comparar": "egf-classic"}, "puntos"),
        ("egf-2021", {"rival_1": ""}, "rival_1"),
        ("egf-2021", {"rival_1": "strong"}, "rival_1"),
        ("egf-2021", {"rival_2": "3300"}, "rival_2"),
        ("egf-2021", {"resultado_1": "2"}, "resultado_1"),
        ("egf-2021", {"piedras_1": "10"}, "piedras_1"),
        ("egf-2021", {"recibe_1": "both"}, "recibe_1"),
        ("egf-2021", {"clase": "E"}, "clase"),
        ("egf-2021", {"comparar": "egf-2030"}, "comparar"),
        ("egf-classic", {"epsilon": "1.1"}, "epsilon"),
    ],
)
def test_errors_are_shown_at_their_fields(calculator, code, changes, field):
    page = calculator(code, **{"puntos": "1500", "rival_1": "1500", **changes})
    assert list(page.context["form"].errors) == [field]
    assert "answers" not in page.context
    assert f"#id_{field}" in page.addresses


def test_an_error_about_a_bound_names_the_rating_system(calculator):
    page = calculator("egf-2021", puntos="50", rival_1="1500", comparar="egf-classic")
    assert f"{regulation_name('egf-classic')} has ratings from 100 to below 10,000." in page.text
