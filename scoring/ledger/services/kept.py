"""Keep the standings of some past days, from which those of any past day follow.

The days are those of `scoring.ledger.windows.is_kept`. When such a day is over, its standings stay. They
change with each entry of the ledger that counts on that day, and with licences and categories of that day.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import accumulate, groupby
from typing import Any

from django.db.models import Min

from players.categories import categories_by_day
from players.models import Licence
from scoring.ledger import systems
from scoring.ledger.models import LedgerEntry, Standing, StandingsState
from scoring.ledger.models.standings import SUMS
from scoring.ledger.services.sums import Mismatch, mismatches, repair
from scoring.ledger.windows import first_day, kept_days, leaves_on
from ui.chunks import chunks

MOST = 10_000  # rows of kept days that one change writes at once: a second


def days_since(state: StandingsState, since: date | None, families: Iterable[str]) -> list[date]:
    """Return the kept days from `since` on, or since the first entry, up to the day of the standings.

    That day itself is left out, and so is the day that is being prepared.
    """
    if since is None:
        entries = (LedgerEntry.objects.filter(family=family) for family in families)
        firsts = [rows.aggregate(first=Min("played_on"))["first"] for rows in entries]
        since = min((day for day in firsts if day), default=state.as_of)
    last = state.next_day or state.as_of
    return [day for day in kept_days(since, last) if day not in (state.as_of, state.next_day)]


def complete_days(state: StandingsState, families: Iterable[str]) -> list[date]:
    """Return the kept days whose standings are all stored."""
    end = min(state.as_of, state.unkept_from or state.as_of)
    return [day for day in days_since(state, None, families) if day < end]


def refresh(
    state: StandingsState, players: Sequence[int], families: Iterable[str], since: date | None
) -> None:
    """Recompute the standings of these players on all kept days from `since` on. The states must be locked.

    If that would take long, workers write the days again, some players at a time (`standings.fill_slice`).
    """
    days = days_since(state, since, families) if players else []
    if len(players) * len(days) > MOST:
        forget(state, days[0])
        return
    for ids in chunks(players):
        write(ids, families, days)


def write(ids: list[int], families: Iterable[str], days: Sequence[date]) -> None:
    """Recompute the standings of a few players on these kept days, which are in order."""
    if wrong := list(compare(ids, families, days)):
        repair(Standing.stored.all(), wrong, "family")


def forget(state: StandingsState, since: date) -> None:
    """Note that the kept days from this one on have to be written again. The states must be locked."""
    earliest = min(state.unkept_from or since, since)
    StandingsState.objects.update(unkept_from=earliest, kept_to=0)


def compare(ids: list[int], families: Iterable[str], days: Sequence[date]) -> Iterator[Mismatch[Standing]]:
    """Yield the differences between these players' stored standings of kept days and the ledger."""
    if not days:
        return
    people = _People(ids, days)
    for family in families:
        between = Standing.stored.filter(family=family, player_id__in=ids, day__range=(days[0], days[-1]))
        stored = [row for row in between.order_by() if row.day in people.days]
        yield from mismatches(stored, _computed(people, family))


class _People:
    """A group of players, whose categories and licences on many days are read at once.

    firsts: for each day, the first of the days whose points count
    """

    def __init__(self, ids: list[int], days: Sequence[date]) -> None:
        self.ids, self.in_order, self.days = ids, list(days), frozenset(days)
        self.firsts = [first_day(day) for day in days]
        self.category = categories_by_day(ids)
        self._licences: dict[int, list[tuple[date, date]]] = {}
        licences = Licence.objects.counting().filter(player_id__in=ids).order_by()
        for player, first, last in licences.values_list("player_id", "valid_from", "valid_to"):
            self._licences.setdefault(player, []).append((first, last))

    def licensed(self, player: int, day: date) -> bool:
        return any(first <= day <= last for first, last in self._licences.get(player, ()))


def _computed(people: _People, family: str) -> Iterator[Standing]:
    """Yield the standings of these players on all their days, computed but not saved. One query.

    They are equal to those of `standings.computed` on each day, but the entries are read once for all days.
    """
    by_category = systems.of(family).by_category
    entries = LedgerEntry.objects.between(people.firsts[0], people.in_order[-1], family)
    rows = (
        entries.filter(player_id__in=people.ids)
        .order_by("player_id", "played_on")
        .values_list("player_id", "played_on")
        .annotate(**SUMS)
    )
    for player, of_player in groupby(rows, key=lambda row: row[0]):
        for day, figures in _running(people, list(of_player)):
            category = people.category(player, day) if by_category else None
            yield Standing(
                player_id=player,
                family=family,
                day=day,
                category_id=category.pk if category else None,
                licensed=people.licensed(player, day),
                points=figures["points_in_person"] + figures["points_online"],
                **figures,
            )


def _running(people: _People, rows: Sequence[tuple[Any, ...]]) -> Iterator[tuple[date, dict[str, int]]]:
    """Yield (day, sums of the entries that count on it) of one player, without days on which all are zero.

    rows: (player, day of the entries, their sums), in order of the day
    """
    played = [row[1] for row in rows]
    # What was won before each row, and in all.
    before = [list(accumulate((row[2 + at] for row in rows), initial=0)) for at in range(len(SUMS))]
    first = bisect_left(people.in_order, played[0])
    last = bisect_left(people.in_order, leaves_on(played[-1]))
    for at in range(first, last):
        start, stop = bisect_left(played, people.firsts[at]), bisect_right(played, people.in_order[at])
        sums = [column[stop] - column[start] for column in before]
        if any(sums):
            yield people.in_order[at], dict(zip(SUMS, sums, strict=True))
