"""Note when backups were made, so that readiness, metrics, alarms and the office's page know their age."""

from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext_lazy, gettext_noop

from federation.models import Backup
from scoring.ledger.freshness import Freshness


def note(size: int | None = None) -> Backup:
    """Note that a backup has just been made and stored. Call it last, when nothing can go wrong any more.

    size: bytes of the backup
    """
    return Backup.objects.create(size=size)


def latest() -> Backup | None:
    """Return the note of the latest backup; None if there is none."""
    return Backup.objects.first()


BACKUPS = Freshness(
    code="backup",
    label=gettext_lazy("Last backup"),
    last=lambda: Backup.objects.values_list("at", flat=True).first(),
    late_after=lambda: timedelta(hours=settings.BACKUP_HOURS) if settings.BACKUP_HOURS else None,
    late=gettext_noop("The last backup is too old. Hours since it was made: %(hours)s"),
)
