"""Runs of the sanity checks, and the findings that they reported."""

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scoring.ledger.models.work import Work


class SanityRun(Work):
    """One run of all checks, in the background. A worker puts the row back between checks.

    checked: the codes of the checks that are done
    counts: {code: number of findings}; -1 for a check that could not be made, as because it took too long
    by: who asked for it; None for the nightly run
    """

    checked = models.JSONField(default=list)
    counts = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    class Meta:
        verbose_name = _("run of the sanity checks")
        verbose_name_plural = _("runs of the sanity checks")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                Value(1), condition=Q(state__in=["pending", "running"]), name="sanity_one_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {self.state}"

    @property
    def reported(self) -> int:
        """The number of all findings."""
        return sum(number for number in self.counts.values() if number > 0)


class FindingQuerySet(models.QuerySet):
    def present(self) -> "FindingQuerySet":
        """Return the findings that the last run of their check reported."""
        return self.filter(gone_at=None)

    def unacknowledged(self) -> "FindingQuerySet":
        """Return the open findings that are not acknowledged."""
        return self.present().filter(acknowledged_at=None)


class Finding(models.Model):
    """A finding that a check reported, from the first run that reported it to the first that did not.

    A finding that comes back is a new one: the acknowledgement of the former does not count.

    code, key: the check, and the key of the finding (`ui.sanity`)
    gone_at: when a run no longer reported it; None while it is there
    reason: why the finding is as it should be, or what is being done about it
    """

    code = models.CharField(max_length=40)
    key = models.CharField(max_length=60)
    since = models.DateTimeField(auto_now_add=True)
    gone_at = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)
    acknowledged_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(_("reason"), max_length=300, blank=True)

    objects = FindingQuerySet.as_manager()

    class Meta:
        verbose_name = _("finding of a sanity check")
        verbose_name_plural = _("findings of sanity checks")
        ordering = ["-since", "-pk"]
        indexes = [
            models.Index(fields=["code", "-since", "-id"], name="finding_by_code"),
            models.Index(fields=["gone_at"], condition=Q(gone_at__isnull=False), name="finding_gone"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["code", "key"], condition=Q(gone_at=None), name="finding_once"),
            models.CheckConstraint(
                condition=Q(acknowledged_at=None) | ~Q(reason=""), name="finding_acknowledged_has_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.key}"

    def get_absolute_url(self) -> str:
        return reverse("sanity_finding", args=[self.pk])
