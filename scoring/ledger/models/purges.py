"""Changes of public pages, which the shared caches in front of the site have to be told of."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Purge(models.Model):
    """A committed change, stored in its own transaction, so that caches learn of it even after a crash.

    keys: the keys of the pages that changed, separated by spaces (`ui.shared`)
    sent_at: when all caches had removed these pages for the first time; None until then
    """

    keys = models.TextField()
    created_at = models.DateTimeField(db_default=Now())
    sent_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("purge of shared caches")
        verbose_name_plural = _("purges of shared caches")
        indexes = [models.Index(fields=["created_at"], name="purge_by_time")]

    def __str__(self) -> str:
        return self.keys
