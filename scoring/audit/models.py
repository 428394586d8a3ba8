"""Audits that were asked for on the page."""

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scoring.ledger.models.work import Work


class AuditRun(Work):
    """One audit in the background, with its report. It checks the same as `manage.py verify`.

    Only one runs at a time. A worker checks for some seconds, stores the position and puts the row back, so
    that an audit of hours keeps nobody from scoring.

    stage: the number of audits of `scoring.audit.stages` that are finished
    done, total: how many items of the current one are checked, and how many there are
    position: `scoring.audit.position.Position` as JSON, without the differences
    differences: the first differences, as lists of the columns that the command prints
    difference_count: the number of all differences
    standings_day: the day of the standings that were compared; None if there were none
    """

    since = models.DateField(_("only tournaments that ended since"), null=True, blank=True)
    stage = models.PositiveSmallIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    position = models.JSONField(default=dict)
    differences = models.JSONField(default=list)
    difference_count = models.PositiveIntegerField(default=0)
    standings_day = models.DateField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("audit")
        verbose_name_plural = _("audits")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                Value(1), condition=Q(state__in=["pending", "running"]), name="audit_one_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("audit", args=[self.pk])
