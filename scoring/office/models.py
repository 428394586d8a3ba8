"""Lists that the office imports: players, licences, categories, opening awards."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class OfficeImport(models.Model):
    """A list that the office uploaded. It is previewed, then applied completely or not at all."""

    class Kind(models.TextChoices):
        PLAYERS = "players", _("Players")
        LICENCES = "licences", _("Licences")
        CATEGORIES = "categories", _("Categories")
        OPENING = "opening", _("Opening awards")

    class State(models.TextChoices):
        REVIEW = "review", _("To be reviewed")
        WAITING = "waiting", _("Waiting for a second person")
        APPLIED = "applied", _("Applied")
        DISCARDED = "discarded", _("Discarded")
        UNDONE = "undone", _("Undone")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.REVIEW)
    file_name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    rows = models.JSONField(default=list)  # as read: {"line": 2, column: text, …}
    issues = models.JSONField(default=list)
    ticks = models.JSONField(default=dict)  # see `tournaments.services.ticks`
    # Numbers of lines added, changed and unchanged; set when the list is applied.
    counts = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    applied_at = models.DateTimeField(null=True)
    applied_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    by_two = models.BooleanField(default=False)  # applied with a second person's approval
    # For auditors: each changed line's player number and its values before and after.
    lines = models.JSONField(default=list)
    written = models.JSONField(default=dict)  # data for undoing the list: `scoring.office.lists.plan.Written`
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    undone_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name = _("office import")
        verbose_name_plural = _("office imports")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.file_name
