"""The days on which points count: for 12 months, and in the calendar year of the year-end change.

Points of day d count on day t if t - 1 year < d <= t (federation rules, section 5).
"""

from datetime import date, timedelta


def year_before(day: date) -> date:
    """Return the same day a year earlier; 28 February for 29 February."""
    if (day.month, day.day) == (2, 29):
        return date(day.year - 1, 2, 28)
    return day.replace(year=day.year - 1)


def first_day(day: date) -> date:
    """Return the first of the days whose points count on `day`."""
    return year_before(day) + timedelta(days=1)


def leaves_on(played_on: date) -> date:
    """Return the first day on which an award no longer counts.

    played_on: last day of the award's tournament
    """
    if (played_on.month, played_on.day) == (2, 29):
        return date(played_on.year + 1, 3, 1)  # on 28 February next year it still counts
    return played_on.replace(year=played_on.year + 1)


def reference_day(year: int, today: date) -> date:
    """Return the day whose categories and licences apply to a year: 31 December or, if earlier, today."""
    return min(date(year, 12, 31), today)
