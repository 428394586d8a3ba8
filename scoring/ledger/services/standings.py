"""Keeping the 12-month standings, and the totals of years, equal to the ledger."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from django.db import transaction
from django.db.models import F, Q

from players.models import Category, CategoryAssignment, Licence
from scoring.ledger import systems
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, Standing, StandingsState
from scoring.ledger.services import year_totals
from scoring.ledger.services.sums import Difference, People, differing, mend, summed, write
from scoring.ledger.windows import first_day
from tournaments.models import Tournament
from ui.chunks import chunks
from ui.clock import today


def lock_states(families: Iterable[str] = ()) -> dict[str, StandingsState]:
    """The states of every family, and of `families` even if they are new, all locked.

    Whoever changes standings holds them all, taken in one order, so that writers never deadlock.
    """
    own, _made = StandingsState.objects.get_or_create(family=FAMILY, defaults={"as_of": today()})
    for family in set(families) - {FAMILY}:
        # All families are of one day: pages show them beside each other.
        StandingsState.objects.get_or_create(family=family, defaults={"as_of": own.as_of})
    rows = StandingsState.objects.select_for_update().order_by("family")
    return {state.family: state for state in rows}


def bump(*, people: bool = False) -> None:
    """Say that pages made from standings, names or tournaments are out of date, whatever the family.

    people: somebody's category, licence, death or name changed: earlier figures must not be shown any more
    """
    version = F("version") + 1
    StandingsState.objects.update(version=version, **({"people_version": version} if people else {}))


def bump_on_commit() -> None:
    """The same once the surrounding transaction is there, without waiting for whoever changes standings.

    They raise the version themselves when they are done, and by then see what was committed here.
    """
    transaction.on_commit(_bump_if_free, robust=True)


@transaction.atomic
def _bump_if_free() -> None:
    StandingsState.objects.get_or_create(family=FAMILY, defaults={"as_of": today()})
    free = StandingsState.objects.select_for_update(skip_locked=True).values_list("pk", flat=True)
    StandingsState.objects.filter(pk__in=list(free)).update(version=F("version") + 1)


@transaction.atomic
def refresh(
    player_ids: Iterable[int], families: Iterable[str] | None = None, since: date | None = None
) -> None:
    """Bring the standings and the years of these players up to the ledger, as of the states' day.

    families: those whose points changed; None where it was licences, categories or names, which concern all
    since: the first day whose points, licences or categories changed; None: any may have
    """
    states = lock_states(families or ())
    ids = sorted(set(player_ids))
    concerned = sorted(states if families is None else families)
    for chunk in chunks(ids):
        people = People(chunk)
        for family in concerned:
            rows = list(computed(states[family].as_of, people, family))
            standing = Standing.objects.filter(family=family)
            write(standing, rows, "family")
            gone = set(chunk) - {row.player_id for row in rows}
            standing.filter(player_id__in=gone).delete()
        if FAMILY in concerned:
            year_totals.refresh(people, states[FAMILY].as_of, since)
    bump(people=families is None)


def computed(day: date, people: People, family: str = FAMILY) -> Iterator[Standing]:
    """What the standings of these players should be on `day`, unsaved, by player."""
    # A family whose lists do not go by category has them all under none.
    categories = people.categories(day) if systems.of(family).by_category else {}
    sums = LedgerEntry.objects.sums(first_day(day), day, family, people.ids)
    return summed(Standing, sums, categories, people.licensed(day), family=family)


@transaction.atomic
def roll(day: date) -> bool:
    """Move the standings on to `day`; False when they are there, or past it because a clock went back."""
    states = lock_states()
    old = min(state.as_of for state in states.values())
    if day <= old:
        return False
    StandingsState.objects.filter(as_of__lt=day).update(as_of=day)
    if Category.objects.filter(valid_to__range=(old, day - timedelta(days=1))).exists():
        rebuild(day)  # a new ladder: everybody's category may be called otherwise
    else:
        refresh(changed_between(old, day, states), since=old)
    return True


def changed_between(old: date, new: date, families: Iterable[str]) -> set[int]:
    """Players whose standing can differ between two days: awards in or out, categories, licences."""
    fresh = (old + timedelta(days=1), new)
    entries = LedgerEntry.objects.filter(family__in=list(families))
    leaving = entries.filter(played_on__gte=first_day(old), played_on__lt=first_day(new))
    expired = (old, new - timedelta(days=1))
    sources = (
        entries.filter(played_on__range=fresh),
        leaving,
        CategoryAssignment.objects.filter(valid_from__range=fresh),
        Licence.objects.filter(Q(valid_from__range=fresh) | Q(valid_to__range=expired)),
    )
    return {player for source in sources for player in source.values_list("player_id", flat=True).distinct()}


def compare(day: date, family: str = FAMILY) -> list[Difference]:
    """Every player whose stored standing is not what the ledger gives on `day`; writes nothing."""
    return differing(Standing.objects.filter(family=family), computed(day, People(), family))


@transaction.atomic
def rebuild(day: date | None = None) -> list[Difference]:
    """Compute every standing and every year from the ledger, mend what differs, and say what did."""
    states = lock_states(posted_families())
    if day:
        StandingsState.objects.exclude(as_of=day).update(as_of=day)
    found = []
    for family, state in states.items():
        differences = compare(day or state.as_of, family)
        mend(Standing.objects.filter(family=family), differences, "family")
        found += differences
    found += year_totals.rebuild(day or states[FAMILY].as_of)
    bump(people=True)
    return found


def posted_families() -> list[str]:
    """The families that tournaments have given points of."""
    return list(Tournament.objects.order_by().values_list("family", flat=True).distinct())


def roll_if_due() -> bool:
    """Roll when the calendar has moved on; cheap when it has not."""
    state = StandingsState.objects.filter(family=FAMILY).first()
    if state and state.as_of >= today():
        return False
    return roll(today())
