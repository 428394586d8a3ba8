"""Keep the 12-month standings and the year totals equal to the ledger."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q

from players.models import Category, CategoryAssignment, Licence
from scoring.ledger import systems
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, Standing, StandingsState, YearTotal
from scoring.ledger.services import year_totals
from scoring.ledger.services.sums import Mismatch, People, build_rows, mismatches, repair, upsert
from scoring.ledger.windows import first_day
from tournaments.models import Tournament
from ui.chunks import chunks
from ui.clock import today


def lock_states(families: Iterable[str] = ()) -> dict[str, StandingsState]:
    """Lock the `StandingsState` rows of all families. Return them as {family: row}.

    Every writer of standings locks all these rows in the same order, so that writers never deadlock.

    families: families whose row is created if it is missing
    """
    states = _locked_states()
    if missing := {FAMILY, *families} - states.keys():
        # All families have the same day, because pages show them together.
        day = states[FAMILY].as_of if FAMILY in states else today()
        rows = [StandingsState(family=family, as_of=day) for family in sorted(missing)]
        StandingsState.objects.bulk_create(rows, ignore_conflicts=True)
        states = _locked_states()
    return states


def _locked_states() -> dict[str, StandingsState]:
    return {state.family: state for state in StandingsState.objects.select_for_update().order_by("family")}


def bump(*, people: bool = False) -> None:
    """Raise the version of all families' standings, so that cached pages of standings and tournaments expire.

    people: whether a category, licence, death or name changed; pages must then never show earlier figures
    """
    version = F("version") + 1
    StandingsState.objects.update(version=version, **({"people_version": version} if people else {}))


def bump_on_commit() -> None:
    """Raise the version of all families' standings once the surrounding transaction has committed.

    Locked rows of `StandingsState` are skipped. The transaction that holds the lock raises their version
    itself.
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
    """Recompute the standings and year totals of these players, up to the day `StandingsState.as_of`.

    families: the families whose points changed; None if licences, categories or names changed, because these
        affect every family
    since: first day with a change; totals of earlier years are not recomputed. None: totals of all years are.
    """
    states = lock_states(families or ())
    ids = sorted(set(player_ids))
    affected = sorted(states if families is None else families)
    for chunk in chunks(ids):
        people = People(chunk)
        for family in affected:
            rows = list(computed(states[family].as_of, people, family))
            standing = Standing.objects.filter(family=family)
            upsert(standing, rows, "family")
            without_points = set(chunk) - {row.player_id for row in rows}
            standing.filter(player_id__in=without_points).delete()
        if FAMILY in affected:
            year_totals.refresh(people, states[FAMILY].as_of, since)
    bump(people=families is None)


def computed(day: date, people: People, family: str = FAMILY) -> Iterator[Standing]:
    """Yield the standings of these players on `day`, computed but not saved, in order of player id."""
    # Families without categories have one list (category None).
    categories = people.categories(day) if systems.of(family).by_category else {}
    sums = LedgerEntry.objects.sums(first_day(day), day, family, people.ids)
    return build_rows(Standing, sums, categories, people.licensed(day), family=family)


@transaction.atomic
def roll(day: date) -> bool:
    """Advance the standings to `day`. Return False if they were already of that day or of a later one."""
    states = lock_states()
    old = min(state.as_of for state in states.values())
    if day <= old:
        return False
    StandingsState.objects.filter(as_of__lt=day).update(as_of=day)
    if Category.objects.filter(valid_to__range=(old, day - timedelta(days=1))).exists():
        rebuild(day)  # a ladder of categories was replaced, which may affect every player
    else:
        refresh(changed_between(old, day, states), since=old)
    return True


def changed_between(old: date, new: date, families: Iterable[str]) -> set[int]:
    """Return the players whose points, category or licence may have changed from the day `old` to `new`.

    The result is a set of player ids.
    """
    new_days = (old + timedelta(days=1), new)
    entries = LedgerEntry.objects.filter(family__in=list(families))
    leaving = entries.filter(played_on__gte=first_day(old), played_on__lt=first_day(new))
    expired = (old, new - timedelta(days=1))
    sources = (
        entries.filter(played_on__range=new_days),
        leaving,
        CategoryAssignment.objects.filter(valid_from__range=new_days),
        Licence.objects.filter(Q(valid_from__range=new_days) | Q(valid_to__range=expired)),
    )
    return {player for source in sources for player in source.values_list("player_id", flat=True).distinct()}


def compare(day: date, family: str = FAMILY) -> list[Mismatch[Standing]]:
    """Return the differences between the stored standings and the ledger on `day`. Write nothing."""
    return mismatches(Standing.objects.filter(family=family), computed(day, People(), family))


@transaction.atomic
def rebuild(day: date | None = None) -> list[Mismatch[Any]]:
    """Recompute all standings and year totals from the ledger. Return the repaired mismatches.

    day: the new last day of the 12 months; None keeps the current one
    """
    states = lock_states(Tournament.objects.order_by().values_list("family", flat=True).distinct())
    if day:
        StandingsState.objects.exclude(as_of=day).update(as_of=day)
    repaired: list[Mismatch[Any]] = []
    for family, state in states.items():
        wrong = compare(day or state.as_of, family)
        repair(Standing.objects.filter(family=family), wrong, "family")
        repaired += wrong
    repaired += year_totals.rebuild(day or states[FAMILY].as_of)
    bump(people=True)
    return repaired


def roll_if_due() -> bool:
    """Advance the standings to today if they are older. Return whether they were advanced.

    One query if there is nothing to do.
    """
    state = StandingsState.objects.filter(family=FAMILY).first()
    if state and state.as_of >= today():
        return False
    return roll(today())


# --- Receivers of signals -------------------------------------------------------------------------------
def refresh_changed_players(sender: object, player_ids: set[int], since: date | None, **kwargs: Any) -> None:
    """Update the standings of players whose category, licence or name changed, in the same transaction.

    since: first day with a change; None if unknown
    """
    refresh(player_ids, since=since)


def make_year_totals(sender: object, **kwargs: Any) -> None:
    """Compute the year totals after `migrate` if the ledger has entries but no totals are stored yet."""
    if not YearTotal.objects.exists() and LedgerEntry.objects.filter(family=FAMILY).exists():
        rebuild()
