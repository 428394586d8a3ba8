"""Keep the totals of calendar years equal to the ledger. Called by `scoring.ledger.services.standings`.

The public pages of the year-end change read only these totals, so that their cost does not grow with the
ledger.
"""

from collections.abc import Iterable, Iterator
from datetime import date

from django.db.models import Max, Min

from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, YearTotal
from scoring.ledger.services.sums import Mismatch, People, build_rows, mismatches, repair
from scoring.ledger.windows import reference_day


def refresh(people: People, as_of: date, since: date | None) -> None:
    """Recompute these players' totals of calendar years up to the day `as_of`.

    since: totals of years before this day's year are not recomputed; None for all years
    """
    assert people.ids is not None  # postings refresh named players, never all
    first = since.year if since else first_year(people.ids)
    if not (changed := range(first, as_of.year + 1)):
        return
    stored: dict[int, list[YearTotal]] = {year: [] for year in changed}
    for total in YearTotal.objects.filter(year__in=changed, player_id__in=people.ids):
        stored[total.year].append(total)
    for year, totals in stored.items():
        wrong = mismatches(totals, computed(year, as_of, people))
        repair(YearTotal.objects.filter(year=year), wrong, "year")


def rebuild(as_of: date) -> list[Mismatch[YearTotal]]:
    """Recompute the totals of all years. Return the repaired mismatches."""
    repaired = []
    for year in years(as_of):
        wrong = compare(year, as_of)
        repair(YearTotal.objects.filter(year=year), wrong, "year")
        repaired += wrong
    return repaired


def compare_all(as_of: date) -> Iterator[Mismatch[YearTotal]]:
    """Yield the differences between the stored totals of all years and the ledger. Write nothing."""
    for year in years(as_of):
        yield from compare(year, as_of)


def compare(year: int, as_of: date) -> list[Mismatch[YearTotal]]:
    """Return the differences between all players' stored totals of a year and the ledger."""
    return mismatches(YearTotal.objects.filter(year=year), computed(year, as_of, People()))


def computed(year: int, as_of: date, people: People) -> Iterator[YearTotal]:
    """Yield the unsaved totals of these players in a year, in order of player id; none for a future year."""
    if year > as_of.year:
        return
    day = reference_day(year, as_of)
    # Without points in the year, categories and licences need not be read.
    if sums := list(LedgerEntry.objects.sums(date(year, 1, 1), day, FAMILY, people.ids)):
        yield from build_rows(YearTotal, sums, people.categories(day), people.licensed(day), year=year)


def first_year(player_ids: Iterable[int]) -> int:
    """Return the first year with entries or totals of these players, or `date.max.year` if there are none."""
    played = LedgerEntry.objects.filter(player_id__in=player_ids, family=FAMILY)
    stored = YearTotal.objects.filter(player_id__in=player_ids)
    day = played.aggregate(first=Min("played_on"))["first"]
    first_years = [day and day.year, stored.aggregate(first=Min("year"))["first"]]
    return min((year for year in first_years if year), default=date.max.year)


def years(as_of: date) -> range:
    """Return the range of years that may have totals. It includes the year of `as_of`.

    The range also includes every year with entries up to `as_of` or with stored totals.
    """
    played = LedgerEntry.objects.filter(family=FAMILY, played_on__lte=as_of)
    day = played.aggregate(first=Min("played_on"))["first"]
    stored = YearTotal.objects.aggregate(first=Min("year"), last=Max("year"))
    bounds = [as_of.year, *(year for year in (day and day.year, *stored.values()) if year)]
    return range(min(bounds), max(bounds) + 1)
