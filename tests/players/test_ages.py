"""Age limits when only the year of birth is known."""

from datetime import date

import pytest

from players.ages import is_minor, is_under_14


@pytest.mark.parametrize(
    ("birth_year", "minor", "under_14"),
    [
        (2020, True, True),
        (2012, True, True),  # 14 in the course of the year: perhaps still 13
        (2011, True, False),
        (2008, True, False),  # 18 in the course of the year: perhaps still 17
        (2007, False, False),
        (None, False, False),
    ],
)
def test_the_year_of_a_birthday_counts_as_the_younger_age(birth_year, minor, under_14) -> None:
    for day in (date(2026, 1, 1), date(2026, 12, 31)):
        assert is_minor(birth_year, day) is minor
        assert is_under_14(birth_year, day) is under_14
