"""Which tournaments count on a day: those of the 12 months up to it, also around 29 February."""

from datetime import date, timedelta

import pytest

from scoring.ledger.windows import first_day, leaves_on, year_before


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (date(2026, 3, 14), date(2025, 3, 15)),
        (date(2024, 2, 29), date(2023, 3, 1)),
        (date(2025, 2, 28), date(2024, 2, 29)),
        (date(2025, 3, 1), date(2024, 3, 2)),
        (date(2024, 3, 1), date(2023, 3, 2)),
    ],
)
def test_the_first_day_that_counts_is_the_day_after_the_same_date_a_year_before(day, expected):
    assert first_day(day) == expected


def test_leaves_on_returns_the_first_day_that_no_longer_counts():
    """Compare `leaves_on` with the definition on every day of five years, including two leap days."""
    played = date(2023, 1, 1)
    while played < date(2028, 12, 31):
        leaving = leaves_on(played)
        assert year_before(leaving) >= played
        assert year_before(leaving - timedelta(days=1)) < played
        played += timedelta(days=1)
