"""How a scoring program printed its figures is recognised, so that new figures are printed alike."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.printed import Printing, decimals_of, exact_keys, printing_of

D = Decimal
FIGURES = st.fractions(-200, 200, max_denominator=600)
PRINTINGS = [Printing(1), Printing(2), Printing(2, cuts=True), Printing(3, cuts=True)]


@pytest.mark.parametrize(
    ("printing", "value", "printed"),
    [
        (Printing(2), Fraction("40.26486"), "40.26"),
        (Printing(2), Fraction("40.265"), "40.27"),
        (Printing(2), Fraction("-40.265"), "-40.27"),
        (Printing(2, cuts=True), Fraction("40.269"), "40.26"),
        (Printing(2, cuts=True), Fraction("-40.269"), "-40.26"),
        (Printing(0), Fraction(5, 2), "3"),
    ],
)
def test_figures_are_rounded_half_away_from_zero_or_cut_off(printing, value, printed):
    assert str(printing.printed(value)) == printed


@given(st.lists(FIGURES, min_size=1, max_size=30), st.sampled_from(PRINTINGS))
def test_the_printing_recognised_gives_all_printed_figures(values, printing):
    computed = dict(enumerate(values))
    printed = {key: printing.printed(value) for key, value in computed.items()}
    printing = printing_of(printed, computed)
    # With zeros at their ends, figures have fewer decimals than were printed.
    if decimals_of(printed.values()) == printing.decimals:
        assert exact_keys(printed, computed, printing) == computed.keys()


def test_without_anything_to_recognise_figures_finer_than_hundredths_are_cut_off():
    assert printing_of({1: D("48.484")}, {}) == Printing(3, cuts=True)
    assert printing_of({1: D("48.48")}, {}) == Printing(2)
