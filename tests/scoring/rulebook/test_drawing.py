"""Pages can show every block, text, calculation and form field that a regulation can declare."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from types import NoneType
from typing import get_args

import pytest
from django.utils import translation

from scoring.calculator.placed import DRAW as FIELDS
from scoring.calculator.views import FORMS
from scoring.ledger.texts import SAY, say
from scoring.regulations import calculation, texts
from scoring.regulations.page import Block
from scoring.regulations.texts import _, verbatim
from scoring.rulebook.drawing import DRAW


def test_every_kind_of_block_and_of_text_can_be_shown():
    assert set(DRAW) == set(get_args(Block))
    assert set(SAY) == set(get_args(texts.Words))


def test_every_kind_of_calculation_has_a_form():
    assert set(FORMS) == {*get_args(calculation.Calculation), NoneType}
    # A CaseField is not in DRAW, because its choices are the cases that the office has entered.
    assert {*FIELDS, calculation.CaseField} == set(get_args(calculation.FormField))


@pytest.mark.parametrize(
    ("words", "english", "spanish"),
    [
        ("P(6)", "P(6)", "P(6)"),
        (12, "12", "12"),
        (texts.whole(1234), "1,234", "1.234"),
        (texts.short(Fraction(2, 3), 2), "0.67", "0,67"),
        (texts.short(Decimal("1.50")), "1.5", "1,5"),
        (texts.fixed(0.1, 3), "0.100", "0,100"),
        (texts.signed(2, 1), "+2.0", "+2,0"),
        (texts.signed(-0.25, 2), "−0.25", "−0,25"),
        (texts.share(90), "90%", "90\N{NO-BREAK SPACE}%"),
        (texts.points(1050, 1), "10.5", "10,5"),
        (texts.printed("1.00"), "1.00", "1,00"),
        (texts.Day(date(2026, 1, 2)), "2 Jan 2026", "2 ene 2026"),
        (texts.Name("aeb-2026"), "AEB 2026", "AEB 2026"),
        (
            texts.Citation("aeb-2026", "2.4", "2"),
            "AEB 2026, art. 2.4, table 2",
            "AEB 2026, art. 2.4, tabla 2",
        ),
        (texts.Citation("egf-2021", "expected"), "EGF, expected score", "EGF, resultado esperado"),
        (_("Pairs"), "Pairs", "Parejas"),
        (verbatim("Pairs"), "Pairs", "Pairs"),
        (verbatim("n = %(n)s") % {"n": texts.whole(1000)}, "n = 1,000", "n = 1.000"),
        (texts.joined(["a", texts.whole(2000)]), "a, 2,000", "a, 2.000"),
    ],
)
def test_texts_of_regulations_are_shown_in_both_languages(words, english, spanish):
    with translation.override("en"):
        assert say(words) == english
    with translation.override("es"):
        assert say(words) == spanish


def test_screen_readers_get_the_name_of_a_category():
    with translation.override("en"):
        assert "visually-hidden" in say(texts.Category("2P"))
