"""Totals of 12 months and of a calendar year, day by day, as they were and as they will fall. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import accumulate

from scoring.ledger.windows import first_day, leaves_on

Point = tuple[date, int]


class Rolling:
    """Totals of one player. `entries` are (day, hundredths), in any order, reversals with their sign."""

    def __init__(self, entries: Iterable[Point]) -> None:
        ordered = sorted(entries)
        self.days: Sequence[date] = [day for day, _points in ordered]
        self._sums = [0, *accumulate(points for _day, points in ordered)]

    def total(self, day: date) -> int:
        """The points that count on `day`, of what was played up to then."""
        return self._sum(first_day(day), day)

    def _sum(self, first: date, last: date) -> int:
        return self._sums[bisect_right(self.days, last)] - self._sums[bisect_left(self.days, first)]

    def past(self, first: date, last: date) -> list[Point]:
        """(day, total) on `first`, `last` and every day between on which the total can change."""
        changes = {first, last}
        for day in self.days:
            changes.update(each for each in (day, leaves_on(day)) if first < each < last)
        return [(day, self.total(day)) for day in sorted(changes)]

    def year(self, day: date) -> list[Point]:
        """(day, points since 1 January) on that day, on `day` and each day between that has points."""
        first = date(day.year, 1, 1)
        days = sorted({first, day, *(each for each in self.days if first < each < day)})
        return [(each, self._sum(first, each)) for each in days]

    def ahead(self, today: date) -> list[Point]:
        """(day, total) from `today` to the day on which the last award has left."""
        counting = [day for day in self.days if first_day(today) <= day <= today]
        days = sorted({today, *(leaves_on(day) for day in counting)})
        return [(day, self._sum(first_day(day), today)) for day in days]
