"""QuerySets of the ledger and the standings."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from django.db import models
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce

# Columns of `Standing` that the venue filter chooses from.
VENUE_COLUMNS = ("points", "points_in_person", "points_online")


# Column of `LedgerSum` -> what the ledger gives for it. The total of points is added up from these.
SUMS = {
    "points_in_person": Coalesce(Sum("points", filter=Q(online=False)), 0),
    "points_online": Coalesce(Sum("points", filter=Q(online=True)), 0),
    # A reversal cancels the tournament that its award counts for.
    "tournaments": Count("pk", filter=Q(kind__in=["award", "opening"]))
    - Count("pk", filter=Q(kind="reversal")),
}


class LedgerEntryQuerySet(models.QuerySet):
    def between(self, first: date, last: date, family: str = "aeb") -> "LedgerEntryQuerySet":
        """Entries of tournaments that ended from `first` to `last`, inclusive."""
        return self.filter(family=family, played_on__range=(first, last))

    def recorded(self, before: datetime | None) -> "LedgerEntryQuerySet":
        """Entries posted before a moment, or (None) all entries."""
        return self if before is None else self.filter(posted_at__lt=before)

    def totals(self, first: date, last: date, family: str = "aeb") -> "LedgerEntryQuerySet":
        """Sum points by player: rows (player_id, total, in_person, remote), in hundredths.

        Only the covering index `ledger_by_day` is read, so that a past day of a large federation takes tenths
        of a second. Reversals are negative, so they cancel their award.
        """
        return (
            self.between(first, last, family)
            .order_by("player_id")
            .values_list("player_id")
            .annotate(
                total=Sum("points"),
                in_person=Coalesce(Sum("points", filter=Q(online=False)), 0),
                remote=Coalesce(Sum("points", filter=Q(online=True)), 0),
            )
        )

    def sums(
        self,
        first: date,
        last: date,
        family: str,
        player_ids: list[int] | None = None,
        *,
        merged: bool = False,
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield (player id, column -> figure), by player id: the columns of `SUMS`, and `points`. One query.

        player_ids: None includes all players
        merged: count the entries of a merged player for the surviving one
        """
        entries = self.between(first, last, family)
        if player_ids is not None:
            entries = entries.filter(player_id__in=player_ids)
        owner = Coalesce("player__merged_into", "player_id") if merged else F("player_id")
        rows = entries.annotate(owner=owner).order_by("owner").values_list("owner").annotate(**SUMS)
        for player, *values in rows:
            figures = dict(zip(SUMS, values, strict=True))
            yield player, figures | {"points": figures["points_in_person"] + figures["points_online"]}


class StandingQuerySet(models.QuerySet):
    def ranked(
        self, category_id: int | None, column: str = "points", licensed_only: bool = True, family: str = "aeb"
    ) -> "StandingQuerySet":
        """Players of a category with points in `column`, highest first, ties by player id.

        category_id: None for a family without categories
        licensed_only: False includes players without a licence
        """
        if column not in VENUE_COLUMNS:
            raise ValueError(f"not a column of points: {column}")
        licences = [True] if licensed_only else [True, False]
        rows = self.filter(family=family, category_id=category_id, licensed__in=licences)
        return rows.filter(**{f"{column}__gt": 0}).order_by(f"-{column}", "player_id")

    def by_category(self, family: str = "aeb") -> dict[int, tuple[int, int]]:
        """Return category id -> (number of licensed players with points, points of the first)."""
        rows = (
            self.filter(family=family, licensed=True, points__gt=0, category__isnull=False)
            .order_by()
            .values_list("category_id")
            .annotate(players=Count("pk"), most=models.Max("points"))
        )
        return {category: (players, most) for category, players, most in rows}
