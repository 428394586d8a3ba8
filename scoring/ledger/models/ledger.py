"""The ledger: append-only entries of all points awarded or taken back."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Player
from scoring.ledger.querysets import LedgerEntryQuerySet
from tournaments.models import Contestant, Tournament

from .runs import ScoringRun


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
    # Identifies imported, moved and approved entries and what takes them back: each is posted only once.
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
            models.Index(fields=["family", "played_on", "player", "online", "points"], name="ledger_by_day"),
            models.Index(
                fields=["player", "family", "played_on", "online", "points"], name="ledger_by_player"
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
