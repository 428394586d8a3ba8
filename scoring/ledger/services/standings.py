"""Keep the 12-month standings and the year totals equal to the ledger.

When a day begins, `advance` prepares its standings beside those of the day before, some hundred players at a
time, and then makes all of them public at once. In between, every change is written to both days. So nobody
waits long for the lock, and readers always see the standings of one day.

Of the days that are over, some are kept (`scoring.ledger.services.kept`). The others are deleted.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from time import monotonic
from typing import Any

from django.db import transaction
from django.db.models import F, Min, Q, QuerySet
from django.db.models.functions import Now

from players.models import Category, CategoryAssignment, Licence, Player
from scoring.ledger import systems
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.isolation import consistent_read
from scoring.ledger.models import LedgerEntry, Standing, StandingsState, YearTotal
from scoring.ledger.queries.week import WEEK, points_gained
from scoring.ledger.services import kept, year_totals
from scoring.ledger.services.sums import Mismatch, People, Row, build_rows, mismatches, repair, upsert
from scoring.ledger.windows import first_day, is_kept, reference_day
from tournaments.models import Tournament
from ui.chunks import chunks
from ui.clock import today
from ui.shared import ANYTHING, changes_only

BATCH = 1000  # rows deleted at once


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

    people: whether more than the points of the last week changed: a category, licence, death or name, too
    """
    _bump(StandingsState.objects.all(), people=people)


def _bump(states: QuerySet[StandingsState], *, people: bool = False) -> None:
    version = F("version") + 1
    states.update(version=version, changed_at=Now(), **({"people_version": version} if people else {}))


def bump_on_commit() -> None:
    """Raise the version of all families' standings once the surrounding transaction has committed.

    Locked rows of `StandingsState` are skipped. The transaction that holds the lock raises their version
    itself.
    """
    transaction.on_commit(_bump_if_free, robust=True)


@transaction.atomic
def _bump_if_free() -> None:
    with changes_only(ANYTHING):
        StandingsState.objects.get_or_create(family=FAMILY, defaults={"as_of": today()})
        free = StandingsState.objects.select_for_update(skip_locked=True).values_list("pk", flat=True)
        _bump(StandingsState.objects.filter(pk__in=list(free)))


@transaction.atomic
def refresh(
    player_ids: Iterable[int], families: Iterable[str] | None = None, since: date | None = None
) -> None:
    """Recompute the standings and year totals of these players, up to the day `StandingsState.as_of`.

    Recompute those of the kept days from `since` on too, and those of a later day that is being prepared.

    families: the families whose points changed; None if licences, categories or names changed, because these
        affect every family
    since: first day with a change; earlier kept days and totals of earlier years are not recomputed. None:
        all are.
    """
    states = lock_states(families or ())
    affected = sorted(states if families is None else families)
    state = states[FAMILY]
    days = [day for day in (state.as_of, state.next_day) if day]
    players = sorted(set(player_ids))
    for chunk in chunks(players):
        _recompute(People(chunk), affected, days, since)
    kept.refresh(state, players, affected, since)
    bump(people=families is None)


def _recompute(people: People, families: Iterable[str], days: Sequence[date], since: date | None) -> None:
    """Write the sums of these players on these days. The states must be locked."""
    assert people.ids is not None
    for day in days:
        for family in families:
            rows = list(computed(day, people, family))
            standing = Standing.stored.filter(family=family, day=day)
            upsert(standing, rows, "family")
            without_points = set(people.ids) - {row.player_id for row in rows}
            standing.filter(player_id__in=without_points).delete()
    if FAMILY in families:
        year_totals.refresh(people, days, since)


def computed(day: date, people: People, family: str = FAMILY) -> Iterator[Standing]:
    """Yield the standings of these players on `day`, computed but not saved, in order of player id."""
    # Families without categories have one list (category None).
    categories = people.categories(day) if systems.of(family).by_category else {}
    sums = LedgerEntry.objects.sums(first_day(day), day, family, people.ids)
    rows = build_rows(Standing, sums, categories, people.licensed(day), family=family, day=day)
    gained = points_gained(day, people.ids) if family == FAMILY else None
    for row in rows:
        if gained is not None:
            row.points_week_ago = row.points - gained[row.player_id]
        yield row


# --- A new day ------------------------------------------------------------------------------------------
SLICE = 100  # players whose sums of the next day are prepared under one lock
KEPT_SLICE = 50  # players whose standings of all kept days are written under one lock
SECONDS = 5.0  # for which one call of `roll_if_due` goes on


def roll(day: date) -> bool:
    """Advance the standings to `day`. Return False if they were already of that day or of a later one."""
    advanced = False
    while _begin(day):
        while not _prepare_slice():
            pass
        advanced = True
    delete_old_rows()
    return advanced


