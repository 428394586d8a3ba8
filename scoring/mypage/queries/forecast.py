"""What a player's points will be on 31 December, and which points leave in each month."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from scoring.ledger.evaluation import FAMILY
from scoring.ledger.windows import first_day, leaves_on
from scoring.pages.queries.profile import Totals

Row = tuple[str, date, int, bool, str]  # of `Totals.rows`


@dataclass(frozen=True, slots=True)
class Forecast:
    """A player's points on 31 December, in two ways. All points are hundredths.

    played: the points left if nothing more is played
    mean: the mean points of a tournament of the last twelve months; None without tournaments
    expected: how many tournaments the player played last year between the day after today and 31 December
    usual: the points if the player plays as many again, with that mean; None without tournaments
    """

    day: date
    played: int
    mean: int | None
    expected: int
    usual: int | None


def count_of(rows: Iterable[Row]) -> int:
    """Return the number of tournaments behind ledger entries. A reversal takes back the one of its award."""
    return sum((kind in ("award", "opening")) - (kind == "reversal") for *_rest, kind in rows)


def forecast_of(totals: Totals, today: date) -> Forecast:
    """Predict a player's points of 31 December.

    The usual pace is the mean of the twelve months up to today, times the tournaments of the same weeks of
    last year. These are the tournaments whose points leave until 31 December.
    """
    last = date(today.year, 12, 31)
    rows = [row for row in totals.rows if row[0] == FAMILY and first_day(today) <= row[1] <= today]
    played = totals.rolling.left_on(last, today)
    tournaments = count_of(rows)
    expected = max(count_of(row for row in rows if row[1] < first_day(last)), 0)
    if tournaments <= 0:
        return Forecast(last, played, None, expected, None)
    mean = Fraction(sum(row[2] for row in rows), tournaments)
    return Forecast(last, played, half_up(mean), expected, played + half_up(mean * expected))


def half_up(number: Fraction) -> int:
    """Round to a whole number, halves up."""
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)


def months_ahead(today: date) -> list[date]:
    """Return the first days of this month and of the twelve after it."""
    start = today.year * 12 + today.month - 1
    return [date(index // 12, index % 12 + 1, 1) for index in range(start, start + 13)]


def leaving_by_month(totals: Totals, today: date) -> list[tuple[date, int, int]]:
    """Return (first day of the month, points, tournaments) that leave in each of the coming months.

    In this month only those that leave after today. All points that count today are in one of the months.
    """
    points: Counter[date] = Counter()
    tournaments: Counter[date] = Counter()
    for row in totals.rows:
        if row[0] == FAMILY and first_day(today) <= row[1] <= today:
            month = leaves_on(row[1]).replace(day=1)
            points[month] += row[2]
            tournaments[month] += count_of([row])
    return [(month, points[month], tournaments[month]) for month in months_ahead(today)]
