"""Reads of the ledger and of the standings that more than one page asks for."""

from datetime import date, datetime

from django.db import models
from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce

# What the venue filter means in columns of `Standing`, and in sums of the ledger.
VENUE_COLUMNS = ("points", "points_in_person", "points_online")


class LedgerEntryQuerySet(models.QuerySet):
    def between(self, first: date, last: date, family: str = "aeb") -> "LedgerEntryQuerySet":
        """Entries of tournaments that ended from `first` to `last`, both included."""
        return self.filter(family=family, played_on__range=(first, last))

    def recorded(self, before: datetime | None) -> "LedgerEntryQuerySet":
        """What was posted before a moment; None: everything."""
        return self if before is None else self.filter(posted_at__lt=before)

    def totals(self, first: date, last: date, family: str = "aeb") -> "LedgerEntryQuerySet":
        """One row a player: (player_id, total, in_person, remote), in hundredths, by player.

        Reads nothing but the covering index `ledger_by_day`, so that a past day of a big federation is
        a matter of tenths of a second. Reversals carry the sign that undoes their award.
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
        self, first: date, last: date, family: str, player_ids: list[int] | None = None
    ) -> "LedgerEntryQuerySet":
        """One row for each of these players (None: of all): (player_id, in_person, remote, tournaments)."""
        entries = self.between(first, last, family)
        if player_ids is not None:
            entries = entries.filter(player_id__in=player_ids)
        return (
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

    def tournaments_played(self, first: date, last: date, player_ids, family: str = "aeb") -> dict[int, int]:
        """Player id -> tournaments that gave points; one taken back counts no more."""
        reversals = Count("pk", filter=Q(kind="reversal"))
        awards = Count("pk", filter=Q(kind__in=["award", "opening"]))
        rows = self.between(first, last, family).filter(player_id__in=list(player_ids)).order_by()
        return dict(rows.values_list("player_id").annotate(played=awards - reversals))


class StandingQuerySet(models.QuerySet):
    def ranked(
        self, category_id: int | None, column: str = "points", licensed_only: bool = True, family: str = "aeb"
    ) -> "StandingQuerySet":
        """The players of a category with points in `column`, most first; equal points by player.

        category_id: None for a family of points whose lists do not go by category
        Without `licensed_only` the list holds those without a licence too.
        """
        if column not in VENUE_COLUMNS:
            raise ValueError(f"not a column of points: {column}")
        licences = [True] if licensed_only else [True, False]
        rows = self.filter(family=family, category_id=category_id, licensed__in=licences)
        return rows.filter(**{f"{column}__gt": 0}).order_by(f"-{column}", "player_id")

    def by_category(self, family: str = "aeb") -> dict[int, tuple[int, int]]:
        """Category id -> (licensed players with points, points of the first of them)."""
        rows = (
            self.filter(family=family, licensed=True, points__gt=0, category__isnull=False)
            .order_by()
            .values_list("category_id")
            .annotate(players=Count("pk"), most=models.Max("points"))
        )
        return {category: (players, most) for category, players, most in rows}
