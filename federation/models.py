"""Notes of the backups that the backup script reports."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Backup(models.Model):
    """A note that a backup was made and stored. The backup script writes it (`manage.py note_backup`).

    size: bytes; None if the script did not say
    """

    at = models.DateTimeField(default=timezone.now, db_index=True)
    size = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("backup")
        verbose_name_plural = _("backups")
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"