def roll_if_due() -> bool:
    """Go on advancing the standings to today, for some seconds. Return whether a new day became public.

    If they are of today, go on filling the kept days. One query if there is nothing to do.
    """
    state = StandingsState.objects.filter(family=FAMILY).first()
    if state and state.has_old_rows:
        delete_old_rows()  # not at once, because a page that is being made may still read them
    deadline = monotonic() + SECONDS
    if state and state.as_of >= today():
        while state.unkept_from and monotonic() < deadline and not fill_slice():
            pass
        return False
    while _begin(today()) and monotonic() < deadline:
        if _prepare_slice():
            return True
    return False


@transaction.atomic
def _begin(day: date) -> bool:
    """Begin to prepare the standings of `day`. Return False if there is no need to.

    If those of an earlier day are being prepared, that is finished first.
    """
    state = lock_states()[FAMILY]
    if day <= state.as_of:
        return False
    if state.next_day is None:
        with changes_only():
            StandingsState.objects.update(next_day=day, prepared_to=0)
    return True


@transaction.atomic
def _prepare_slice() -> bool:
    """Prepare the next day's sums of some more players. Return whether the next day has become public.

    The sums of players for whom nothing changes are copied.
    """
    states = lock_states()
    state = states[FAMILY]
    old, new = state.as_of, state.next_day
    if new is None:
        return True  # another worker has published it
    players = Player.objects.filter(pk__gt=state.prepared_to).order_by("pk")
    ids = list(players.values_list("pk", flat=True)[:SLICE])
    if not ids:
        _publish(new)
        return True
    if Category.objects.filter(valid_to__range=(old, new - timedelta(days=1))).exists():
        changed = set(ids)  # a ladder of categories was replaced, which may affect every player
    else:
        changed = changed_between(old, new, states, ids)
    over = kept.days_since(state, old, states)  # kept days that begin and end unseen
    with changes_only():  # no page shows the next day before it is published
        _copy_sums(old, [*over, new], [player for player in ids if player not in changed])
        if changed:
            _recompute(People(sorted(changed)), sorted(states), [new], old)
            kept.write(sorted(changed), sorted(states), over)
        StandingsState.objects.update(prepared_to=ids[-1])
    return False


def _copy_sums(old: date, days: Sequence[date], player_ids: Sequence[int]) -> None:
    """Store the sums that these players have on the day `old` as those of later days.

    Rows that exist already were written by `refresh`.

    days: kept days, and at last the new day
    """
    _copy(Standing.stored.filter(player_id__in=player_ids, day=old), days)
    end = reference_day(old.year, days[-1])
    if end > old:  # on 31 December the total of the year is final
        _copy(YearTotal.stored.filter(player_id__in=player_ids, day=old), [end])


def _copy(rows: QuerySet[Row], days: Sequence[date]) -> None:
    copies = list(rows)
    for day in days:
        for row in copies:
            row.pk, row.day = None, day
        rows.model._base_manager.bulk_create(copies, ignore_conflicts=True)


def _publish(day: date) -> None:
    """Make the prepared standings of `day` public. The states must be locked."""
    StandingsState.objects.update(as_of=day, next_day=None, prepared_to=0, has_old_rows=True)
    bump(people=True)


def delete_old_rows() -> None:
    """Delete the sums of days before that of the standings, except those of kept days."""
    state = StandingsState.objects.get(family=FAMILY)
    if not state.has_old_rows:
        return
    with changes_only():
        _delete_before(state.as_of)
        StandingsState.objects.filter(as_of=state.as_of).update(has_old_rows=False)


def _delete_before(day: date) -> None:
    for family in StandingsState.objects.values_list("family", flat=True):
        for old in _stored_days(family, day):
            if not is_kept(old):
                _delete(Standing.stored.filter(family=family, day=old))
    ended = Q(day__month=12, day__day=31)  # the totals of a year that is over remain
    _delete(YearTotal.stored.exclude(ended).filter(day__lt=day))


def _stored_days(family: str, end: date) -> Iterator[date]:
    """Yield the days before `end` of which standings are stored. One query for each, on an index."""
    rows = Standing.stored.filter(family=family, day__lt=end)
    while (day := rows.aggregate(first=Min("day"))["first"]) is not None:
        yield day
        rows = rows.filter(day__gt=day)


def _delete(rows: QuerySet[Row]) -> None:
    old = rows.order_by()
    while ids := list(old.values_list("pk", flat=True)[:BATCH]):
        rows.filter(pk__in=ids).delete()


