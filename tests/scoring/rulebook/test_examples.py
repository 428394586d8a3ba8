"""Worked examples on the regulations' pages.

The engine computes every number, and every number quoted from a document is a row of a golden file.
"""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from django.urls import reverse

from scoring import regulations
from scoring.ledger.context import context_of
from scoring.ledger.texts import say
from scoring.regulations.page import ExampleTable
from scoring.regulations.sbf_2019.printed import OLD
from scoring.regulations.strength.printed import IMPS, MATCHPOINTS
from tests.folders import REGULATIONS
from tests.languages import speak
from tests.pages import Page, open_page
from tests.scoring.conftest import TODAY
from tests.scoring.engine.support import golden
from ui.formatting import format_fixed

pytestmark = pytest.mark.django_db
# Golden files by regulation: WHOLE are those whose rows the page shows completely, PART those shown in part.
WHOLE = {
    "sbf-2019-bronze": (
        "bronze_winner", "factor", "table_A20", "table_A30", "table_A525", "table_AY525", "table_AY_fixed",
    ),
    "sbf-2019-silver": ("silver_winner", "silver_damped"),
    "egf-classic": ("official_examples",),
}  # fmt: skip
PART = {
    "acbl-overall": ("factors",), "acbl-club": ("factors",),
    "egf-classic": ("seed_example",), "egf-2021": ("vectors",),
    "strength-mp": ("mp_summary",), "strength-imp": (),
}  # fmt: skip


def page_of(client, code: str, language: str = "en") -> Page:
    """Request the page of a regulation."""
    speak(client, language)
    return open_page(client, reverse("regulation", args=[code]))


def rows_of_table(client, code: str, caption: str) -> list[list[str]]:
    """Return the rows of the only table of a regulation's page whose caption starts with this text."""
    return page_of(client, code).table(caption).rows


def examples(code: str) -> list:
    page = regulations.DECLARATIONS[code].page(context_of(regulations.get(code), TODAY))
    blocks = [block for section in page.sections for block in section.blocks]
    return [example for block in blocks if isinstance(block, ExampleTable) for example in block.examples]


def published(row: dict) -> str:
    return row.get("published") or row["published_fraction"]


def rows_of(code: str, files) -> dict[str, dict]:
    return {row["id"]: row for name in files for row in golden(regulations.FOLDERS[code], name)}


def files_of(code: str) -> dict[str, dict]:
    """Return the golden rows, by id, that the page of a regulation may show."""
    folder = REGULATIONS / regulations.FOLDERS[code] / "golden"
    others = ("examples",) if (folder / "examples.csv").exists() else ()
    return rows_of(code, WHOLE.get(code, ()) + PART.get(code, others))


def rounded(value, printed: str) -> Decimal:
    """Round a value half up to as many decimals as the printed number has."""
    exact = Decimal(value.numerator) / value.denominator if isinstance(value, Fraction) else Decimal(value)
    step = Decimal(1).scaleb(-len(printed.partition(".")[2]))
    return exact.quantize(step, ROUND_HALF_UP)


# --- Printed numbers ------------------------------------------------------------------------------------
@pytest.mark.parametrize("code", regulations.DECLARATIONS)
def test_every_golden_row_is_shown_once(code):
    shown = [example.row for example in examples(code)]
    assert len(shown) == len(set(shown))
    whole, known = rows_of(code, WHOLE.get(code, ())), files_of(code)
    assert whole.keys() <= set(shown) <= known.keys()


def test_the_two_acbl_pages_show_every_number_that_has_a_source():
    shown = {example.row for code in ("acbl-overall", "acbl-club") for example in examples(code)}
    assert shown == rows_of("acbl-club", ("factors",)).keys()


@pytest.mark.parametrize("code", regulations.DECLARATIONS)
def test_printed_numbers_in_examples_equal_the_golden_rows(code):
    known = files_of(code)
    for example in examples(code):
        row = known[example.row]
        if "/" in example.printed:
            assert example.printed == published(row)
        else:
            assert Decimal(example.printed) == rounded(Decimal(published(row)), example.printed), example.row
        assert bool(example.reason) == (row["status"] == "erratum"), example.row


