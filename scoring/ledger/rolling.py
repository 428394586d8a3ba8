"""12-month and calendar-year totals of one player by day, past and projected. Uses no database."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import accumulate

from scoring.ledger.windows import first_day, leaves_on

Point = tuple[date, int]


class Rolling:
    """Computes the 12-month and calendar-year totals of one player, in hundredths.

    entries: (day, hundredths) of all ledger entries, in any order; reversals are negative
    """

    def __init__(self, entries: Iterable[Point]) -> None:
        ordered = sorted(entries)
        self.days: Sequence[date] = [day for day, _points in ordered]
        self._sums = [0, *accumulate(points for _day, points in ordered)]

    def total(self, day: date) -> int:
        """Return the 12-month total on `day`."""
        return self._sum(first_day(day), day)

    def left_on(self, day: date, today: date) -> int:
        """Return the 12-month total on a later `day` if nothing is played after `today`."""
        return self._sum(first_day(day), today)

    def _sum(self, first: date, last: date) -> int:
        return self._sums[bisect_right(self.days, last)] - self._sums[bisect_left(self.days, first)]

    def past(self, first: date, last: date) -> list[Point]:
        """Return (day, 12-month total) for `first`, `last` and each day between on which it can change."""
        changes = {first, last}
        for day in self.days:
            changes.update(change for change in (day, leaves_on(day)) if first < change < last)
        return [(day, self.total(day)) for day in sorted(changes)]

    def year(self, day: date) -> list[Point]:
        """Return (day, points since 1 January) for 1 January, `day` and each day between with points."""
        first = date(day.year, 1, 1)
        days = sorted({first, day, *(played for played in self.days if first < played < day)})
        return [(end, self._sum(first, end)) for end in days]

    def ahead(self, today: date) -> list[Point]:
        """Return (day, 12-month total) for `today` and for each later day on which an award expires.

        The projection assumes that the player earns no more points.
        """
        counting = [day for day in self.days if first_day(today) <= day <= today]
        days = sorted({today, *(leaves_on(day) for day in counting)})
        return [(day, self._sum(first_day(day), today)) for day in days]
