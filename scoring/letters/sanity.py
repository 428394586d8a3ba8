"""Sanity checks of notices and letters."""

from datetime import timedelta

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.ledger.models.work import UNDER_WAY
from scoring.letters.models import Letter
from ui.sanity import Check, RowsOf, Severity

LATE = timedelta(days=1)


def _late() -> QuerySet:
    waiting = Letter.objects.filter(state__in=UNDER_WAY)
    return waiting.filter(created_at__lt=timezone.now() - LATE)


CHECKS = [
    Check(
        "letter_late",
        Severity.WARNING,
        _("Letters that have waited for a day"),
        _("The mail server takes none, or no worker sends them. The operator has to look."),
        RowsOf(
            _late,
            lambda row: row.account.get_username(),
            lambda row: reverse("account", args=[row.account_id]),
            ["account"],
        ),
    ),
]
