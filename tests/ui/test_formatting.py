"""Numbers, days and categories in the format of each language."""

from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from django.template import engines
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from tests.pages import Page
from ui import formatting
from ui.formatting import decimals_in, format_fixed

NBSP = "\N{NO-BREAK SPACE}"


def rendered(source: str, lang: str = "es", **context) -> str:
    with translation.override(lang):
        return engines["django"].from_string(source).render(context)


@pytest.mark.parametrize(
    ("hundredths", "spanish", "english"),
    [
        (0, "0,00", "0.00"),
        (5, "0,05", "0.05"),
        (123456, "1.234,56", "1,234.56"),
        (99999, "999,99", "999.99"),
        (123456789, "1.234.567,89", "1,234,567.89"),
        (-5, "−0,05", "−0.05"),
        (-123456, "−1.234,56", "−1,234.56"),
    ],
)
def test_points_are_shown_with_two_decimals_and_thousands_separators(hundredths, spanish, english):
    assert rendered("{{ n|points }}", n=hundredths) == spanish
    assert rendered("{{ n|points }}", "en", n=hundredths) == english


@pytest.mark.parametrize(
    ("hundredths", "decimals", "spanish"),
    [
        (860, 1, "8,6"), (800, 1, "8,0"), (865, 1, "8,65"), (123400, 0, "1.234"), (-50, 0, "−0,5"),
        (0, 0, "0"), (5, 1, "0,05"), (860, 2, "8,60"),
    ],
)  # fmt: skip
def test_points_have_the_decimals_of_their_family_and_are_never_rounded(hundredths, decimals, spanish):
    assert rendered("{{ n|points:d }}", n=hundredths, d=decimals) == spanish
    signed = formatting.format_signed_points(hundredths, "es", decimals)
    assert signed == (f"+{spanish}" if hundredths > 0 else spanish)


@given(st.integers(-(10**12), 10**12), st.sampled_from(["es", "en"]))
def test_formatted_points_are_parsed_to_the_same_number(hundredths, lang):
    assert formatting.parse_points(formatting.format_points(hundredths, lang), lang) == hundredths


@pytest.mark.parametrize(
    ("text", "hundredths"), [("12", 1200), ("12,5", 1250), ("1234,56", 123456), (" 7,00 ", 700)]
)
def test_points_can_be_typed_without_thousands_separators(text, hundredths):
    assert formatting.parse_points(text, "es") == hundredths


@pytest.mark.parametrize(
    "text", ["", "1.23", "1,234", "1,e5", "1..2", "a", "1,2,3", "+-5", "١", "12.3456,00"]
)
def test_texts_that_are_no_number_of_points_are_refused(text):
    with pytest.raises(ValueError, match="not a number of points"):
        formatting.parse_points(text, "es")


def test_a_difference_of_points_shows_its_sign():
    assert rendered(
        "{{ a|signed_points }} {{ b|signed_points }} {{ c|signed_points }}", a=1575, b=-1, c=0
    ) == ("+15,75 −0,01 0,00")


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [
        (Decimal("0.692820"), 4, "0,6928"),
        (Decimal("0.00005"), 4, "0,0001"),
        (Decimal("-0.00001"), 4, "0"),
        (Decimal("12.5000"), 4, "12,5"),
        (Decimal("1000"), 4, "1.000"),
        (Fraction(2, 3), 3, "0,667"),
        (7, 2, "7"),
    ],
)
def test_coefficients_are_rounded_to_the_requested_digits(number, digits, text):
    assert rendered("{{ n|decimal_short:d }}", n=number, d=digits) == text


def test_percentages_have_the_format_of_the_language():
    assert rendered("{{ n|percent }}", n=Decimal("57.5")) == f"57,50{NBSP}%"
    assert rendered("{{ n|percent }}", "en", n=Decimal("57.5")) == "57.50%"
    assert rendered("{{ n|share }} {{ m|share }}", n=10, m=Decimal("12.50")) == f"10{NBSP}% 12,5{NBSP}%"


