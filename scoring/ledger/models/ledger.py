"""The ledger: append-only entries of all points awarded or taken back."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from players.models import Player
from tournaments.models import Contestant, Tournament

from .runs import ScoringRun
from .standings import SUMS


class LedgerEntryQuerySet(models.QuerySet["LedgerEntry"]):
    def between(self, first: date, last: date, family: str = "aeb") -> "LedgerEntryQuerySet":
        """Return the entries of a family from tournaments that ended from `first` to `last`, inclusive."""
        return self.filter(family=family, played_on__range=(first, last))

    def recorded(self, before: datetime | None) -> "LedgerEntryQuerySet":
        """Return the entries posted before this time, or all entries if it is None."""
        return self if before is None else self.filter(posted_at__lt=before)

    def totals(
        self, first: date, last: date, family: str = "aeb"
    ) -> models.QuerySet["LedgerEntry", tuple[int, int, int, int]]:
        """Sum points by player. Return rows (player id, total, in person, online), in hundredths.

        Reversals are negative, so they cancel their award. For speed, the query reads only the covering index
        `ledger_by_day_posted`.
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
        """Yield (player id, sums) of the entries in a period, ordered by player id. One query.

        The sums are a dict: `points`, `points_in_person` and `points_online` in hundredths, and the number of
        `tournaments`.

        player_ids: None includes all players
        merged: add the entries of a merged player to those of the surviving player
        """
        entries = self.between(first, last, family)
        if player_ids is not None:
            entries = entries.filter(player_id__in=player_ids)
        owner = Coalesce("player__merged_into", "player_id") if merged else F("player_id")
        rows = entries.annotate(owner=owner).order_by("owner").values_list("owner").annotate(**SUMS)
        for player, *values in rows:
            figures = dict(zip(SUMS, values, strict=True))
            yield player, figures | {"points": figures["points_in_person"] + figures["points_online"]}


class LedgerEntry(models.Model):
    """Points of one player from one tournament, in integer hundredths.

    Triggers refuse UPDATE and DELETE. A correction adds a `reversal` (the negated points, with `reverses` set
    to the entry it undoes) and a new award, so that SUM(points) needs no filter.
    """

    class Kind(models.TextChoices):
        AWARD = "award", _("Award")
        REVERSAL = "reversal", _("Reversal")
        OPENING = "opening", _("Opening balance")
        ADJUSTMENT = "adjustment", _("Adjustment")

    family = models.CharField(max_length=12, default="aeb")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries", db_index=False)
    points = models.IntegerField(_("points"), help_text=_("In hundredths."))
    played_on = models.DateField(_("last day of the tournament"))
    online = models.BooleanField(_("online"))
    tournament = models.ForeignKey(Tournament, models.PROTECT, null=True, related_name="entries")
    run = models.ForeignKey(ScoringRun, models.PROTECT, null=True, related_name="entries", db_index=False)
    contestant = models.ForeignKey(
        Contestant, models.PROTECT, null=True, related_name="entries", db_index=False
    )
    reverses = models.OneToOneField("self", models.PROTECT, null=True, related_name="reversed_by")
    title = models.CharField(max_length=150, blank=True)  # if the tournament is not in this database
    reason = models.CharField(max_length=300, blank=True)
    # Identifies imported, moved and approved entries and their reversals, so that none is posted twice.
    source_key = models.CharField(max_length=64, blank=True)
    posted_at = models.DateTimeField(auto_now_add=True)
    posted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", db_index=False
    )

    objects = LedgerEntryQuerySet.as_manager()

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        ordering = ["-played_on", "-pk"]
        indexes = [
            # Covering indexes: sums over a period, of all players or of one, need no table reads.
            models.Index(
                fields=["family", "played_on", "posted_at", "player", "online", "points"],
                name="ledger_by_day_posted",
            ),
            # `kind` is included, not part of the key: nearly all entries are awards, so no query should
            # search by it. SQLite ignores `include`.
            models.Index(
                fields=["player", "family", "played_on", "online", "points"],
                include=["kind"],
                name="ledger_of_player",
            ),
            models.Index(
                fields=["family", "played_on", "player"],
                name="ledger_adjustments",
                condition=Q(kind="adjustment"),
            ),
            # For the public list of points that follow from no tournament.
            models.Index(
                fields=["posted_at", "posted_by", "family", "points"],
                name="ledger_openings",
                condition=Q(kind="opening"),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "player"], condition=Q(kind="award"), name="ledger_award_once"
            ),
            models.UniqueConstraint(
                fields=["source_key"], condition=~Q(source_key=""), name="ledger_import_once"
            ),
            models.CheckConstraint(
                name="ledger_reversal_points_back",
                condition=Q(kind="reversal", reverses__isnull=False)
                | (~Q(kind="reversal") & Q(reverses=None)),
            ),
            models.CheckConstraint(
                name="ledger_kind_has_origin",
                condition=Q(kind="award", run__isnull=False, tournament__isnull=False)
                | Q(kind="reversal")
                | (Q(kind__in=["opening", "adjustment"], run=None) & ~Q(title="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.points} ({self.played_on})"
