"""Federation numbers: which spellings are the same number, and which are invalid."""

import pytest

from tests.tournaments.formats import makers
from tournaments.formats import read_results
from tournaments.formats.licence import normalise


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("21872", "21872"), ("00021872", "21872"), ("00 021 872", "21872"), ("21872.", "21872"),
        # Decimals that programs add to numbers.
        ("21872.0", "21872"), ("21872.00", "21872"), ("21872,0", "21872"), ("7.0", "7"),
        # Points as thousands separators.
        ("21.872", "21872"), ("1.021.872", "1021872"), ("00.021.872", "21872"),
    ],
)  # fmt: skip
def test_different_spellings_give_the_same_federation_number(written, number):
    assert normalise(written) == number


# 21.000 may be 21 with decimals or 21000, and a guess could give points to another player.
NONE = [
    "",
    "0",
    "0.0",
    "21872.5",
    "21872,5",
    "2187.20",
    "2.18.72",
    "21.000",
    "21872.0.0",
    ".5",
    "123456789",
    "A1",
]


@pytest.mark.parametrize("written", NONE)
def test_texts_that_are_no_federation_number_are_rejected(written):
    assert normalise(written) is None


def test_a_federation_number_may_end_in_zero_decimals_but_have_no_others():
    rows = [["puesto", "licencia"], ["1", "21872.0"], ["2", "21872"], ["3", "21872.5"], ["4", "0.0"]]
    issues = read_results("r.csv", makers.csv_table(rows), "individual").issues
    assert [(issue.code, issue.line) for issue in issues] == [
        ("duplicate_player", 3),
        ("malformed_licence", 4),
        ("no_name", 5),
    ]