@transaction.atomic
def fill_slice() -> bool:
    """Store the standings of some more players on the kept days. Return whether all are stored.

    Until then, pages sum the lists of these days from the ledger.
    """
    states = lock_states()
    state = states[FAMILY]
    if state.unkept_from is None:
        return True  # another worker has finished
    players = Player.objects.filter(pk__gt=state.kept_to).order_by("pk")
    ids = list(players.values_list("pk", flat=True)[:KEPT_SLICE])
    with changes_only():  # no page reads a kept day before all of it is stored
        if ids:
            days = kept.days_since(state, None, states)
            kept.write(ids, sorted(states), [day for day in days if day >= state.unkept_from])
            StandingsState.objects.update(kept_to=ids[-1])
        else:
            StandingsState.objects.update(unkept_from=None, kept_to=0)
    return not ids


def changed_between(old: date, new: date, families: Iterable[str], player_ids: Sequence[int]) -> set[int]:
    """Return those of these players whose standings may change from the day `old` to `new`.

    By points, of now or a week ago, by category or licence, or because the points of a week ago are unknown.

    The result is a set of player ids.
    """
    new_days = (old + timedelta(days=1), new)
    week_ago = (old - WEEK + timedelta(days=1), new - WEEK)
    entries = LedgerEntry.objects.filter(family__in=list(families))
    leaving = entries.filter(played_on__gte=first_day(old), played_on__lt=first_day(new))
    left = entries.filter(played_on__gte=first_day(old - WEEK), played_on__lt=first_day(new - WEEK))
    expired = (old, new - timedelta(days=1))
    sources = (
        entries.filter(played_on__range=new_days),
        leaving,
        entries.filter(family=FAMILY, played_on__range=week_ago),
        left.filter(family=FAMILY),
        Standing.stored.filter(family=FAMILY, day=old, points_week_ago=None),
        CategoryAssignment.objects.filter(valid_from__range=new_days),
        Licence.objects.filter(Q(valid_from__range=new_days) | Q(valid_to__range=expired)),
    )
    return {
        player
        for source in sources
        for player in source.filter(player_id__in=player_ids).values_list("player_id", flat=True).distinct()
    }


# --- Comparing and repairing ----------------------------------------------------------------------------
def compare(day: date, family: str = FAMILY) -> list[Mismatch[Standing]]:
    """Return the differences between the stored standings and the ledger on `day`. Write nothing."""
    return mismatches(Standing.stored.filter(family=family, day=day), computed(day, People(), family))


def compare_kept() -> Iterator[Mismatch[Standing]]:
    """Yield the differences between the stored standings of kept days and the ledger. Write nothing.

    Days that are not all stored yet are left out.
    """
    states = {state.family: state for state in StandingsState.objects.order_by("family")}
    days = kept.complete_days(states[FAMILY], states) if FAMILY in states else []
    for ids in chunks(Player.objects.order_by("pk").values_list("pk", flat=True) if days else ()):
        yield from kept.compare(ids, states, days)


def rebuild(day: date | None = None) -> list[Mismatch[Any]]:
    """Recompute all standings and year totals from the ledger. Return the repaired mismatches.

    They are compared without a lock; then the players that differ are recomputed, some hundred at a time.
    If the standings of kept days are not all stored, they are filled first.

    day: the new last day of the 12 months; None keeps the current one
    """
    with transaction.atomic():
        states = lock_states(Tournament.objects.order_by().values_list("family", flat=True).distinct())
    at_once = day not in (None, states[FAMILY].as_of) or not Standing.objects.exists()
    repaired = rebuild_at_once(day) if at_once else []
    _fill()
    if at_once:
        return repaired
    wrong: list[Mismatch[Any]] = []
    with consistent_read():
        for state in StandingsState.objects.order_by("family"):
            wrong += compare(state.as_of, state.family)
        wrong += year_totals.compare_all(states[FAMILY].as_of)
        of_kept_days = list(islice(compare_kept(), kept.MOST + 1))
        wrong += of_kept_days
    if len(of_kept_days) > kept.MOST:
        with transaction.atomic():
            kept.forget(lock_states()[FAMILY], date.min)
    for players in chunks(sorted({row.player_id for row in wrong})):
        refresh(players)
    _fill()
    return wrong


def _fill() -> None:
    while not fill_slice():
        pass


@transaction.atomic
def rebuild_at_once(day: date | None = None) -> list[Mismatch[Any]]:
    """Recompute all but kept days in one transaction, or as a part of the caller's.

    Return the repaired mismatches. Nobody can post until it commits. Workers fill the kept days afterwards.

    day: as for `rebuild`
    """
    states = lock_states()
    day = day or states[FAMILY].as_of
    StandingsState.objects.update(as_of=day, next_day=None, prepared_to=0, has_old_rows=False)
    kept.forget(states[FAMILY], date.min)
    repaired: list[Mismatch[Any]] = []
    for family in states:
        wrong = compare(day, family)
        repair(Standing.stored.filter(family=family, day=day), wrong, "family")
        repaired += wrong
    Standing.stored.filter(day__gt=day).delete()
    _delete_before(day)
    repaired += year_totals.rebuild(day)
    bump(people=True)
    return repaired


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
