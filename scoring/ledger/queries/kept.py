"""The standings of any past day, from those of the nearest day that is kept and what changed in between."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db import connections
from django.db.models import Q, QuerySet, Sum

from players.categories import categories_on
from players.models import Category, CategoryAssignment, Licence
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, Standing, StandingsState
from scoring.ledger.models.standings import SUMS
from scoring.ledger.windows import first_day, kept_days
from ui.chunks import chunks
from ui.memo import collector_off

POINTS = {"points": Sum("points"), **SUMS}  # how entries add up to a column of the standings
ONE = timedelta(days=1)
FAR = timedelta(days=11)  # at most, between two kept days that follow each other
MOST = 10_000  # players whose category or licence is looked up one by one; SQLite limits a query's parameters


@dataclass(frozen=True, slots=True)
class Span:
    """Days whose entries count on the past day and not on the kept one (sign 1), or the reverse (-1)."""

    sign: int
    first: date
    last: date


class TooManyChanges(Exception):
    """Categories or licences of so many players changed that the kept standings do not help."""


class Past:
    """The sums of the players of one list on a past day. Raises TooManyChanges.

    base: the nearest kept day
    other: the nearest kept day on the other side of the past day
    category: None for a family without categories
    licensed_only: whether only players with a licence on the past day are listed
    """

    def __init__(
        self, base: date, day: date, other: date, family: str, category: Category | None, licensed_only: bool
    ) -> None:
        self.base, self.day, self.other, self.family = base, day, other, family
        self.category, self.licensed_only = category, licensed_only
        self.spans = _spans(base, day)
        # Players who may or may not be listed: the standings of the base do not say. For the others whose
        # licence began or ended in between: whether they have one on the past day.
        self._unsure: set[int] = set()
        self._relicensed: dict[int, bool] = {}
        if base != day:
            self._find_changes()

    def points(self, column: str) -> dict[int, int]:
        """Return {player id: points in hundredths} of the players of the list, those with none included.

        column: one of `VENUE_COLUMNS`
        """
        with collector_off():
            kept = fetch(self._of_list(self.base).values_list("player_id", column, "licensed"))
            unsure = self._unsure | self._newcomers({row[0] for row in kept})
            points = {
                player: value
                for player, value, licensed in kept
                if player not in unsure
                if not self.licensed_only or self._relicensed.get(player, licensed)
            }
            for span in self.spans:
                entries = self._entries(span).filter(
                    player_id__in=self._of_list(self.base).values("player_id")
                )
                sums = entries.order_by().values_list("player_id").annotate(sum=POINTS[column])
                for player, value in fetch(sums):
                    if player in points:
                        points[player] += span.sign * value
        for ids in chunks(sorted(unsure), MOST):
            figures = self.figures(self._listed(ids))
            points |= {player: sums[column] for player, sums in figures.items()}
        return points

    def figures(self, ids: Iterable[int]) -> dict[int, dict[str, int]]:
        """Return {player id: sums}: the points, those of each venue, and the number of tournaments."""
        ids, names = list(ids), ("points", *SUMS)
        sums = {player: dict.fromkeys(names, 0) for player in ids}
        if not ids:
            return sums
        kept = self._kept(self.base).filter(player_id__in=ids).values("player_id", *names)
        parts = [(row.pop("player_id"), 1, row) for row in kept]
        for span in self.spans:
            moved = LedgerEntry.objects.sums(span.first, span.last, self.family, ids)
            parts += [(player, span.sign, figures) for player, figures in moved]
        for player, sign, figures in parts:
            for name in names:
                sums[player][name] += sign * figures[name]
        return sums

    def _kept(self, day: date) -> QuerySet[Standing]:
        return Standing.stored.filter(family=self.family, day=day).order_by()

    def _of_list(self, day: date) -> QuerySet[Standing]:
        """Return the standings of the category on a kept day, also of players without a licence."""
        in_category = Q(category=self.category.pk if self.category else None)
        return self._kept(day).filter(in_category)

    def _entries(self, span: Span) -> QuerySet[LedgerEntry]:
        return LedgerEntry.objects.between(span.first, span.last, self.family)

    def _newcomers(self, kept: set[int]) -> set[int]:
        """Return the ids of players with points on the past day who have no standing of the base.

        What they won in between counts on the other kept day, too. If something cancels it there, that can
        only be an adjustment, because a reversal counts on the same days as its award (`_find_changes`).

        kept: ids of the players of the category on the base
        """
        if self.base == self.day:
            return set()
        return {row[0] for row in fetch(self._of_list(self.other).values_list("player_id"))} - kept

    def _listed(self, ids: Iterable[int]) -> set[int]:
        """Return those of these players who belong to the list by their category and licence of the day."""
        listed = set(ids)
        if self.category:
            held = categories_on(self.day, listed)
            listed = {player for player in listed if held.get(player) == self.category}
        return listed & Licence.objects.holders(self.day, listed) if self.licensed_only and listed else listed

    def _find_changes(self) -> None:
        first, last = min(self.base, self.other), max(self.base, self.other)
        for span in self.spans:
            self._unsure |= players_of(self._entries(span).filter(kind=LedgerEntry.Kind.ADJUSTMENT))
        if self.category:
            if Category.objects.filter(valid_to__range=(first, last - ONE)).exists():
                raise TooManyChanges  # of another ladder, in which everybody may have another category
            assigned = CategoryAssignment.objects.filter(revoked_at=None)
            self._unsure |= players_of(assigned.filter(valid_from__range=(first + ONE, last)))
        if self.licensed_only:
            first, last = min(self.base, self.day), max(self.base, self.day)
            licences = Licence.objects.counting()
            changed = players_of(licences.filter(valid_from__range=(first + ONE, last)))
            changed |= players_of(licences.filter(valid_to__range=(first, last - ONE)))
            holders = Licence.objects.holders(self.day, changed) if changed else frozenset()
            self._relicensed = {player: player in holders for player in changed}


def _spans(base: date, day: date) -> list[Span]:
    """Return the spans of days by whose entries the standings of `day` differ from those of `base`."""
    sign, first, last = (1, base, day) if base < day else (-1, day, base)
    spans = [
        Span(sign, first + ONE, last),  # won in between
        Span(-sign, first_day(first), first_day(last) - ONE),  # left in between
    ]
    return [span for span in spans if span.first <= span.last]


def players_of(rows: QuerySet[Any]) -> set[int]:
    """Return the ids of the players of these rows. Raise TooManyChanges if they are more than `MOST`."""
    players = set(rows.order_by().values_list("player_id", flat=True).distinct()[: MOST + 1])
    if len(players) > MOST:
        raise TooManyChanges
    return players


def fetch(rows: QuerySet[Any, tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return rows of whole numbers. With the database's own cursor, which takes a fifth of Django's time."""
    with connections[rows.db].cursor() as cursor:
        cursor.execute(*rows.query.sql_with_params())
        return cursor.fetchall()


def nearest(day: date, family: str, category: Category | None, licensed_only: bool) -> Past | None:
    """Return the sums of a list on `day`, as they follow from the standings of a kept day.

    Return None if the kept days around `day` are not stored yet, or if too much changed between them.
    """
    state = StandingsState.objects.filter(family=FAMILY).values_list("as_of", "unkept_from").first()
    if state is None:
        return None
    as_of, unkept_from = state
    complete = min(as_of, unkept_from or as_of)
    stored = [kept for kept in kept_days(day - FAR, day + FAR) if kept < complete]
    before = max((kept for kept in (*stored, as_of) if kept <= day), default=None)
    after = min((kept for kept in (*stored, as_of) if day < kept <= day + FAR), default=None)
    if before == day:
        return Past(day, day, day, family, category, licensed_only)
    if before is None or after is None:
        return None
    base, other = sorted((before, after), key=lambda kept: abs(kept - day))
    for one, another in ((base, other), (other, base)):
        try:
            return Past(one, day, another, family, category, licensed_only)
        except TooManyChanges:
            continue
    return None
