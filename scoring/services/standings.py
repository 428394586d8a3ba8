"""Keeping the 12-month standings equal to the ledger."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from players.categories import categories_on
from players.chunks import chunks
from players.models import Category, CategoryAssignment, Licence
from scoring import systems
from scoring.adapters import FAMILY, licensed_on
from scoring.models import LedgerEntry, Standing, StandingsState
from scoring.windows import first_day
from tournaments.models import Tournament

COLUMNS = ["category_id", "licensed", "points", "points_in_person", "points_online", "tournaments"]


@dataclass(frozen=True, slots=True)
class Difference:
    """A standing that was not what the ledger says; None for a missing or a superfluous row."""

    player_id: int
    stored: Standing | None
    computed: Standing | None


def today() -> date:
    """The federation's date, by its own clock."""
    return timezone.localdate()


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


def bump() -> None:
    """Say that pages made from standings, names or tournaments are out of date, whatever the family."""
    StandingsState.objects.update(version=F("version") + 1)


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
def refresh(player_ids: Iterable[int], families: Iterable[str] | None = None) -> None:
    """Bring the standings of these players up to the ledger, as of the states' day.

    families: those whose points changed; None where it was licences or categories, which concern all
    """
    states = lock_states(families or ())
    ids = sorted(set(player_ids))
    for family in sorted(states if families is None else families):
        for chunk in chunks(ids):
            rows = list(computed(states[family].as_of, chunk, family))
            write(rows)
            gone = set(chunk) - {row.player_id for row in rows}
            Standing.objects.filter(family=family, player_id__in=gone).delete()
    bump()


def computed(day: date, player_ids: list[int] | None = None, family: str = FAMILY) -> Iterator[Standing]:
    """What the standings of these players (None: of all) should be on `day`, unsaved, by player."""
    entries = LedgerEntry.objects.filter(family=family, played_on__range=(first_day(day), day))
    if player_ids is not None:
        entries = entries.filter(player_id__in=player_ids)
    totals = (
        entries.order_by("player_id")
        .values_list("player_id")
        .annotate(
            in_person=Coalesce(Sum("points", filter=Q(online=False)), 0),
            remote=Coalesce(Sum("points", filter=Q(online=True)), 0),
            # An award and its reversal are one tournament less one.
            played=Count("pk", filter=~Q(kind="reversal") & ~Q(kind="adjustment"))
            - Count("pk", filter=Q(kind="reversal")),
        )
    )
    # A family whose lists do not go by category has them all under none.
    categories = categories_on(day, player_ids) if systems.of(family).by_category else {}
    licensed = licensed_on(day, player_ids)
    for player, in_person, remote, played in totals:
        if not (in_person or remote or played):
            continue  # everything was taken back: nothing to list
        category = categories.get(player)
        yield Standing(
            family=family,
            player_id=player,
            category_id=category and category.pk,
            licensed=player in licensed,
            points=in_person + remote,
            points_in_person=in_person,
            points_online=remote,
            tournaments=played,
        )


def write(rows: Iterable[Standing]) -> None:
    """Insert or overwrite standings."""
    Standing.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["player", "family"],
        update_fields=[column.removesuffix("_id") for column in COLUMNS], batch_size=1000,
    )  # fmt: skip


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
        refresh(changed_between(old, day, states))
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
    stored = {row.player_id: row for row in Standing.objects.filter(family=family)}
    wanted = {row.player_id: row for row in computed(day, None, family)}
    return [
        Difference(player, stored.get(player), wanted.get(player))
        for player in sorted(stored.keys() | wanted.keys())
        if values(stored.get(player)) != values(wanted.get(player))
    ]


@transaction.atomic
def rebuild(day: date | None = None) -> list[Difference]:
    """Compute every standing from the ledger, mend what differs, and say what did."""
    states = lock_states(posted_families())
    if day:
        StandingsState.objects.exclude(as_of=day).update(as_of=day)
    found = []
    for family, state in states.items():
        differences = compare(day or state.as_of, family)
        write(row.computed for row in differences if row.computed)
        gone = [row.player_id for row in differences if row.computed is None]
        for chunk in chunks(gone):
            Standing.objects.filter(family=family, player_id__in=chunk).delete()
        found += differences
    bump()
    return found


def posted_families() -> list[str]:
    """The families that tournaments have given points of."""
    return list(Tournament.objects.order_by().values_list("family", flat=True).distinct())


def values(row: Standing | None) -> tuple | None:
    """What has to be equal for two standings of a player to be the same."""
    return row and tuple(getattr(row, column) for column in COLUMNS)


def roll_if_due() -> bool:
    """Roll when the calendar has moved on; cheap when it has not."""
    state = StandingsState.objects.filter(family=FAMILY).first()
    if state and state.as_of >= today():
        return False
    return roll(today())
