"""Whether the log is up to date, for readiness, metrics, alarms and the office's page."""

from datetime import timedelta

from django.utils.translation import gettext_lazy, gettext_noop

from scoring.ledger.freshness import Freshness
from scoring.transparency.queries import appended_at

APPENDED = Freshness(
    code="log",
    label=gettext_lazy("Transparency log up to date"),
    last=appended_at,
    late_after=lambda: timedelta(minutes=10),
    late=gettext_noop("The transparency log is behind. Hours since all entries were in it: %(hours)s"),
)