def test_a_column_has_as_many_decimals_as_its_number_with_most_decimals():
    assert decimals_in([Decimal("57.50"), None, Decimal(49)]) == 1
    assert decimals_in([Decimal(300), Decimal("1.125")]) == 2
    assert decimals_in([]) == 0
    assert format_fixed(Decimal(1049), "es", 1) == "1.049,0"
    assert format_fixed(Decimal("-0.004"), "es", 2) == "0,00"


def test_dates_have_the_format_of_the_language():
    assert rendered("{{ d|shortdate }}", d=date(2026, 3, 14)) == "14 mar 2026"
    assert rendered("{{ d|shortdate }}", "en", d=date(2026, 9, 1)) == "1 Sep 2026"


def test_a_point_in_time_is_shown_as_its_date_in_spain():
    assert rendered("{{ d|shortdate }}", d=datetime(2026, 3, 14, 23, 30, tzinfo=UTC)) == "15 mar 2026"


@pytest.mark.parametrize(
    ("rank", "english"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (112, "112th"), (121, "121st")]
)
def test_ranks_are_ordinal_in_english_and_plain_in_spanish(rank, english):
    assert rendered("{{ n|ordinal_rank }}", "en", n=rank) == english
    assert rendered("{{ n|ordinal_rank }}", n=rank) == str(rank)


@pytest.mark.parametrize(
    "name", ["points", "signed_points", "count", "decimal_short", "percent", "shortdate"]
)
def test_a_missing_value_is_shown_as_a_dash(name):
    assert rendered(f"{{{{ a|{name} }}}}{{{{ b|{name} }}}}", a=None, b="") == "——"


def test_a_category_shows_its_suit_and_names_it_for_screen_readers():
    category = Page(rendered("{% category c %}", c="2P"))
    assert "♠" in category.the(class_="suit-p").text
    assert category.the(class_="visually-hidden").text == "2 de picas"
    assert "2 of hearts" in rendered("{% category c %}", "en", c="2C")


def test_a_title_shows_no_suit():
    category = Page(rendered("{% category c %}", c="MM-S"))
    assert "Maestro Mundial Sénior" in category.text
    assert not category.all(class_="suit")


def test_an_unknown_category_is_shown_escaped():
    assert Page(rendered("{% category c %}", c="<b>")).the("span", class_="category").text == "<b>"
    assert rendered("{% category c %}", c=None) == "—"


def test_every_category_of_both_ladders_has_a_spoken_name():
    steps = [f"{number}{suit}" for number in "123" for suit in "DCP"]
    titles = [f"{title}{field}" for title in ("MN", "ME", "MM") for field in ("", "-O", "-D", "-S")]
    spoken = {formatting.category_name(code, "es").spoken for code in steps + titles}
    assert len(spoken) == len(steps) + len(titles)
    assert not spoken & set(steps + titles)


@pytest.mark.parametrize(
    ("first", "last", "spanish", "english"),
    [
        ((2026, 12, 1), (2026, 12, 1), ("1", "1 de diciembre de 2026"), ("1", "1 December 2026")),
        ((2026, 11, 28), (2026, 11, 29), ("28", "29 de noviembre de 2026"), ("28", "29 November 2026")),
        (
            (2026, 11, 30),
            (2026, 12, 1),
            ("30 de noviembre", "1 de diciembre de 2026"),
            ("30 November", "1 December 2026"),
        ),
        (
            (2026, 12, 31),
            (2027, 1, 1),
            ("31 de diciembre de 2026", "1 de enero de 2027"),
            ("31 December 2026", "1 January 2027"),
        ),
    ],
)
def test_days_in_a_sentence_have_the_name_of_the_month(first, last, spanish, english):
    days = date(*first), date(*last)
    assert formatting.format_days_in_words(*days, "es") == spanish
    assert formatting.format_days_in_words(*days, "en") == english
