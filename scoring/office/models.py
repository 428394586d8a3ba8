"""Lists that the office imports: players, licences, categories, opening awards."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models import Upload, UploadQuerySet


class OfficeImport(Upload):
    """A list that the office uploaded to import. It is previewed, then applied completely or not at all."""

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
        REFUSED = "refused", _("Could not be read")

    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.REVIEW)
    # The numbers of lines that added, changed and repeated data; set when the list is applied.
    counts = models.JSONField(default=dict)
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

    objects = UploadQuerySet.as_manager()

    class Meta:
        verbose_name = _("office import")
        verbose_name_plural = _("office imports")
        ordering = ["-created_at", "-pk"]

    def get_absolute_url(self) -> str:
        return reverse("office_import_review", args=[self.pk])
