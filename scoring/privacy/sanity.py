"""Sanity checks of personal data."""

from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.sanity import person_page
from scoring.privacy.models import Erasure
from ui.sanity import Check, RowsOf, Severity

LATE = timedelta(days=1)
State = Erasure.State


def _unfinished() -> QuerySet:
    """Return the erasures that take too long, and those done whose list of names was kept."""
    late = ~Q(state=State.DONE) & Q(created_at__lt=timezone.now() - LATE)
    return Erasure.objects.filter(late | Q(state=State.DONE) & ~Q(words=[]))


CHECKS = [
    Check(
        "erasure_unfinished",
        Severity.ERROR,
        _("Erasures that did not finish"),
        _(
            "The person's name still stands in stored files or lists. The operator has to look "
            "why it stopped."
        ),
        RowsOf(_unfinished, lambda row: row.player.number, lambda row: person_page(row.player), ["player"]),
    ),
]
