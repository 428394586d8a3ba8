"""Merges of two federation numbers of one person."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class PlayerMerge(models.Model):
    """A transfer of the points and licences of one federation number to another number of the same person.

    A merge can be undone, but its row is never deleted. `Player.merged_into` has the current state.

    `detail` has the data needed to undo the merge:

    entries: the number of ledger entries moved
    licences: the values of the copied licences, by id
    carried: the values copied to the kept number (account, hidden, …), by field
    """

    duplicate = models.ForeignKey(
        "players.Player", models.PROTECT, related_name="merges", verbose_name=_("number given up")
    )
    kept = models.ForeignKey(
        "players.Player", models.PROTECT, related_name="merges_kept", verbose_name=_("number kept")
    )
    reason = models.CharField(_("reason"), max_length=200)
    at = models.DateTimeField(_("merged at"), auto_now_add=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    detail = models.JSONField(default=dict)
    undone_at = models.DateTimeField(_("undone at"), null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    undone_reason = models.CharField(_("reason for undoing"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("merging of two numbers")
        verbose_name_plural = _("mergings of two numbers")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(duplicate=F("kept")), name="merge_of_two"),
            models.CheckConstraint(condition=~Q(reason=""), name="merge_has_reason"),
            models.CheckConstraint(
                condition=Q(undone_at=None, undone_reason="")
                | (Q(undone_at__isnull=False) & ~Q(undone_reason="")),
                name="merge_undone_has_reason",
            ),
            models.UniqueConstraint(
                fields=["duplicate"], condition=Q(undone_at=None), name="merge_once_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.duplicate_id} → {self.kept_id}"
