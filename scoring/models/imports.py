"""Lists that the office brings in: players, licences, categories, opening awards."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class OfficeImport(models.Model):
    """A table the office uploaded: read and previewed first, then applied as a whole or not at all."""

    class Kind(models.TextChoices):
        PLAYERS = "players", _("Players")
        LICENCES = "licences", _("Licences")
        CATEGORIES = "categories", _("Categories")
        OPENING = "opening", _("Opening awards")

    class State(models.TextChoices):
        REVIEW = "review", _("To be reviewed")
        APPLIED = "applied", _("Applied")
        DISCARDED = "discarded", _("Discarded")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.REVIEW)
    file_name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    rows = models.JSONField(default=list)  # as read: {"line": 2, column: text, …}
    issues = models.JSONField(default=list)
    counts = models.JSONField(default=dict)  # added, changed, same: as applied
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    applied_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("office import")
        verbose_name_plural = _("office imports")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.file_name