@pytest.mark.parametrize("code", regulations.DECLARATIONS)
def test_computed_numbers_in_examples_agree_with_the_golden_rows(code):
    known = files_of(code)
    for example in examples(code):
        row = known[example.row]
        right = row["corrected"] if row["status"] == "erratum" else example.printed
        if "/" in example.printed:
            assert example.value == Fraction(example.printed)
            continue
        assert rounded(example.value, example.printed) == rounded(Decimal(right), example.printed), (
            example.row
        )
        agrees = say(example.computed_words) == say(example.printed_words)
        assert agrees == (row["status"] == "ok"), example.row


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("code", [code for code in regulations.DECLARATIONS if files_of(code)])
def test_the_page_shows_every_example(client, code, language):
    lines = [row for table in page_of(client, code, language).tables for row in table.rows]
    shown = {(row[1], row[2]) for row in lines if len(row) == 3}
    all_of_them = examples(code)
    assert all_of_them
    for issue in all_of_them:
        if "/" in issue.printed:
            pair = (issue.printed, str(Fraction(issue.value)))
        else:
            digits = len(issue.printed.partition(".")[2])
            value = rounded(issue.value, issue.printed)
            pair = tuple(format_fixed(number, language, digits) for number in (Decimal(issue.printed), value))
        assert pair in shown, issue.row


def test_misprints_are_shown_with_their_reason(client):
    page = page_of(client, "sbf-2019-bronze")
    (row,) = (row for row in page.table("Table A, 525").rows if row[1:] == ["242", "243"])
    assert "431" in row[0]
    assert all(len(row[0]) < 20 for row in page.table("Table A, 20").rows)


# --- Numbers without a printed counterpart --------------------------------------------------------------
def test_the_tables_from_before_2020_are_shown_as_printed(client):
    rows = rows_of_table(client, "sbf-2019-bronze", "Old bronze points")
    shown = {
        (int(pairs), int(row[0])): int(cell.replace(",", ""))
        for row in rows
        for pairs, cell in zip(OLD, row[1:], strict=True)
        if cell != "—"
    }
    cells = [row for row in golden("sbf_2019", "old_tables") if row["status"] == "no_formula"]
    assert shown == {(int(row["pairs"]), int(row["rank"])): int(row["published"]) for row in cells}


def test_the_page_shows_from_which_place_the_minimum_share_applies(client):
    rows = rows_of_table(client, "sbf-2019-bronze", "Where W/k takes over")
    assert [(row[0], row[2]) for row in rows] == [
        ("20", "never"), ("50", "9"), ("500", "21"), ("525", "21"), ("1,500", "30"),
    ]  # fmt: skip


def test_the_page_shows_the_printed_formulas_for_each_range_of_pairs(client):
    page = page_of(client, "sbf-2019-bronze")
    winner = ["".join(row[1].split()) for row in page.table("W by the number").rows]
    assert winner == ["W=2·n", "W=50+n", "W=175+n2", "W=300+n4", "W=450+n10"]
    factor = ["".join(row[1].split()) for row in page.table("f by the number").rows]
    assert factor == [
        "f=34", "f=n+14502000", "f=n+22503000", "f=n+850010500", "f=n+2350028000", "f=n+3050036000", "f=89",
    ]  # fmt: skip


def test_the_page_shows_awards_with_each_number_of_decimals(client):
    rows = rows_of_table(client, "sbf-2019-bronze", "Awards of 20 pairs")
    assert rows[2] == ["3", "23", "22.5", "22.50"]
    assert rows[3] == ["4", "17", "16.9", "16.88"]


def test_the_page_shows_that_halves_are_rounded_to_the_even_digit(client):
    rows = dict(rows_of_table(client, "acbl-overall", "What a half becomes"))
    assert rows == {"0.005": "0.00", "0.015": "0.02", "0.025": "0.02", "1.165": "1.16", "1.175": "1.18"}


def test_the_acbl_example_agrees_with_a_computation_by_hand(client):
    """The page's ACBL example agrees with a computation by hand.

    The first place gets 0.5 · 14 · 1.5 = 10.50 (the factors B, R and S). The second place gets 7.875, rounded
    half to even: 7.88.
    """
    page = page_of(client, "acbl-overall")
    assert page.text.count("Chosen for this example.") == 3  # once each for M, T and the depth
    assert "the office has entered" not in page.text
    rows = page.table("Every paid place of the example").rows
    assert rows[0][2] == "10.50" and rows[1][2] == "7.88" and len(rows) == 10
    assert rows[8] == ["9", "1.166667", "1.17"]


def test_the_page_names_colours_like_the_receipts(client):
    rows = dict(rows_of_table(client, "acbl-club", "Colours of masterpoints"))
    assert rows["Regional"] == "Gold" and rows["Sectional"] == "Silver" and rows["Club game"] == "Black"
    assert rows["National without a limit"] == "Platinum"
    assert rows["Anything online"].startswith("Unpigmented")
    assert rows["National with a lower limit"] == rows["Unit championship"] != "Gold"


