"""Whether the dump of the day was written, for readiness, metrics, alarms and the office's page."""

from datetime import timedelta

from django.utils.translation import gettext_lazy, gettext_noop

from scoring.dataset.models import Dump
from scoring.dataset.queries import written_at
from scoring.ledger.freshness import Freshness

LATE_AFTER = timedelta(hours=26)


def late_after() -> timedelta | None:
    """Return how old the latest dump may become; None before the first was asked for."""
    return LATE_AFTER if Dump.objects.exists() else None


WRITTEN = Freshness(
    code="dataset",
    label=gettext_lazy("Last dump of the public data"),
    last=written_at,
    late_after=late_after,
    late=gettext_noop("The dump of the public data is late. Hours since the last one: %(hours)s"),
)
