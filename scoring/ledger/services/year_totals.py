"""Keep the totals of calendar years equal to the ledger. Called by `scoring.ledger.services.standings`.

The public pages of the year-end change read only these totals, so that their cost does not grow with the
ledger.
"""

from collections.abc import Iterable, Iterator
from datetime import date

from django.db.models import Min

from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, YearTotal
from scoring.ledger.services.sums import Mismatch, People, build_rows, mismatches, repair
from scoring.ledger.windows import reference_day


def refresh(people: People, days: Iterable[date], since: date | None) -> None:
    """Recompute these players' totals of calendar years, as of each of these days.

    days: the day of the standings, and a later day if its standings are being prepared
    since: totals of years before this day's year are not recomputed; None for all years
    """
    assert people.ids is not None  # postings refresh named players, never all
    first = since.year if since else first_year(people.ids)
    ends = {reference_day(year, day) for day in days for year in range(first, day.year + 1)}
    stored: dict[date, list[YearTotal]] = {end: [] for end in ends}
    for total in YearTotal.stored.filter(day__in=ends, player_id__in=people.ids):
        stored[total.day].append(total)
    for end, totals in stored.items():
        repair(YearTotal.stored.of(end), mismatches(totals, computed(end, people)), "year")


def rebuild(as_of: date) -> list[Mismatch[YearTotal]]:
    """Recompute the totals of all years as of a day, and delete all others. Return repaired mismatches."""
    repaired, ends = [], []
    for year in years(as_of):
        wrong = compare(year, as_of)
        ends.append(reference_day(year, as_of))
        repair(YearTotal.stored.of(ends[-1]), wrong, "year")
        repaired += wrong
    YearTotal.stored.exclude(day__in=ends).delete()
    return repaired


def compare_all(as_of: date) -> Iterator[Mismatch[YearTotal]]:
    """Yield the differences between the stored totals of all years and the ledger. Write nothing."""
    for year in years(as_of):
        yield from compare(year, as_of)


def compare(year: int, as_of: date) -> list[Mismatch[YearTotal]]:
    """Return the differences between all players' stored totals of a year and the ledger."""
    end = reference_day(year, as_of)
    return mismatches(YearTotal.stored.of(end), computed(end, People()))


def computed(end: date, people: People) -> Iterator[YearTotal]:
    """Yield the unsaved totals of these players from 1 January to the day `end`, in order of player id."""
    # Without points in the year, categories and licences need not be read.
    if sums := list(LedgerEntry.objects.sums(date(end.year, 1, 1), end, FAMILY, people.ids)):
        values = {"year": end.year, "day": end}
        yield from build_rows(YearTotal, sums, people.categories(end), people.licensed(end), **values)


def first_year(player_ids: Iterable[int]) -> int:
    """Return the first year with entries or totals of these players, or `date.max.year` if there are none."""
    played = LedgerEntry.objects.filter(player_id__in=player_ids, family=FAMILY)
    stored = YearTotal.stored.filter(player_id__in=player_ids)
    day = played.aggregate(first=Min("played_on"))["first"]
    first_years = [day and day.year, stored.aggregate(first=Min("year"))["first"]]
    return min((year for year in first_years if year), default=date.max.year)


def years(as_of: date) -> range:
    """Return the range of years that may have totals on a day, up to the year of that day.

    They are all years since the first with entries up to that day or with stored totals.
    """
    played = LedgerEntry.objects.filter(family=FAMILY, played_on__lte=as_of)
    day = played.aggregate(first=Min("played_on"))["first"]
    stored = YearTotal.objects.aggregate(first=Min("year"))["first"]
    return range(min(year for year in (as_of.year, day and day.year, stored) if year), as_of.year + 1)
