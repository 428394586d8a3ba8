"""Keeping the totals of calendar years equal to the ledger: `scoring.ledger.services.standings` calls this.

What everybody may read of the year-end change comes from them alone, so that a posting costs the next reader
nothing that grows with the ledger.
"""

from collections.abc import Iterable, Iterator
from datetime import date

from django.db.models import Max, Min

from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, YearTotal
from scoring.ledger.services.sums import Difference, People, differing, mend, summed
from scoring.ledger.windows import reference_day


def refresh(people: People, as_of: date, since: date | None) -> None:
    """Bring these players' years up to the ledger, from the year of `since` (None: from their first) on."""
    first = since.year if since else first_year(people.ids)
    for year in range(first, as_of.year + 1):
        mend(YearTotal.objects.filter(year=year), compare(year, as_of, people), "year")


def rebuild(as_of: date) -> list[Difference]:
    """Mend the totals of all years; returns what differed."""
    found = []
    for year in years(as_of):
        differences = compare(year, as_of, People())
        mend(YearTotal.objects.filter(year=year), differences, "year")
        found += differences
    return found


def differences(as_of: date) -> Iterator[Difference]:
    """Every total that is not what the ledger gives; writes nothing."""
    for year in years(as_of):
        yield from compare(year, as_of, People())


def compare(year: int, as_of: date, people: People) -> list[Difference]:
    """The same of one year, and of these players."""
    stored = YearTotal.objects.filter(year=year)
    if people.ids is not None:
        stored = stored.filter(player_id__in=people.ids)
    return differing(stored, computed(year, as_of, people))


def computed(year: int, as_of: date, people: People) -> Iterator[YearTotal]:
    """What these players' totals should be, unsaved, by player; none of a year that has not begun."""
    if year > as_of.year:
        return
    day = reference_day(year, as_of)
    sums = LedgerEntry.objects.sums(date(year, 1, 1), day, FAMILY, people.ids)
    yield from summed(YearTotal, sums, people.categories(day), people.licensed(day), year=year)


def first_year(player_ids: Iterable[int]) -> int:
    """The first year in which any of them has entries or totals; one that never comes where none has."""
    played = LedgerEntry.objects.filter(player_id__in=player_ids, family=FAMILY)
    stored = YearTotal.objects.filter(player_id__in=player_ids)
    day = played.aggregate(first=Min("played_on"))["first"]
    found = [day and day.year, stored.aggregate(first=Min("year"))["first"]]
    return min((year for year in found if year), default=date.max.year)


def years(as_of: date) -> range:
    """Every year with entries up to `as_of`, or with totals whenever."""
    played = LedgerEntry.objects.filter(family=FAMILY, played_on__lte=as_of)
    day = played.aggregate(first=Min("played_on"))["first"]
    stored = YearTotal.objects.aggregate(first=Min("year"), last=Max("year"))
    found = [as_of.year, *(year for year in (day and day.year, *stored.values()) if year)]
    return range(min(found), max(found) + 1)
