"""The 12 months that count (federation rules, section 5): d counts on day t when t - 1 year < d <= t.

And the calendar year of the year-end change.
"""

from datetime import date, timedelta


def year_before(day: date) -> date:
    """The same day a year earlier; 29 February gives 28 February."""
    if (day.month, day.day) == (2, 29):
        return date(day.year - 1, 2, 28)
    return day.replace(year=day.year - 1)


def first_day(day: date) -> date:
    """The oldest date that still counts on `day`."""
    return year_before(day) + timedelta(days=1)


def leaves_on(played_on: date) -> date:
    """The first day on which an award of `played_on` no longer counts."""
    if (played_on.month, played_on.day) == (2, 29):
        return date(played_on.year + 1, 3, 1)  # 28 February of next year still looks back to the 28th
    return played_on.replace(year=played_on.year + 1)


def reference_day(year: int, today: date) -> date:
    """The day on which a year's categories and licences are looked at: 31 December, or today before it."""
    return min(date(year, 12, 31), today)
