"""Whether the dump of the day can be downloaded, for readiness, metrics, alarms and the office's page."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy, gettext_noop

from scoring.dataset import queries
from scoring.dataset.queries import Current
from scoring.ledger.freshness import Freshness

LATE_AFTER = timedelta(hours=26)
MISSING_AFTER = timedelta(hours=1)  # if none can be downloaded


def is_late(state: Current) -> bool:
    """Return whether a dump should have been written by now."""
    limit = limit_of(state)
    return limit is not None and state.since is not None and timezone.now() - state.since > limit


def limit_of(state: Current) -> timedelta | None:
    """Return after which time without a new dump it is late; None before the first was asked for."""
    if state.since is None:
        return None
    return LATE_AFTER if state.finished_at else MISSING_AFTER


def _last() -> datetime | None:
    return queries.current().since


def _late_after() -> timedelta | None:
    return limit_of(queries.current())


WRITTEN = Freshness(
    code="dataset",
    label=gettext_lazy("Last data file written, or withdrawn if none is left"),
    last=_last,
    late_after=_late_after,
    late=gettext_noop(
        "The data file is late. Hours since the last one was written, or withdrawn if none is left: %(hours)s"
    ),
)