def test_the_page_shows_the_printed_table_of_the_classic_system(client):
    rows = rows_of_table(client, "egf-classic", "con, a, and the expected score")
    printed = [
        [format_fixed(int(row["gor"]), "en", 0), row["con"], row["a"], row["SE100_percent"]]
        for row in golden("egf_classic", "table")
    ]
    assert rows == printed


def test_the_page_shows_the_articles_example_with_the_correct_results(client):
    """The page shows the wrong results of the article's author (−3, 0 and +1) next to the correct ones."""
    rows = rows_of_table(client, "egf-classic", "Change of the author")
    assert [row[1:] for row in rows] == [
        ["−3", "−2"], ["—", "−2.03"], ["0", "+1"], ["+1", "+1.31"],
        ["—", "+2.53"], ["—", "+1.90"], ["—", "+1.27"], ["—", "+9.09"],
    ]  # fmt: skip


def test_the_page_shows_the_same_game_under_both_rating_systems(client):
    for code in ("egf-classic", "egf-2021"):
        rows = {row[0]: row[1:] for row in rows_of_table(client, code, "Games of class A")}
        # Two players rated 2100: con is 24 and ε 0.016. A published vector of the revision gives 2109.306.
        assert rows["2,100 against 2,100, won"] == ["0.492", "+12.19", "0.500", "+9.31"]


# --- Strength -------------------------------------------------------------------------------------------
BOARDS = [("A", "B", 60), ("A", "C", 50), ("B", "C", 40), ("C", "D", 70), ("A", "D", 65)]


def iterated(boards: list, rounds: int) -> dict[str, Fraction]:
    """Return {pair: result adjusted for strength after this number of iterations}, in percent.

    An iteration computes a pair's result anew: its own mean score, plus the opponents' mean result, minus 50.

    boards: (pair, opponent, the pair's score in percent) of every board result
    """
    lines = {}
    for first, other, score in boards:
        lines.setdefault(first, []).append((other, score))
        lines.setdefault(other, []).append((first, 100 - score))
    own = {pair: Fraction(sum(score for _, score in met), len(met)) for pair, met in lines.items()}
    figures = own
    for _round in range(rounds):
        figures = {
            pair: own[pair] + Fraction(sum(figures[item] for item, _ in met), len(met)) - 50
            for pair, met in lines.items()
        }
    return figures


def shown_figures(client, start: str) -> dict[str, list[str]]:
    rows = rows_of_table(client, "strength-mp", start)
    return {row[0]: [cell.split(" ")[0] for cell in row[2:]] for row in rows}


def test_the_example_of_four_pairs_agrees_with_a_computation_by_hand(client):
    result = shown_figures(client, "Step by step")
    for number in range(5):
        by_hand = iterated(BOARDS, number)
        assert {pair: cells[number] for pair, cells in result.items()} == {
            pair: str(rounded(value, "0.000")) for pair, value in by_hand.items()
        }
    settled = iterated(BOARDS, 60)
    assert {pair: cells[-1] for pair, cells in result.items()} == {
        pair: str(rounded(value, "0.000")) for pair, value in settled.items()
    }


def test_the_example_of_two_lines_swings_around_the_fixed_point(client):
    for cells in shown_figures(client, "The steps swing").values():
        first, second, third, *_others, settled = (Decimal(cell) for cell in cells)
        assert first == third != second
        assert (first + second) / 2 == settled


def test_the_example_of_separate_groups_has_places_within_each_group(client):
    rows = rows_of_table(client, "strength-mp", "A met B, C met D")
    assert [(row[0], row[1], row[3]) for row in rows] == [
        ("A", "1", "1"), ("B", "1", "2"), ("C", "2", "1"), ("D", "2", "2"),
    ]  # fmt: skip


@pytest.mark.parametrize(("printed", "name"), [(MATCHPOINTS, "mp_table"), (IMPS, "imp_table")])
def test_the_polish_tables_are_shown_as_printed(printed, name):
    rows = golden("strength", name)
    names = [name for name in rows[0] if name not in ("status", "reason")]
    assert [list(row) for row in printed] == [[row[name] for name in names] for row in rows]


def test_the_page_states_the_contradiction_of_the_second_iteration(client):
    row = next(row for row in golden("strength", "mp_summary") if row["quantity"] == "sum_iter2_minus_iter1")
    page = page_of(client, "strength-mp")
    for text in (row["published"], row["corrected"]):
        assert text.replace("-", "−") in page.text
