"""The standings of a past day, summed from the ledger entries of twelve months."""

from collections.abc import Iterable
from functools import cached_property
from operator import add
from typing import Any

from django.db.models import Q, QuerySet

from players.categories import ids_read_as
from players.models import CategoryAssignment, Licence, Player
from scoring.ledger.models import LedgerEntry
from scoring.ledger.models.ledger import LedgerEntryQuerySet
from scoring.ledger.models.standings import VENUE_COLUMNS
from scoring.ledger.queries.scope import Record, Scope
from scoring.ledger.windows import first_day

Row = tuple[int, ...]  # player id, total, points in person, points online


class Summed:
    """The sums of the players of one list on its day. Summing a whole list takes long in a large federation.

    With `Scope.as_published`, entries posted and categories recorded after that day are ignored. Licences,
    merges and names are nevertheless read as recorded today. So the points of players merged later are added
    to those of the surviving player.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def points(self, column: str, ids: Iterable[int] | None = None) -> dict[int, int]:
        """Return {player id: points in hundredths} of the players of the list, those with none included.

        column: one of `VENUE_COLUMNS`
        ids: players to look up; None for the whole list
        """
        index = 1 + VENUE_COLUMNS.index(column)
        rows = self._whole_list if ids is None else self._rows(set(ids) - self.survivors.keys())
        return {row[0]: row[index] for row in rows}

    def figures(self, ids: list[int]) -> dict[int, Record]:
        """Return {player id: sums}: the points, those of each venue, and the number of tournaments."""
        day, family = self.scope.day, self.scope.family
        merged = self._merged_into(set(ids))
        return dict(self._entries.sums(first_day(day), day, family, ids + merged, merged=bool(merged)))

    @cached_property
    def survivors(self) -> dict[int, int]:
        """{merged player's id: surviving player's id}, to add the points of the one to those of the other.

        Empty unless `Scope.as_published` is set. Without it, nothing has to be added: the merge has moved the
        entries to the surviving player, and the list counts the moved entries.
        """
        if not self.scope.as_published:
            return {}
        return dict(Player.objects.filter(merged_into__isnull=False).values_list("pk", "merged_into_id"))

    @property
    def _entries(self) -> LedgerEntryQuerySet:
        return LedgerEntry.objects.recorded(self.scope.recorded_before)

    @cached_property
    def _whole_list(self) -> list[Row]:
        return self._rows(None)

    def _merged_into(self, ids: set[int]) -> list[int]:
        return [pk for pk, into in self.survivors.items() if into in ids]

    def _rows(self, ids: set[int] | None) -> list[Row]:
        """Return the rows of those of these players who are in the list. `ids` is None for all."""
        day = self.scope.day
        totals = self._entries.totals(first_day(day), day, self.scope.family)
        if ids is not None:
            totals = totals.filter(player_id__in=[*ids, *self._merged_into(ids)])
        for holders in self._conditions(ids):
            listed = Q(player_id__in=holders.values("player_id"))
            if self.survivors:
                survivors = holders.filter(player_id__in=set(self.survivors.values()))
                included = set(survivors.values_list("player_id", flat=True))
                merged = self.survivors.items()
                listed |= Q(player_id__in=[pk for pk, into in merged if into in included])
                listed &= ~Q(player_id__in=[pk for pk, into in merged if into not in included])
            totals = totals.filter(listed)
        return self._with_merged(totals)

    def _conditions(self, ids: set[int] | None) -> list[QuerySet[Any]]:
        """Return query sets of the rows whose players are in the list: by category, and by licence."""
        scope = self.scope
        assigned, licences = CategoryAssignment.objects.all(), Licence.objects.all()
        if ids is not None:
            assigned, licences = assigned.filter(player_id__in=ids), licences.filter(player_id__in=ids)
        conditions: list[QuerySet[Any]] = []
        if scope.category:
            in_force = assigned.in_force(scope.day, scope.recorded_before).values("pk")
            codes = ids_read_as(scope.category, scope.day)
            # Filter in two steps: a condition in the same query would apply before the latest is chosen.
            conditions.append(CategoryAssignment.objects.filter(pk__in=in_force, category_id__in=codes))
        if scope.licensed_only:
            conditions.append(licences.valid_on(scope.day))
        return conditions

    def _with_merged(self, totals: Iterable[Row]) -> list[Row]:
        """Add the points of merged players to the rows of the surviving players. Return all rows."""
        if not self.survivors:
            return list(totals)
        sums: dict[int, tuple[int, ...]] = {}
        for player, *points in totals:
            into = self.survivors.get(player, player)
            sums[into] = tuple(map(add, sums.get(into, (0, 0, 0)), points))
        return [(player, *points) for player, points in sums.items()]
