"""The days on which points count: for 12 months, and in the calendar year of the year-end change.

Points of day d count on day t if t - 1 year < d <= t (federation rules, section 5).
"""

from datetime import date, timedelta

# Days of each month whose standings are kept, so that any other past day is at most five days away from one.
DAYS_KEPT = (1, 11, 21)
LAST_OF_YEAR = (12, 31)  # kept too, because on the next day licences and categories change


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


def is_kept(day: date) -> bool:
    """Return whether the standings of this day are kept when it is over."""
    return day.day in DAYS_KEPT or (day.month, day.day) == LAST_OF_YEAR


def kept_days(first: date, last: date) -> list[date]:
    """Return the days from `first` to `last`, inclusive, whose standings are kept."""
    months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    days = [date(month // 12, month % 12 + 1, day) for month in months for day in DAYS_KEPT]
    days += [date(year, *LAST_OF_YEAR) for year in range(first.year, last.year + 1)]
    return sorted(day for day in days if first <= day <= last)
