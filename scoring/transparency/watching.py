"""Whether the log is up to date and witnessed, for readiness, metrics, alarms and the office's page."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy, gettext_noop

from scoring.ledger.freshness import Freshness
from scoring.ledger.models import YearTotal
from scoring.transparency import keys
from scoring.transparency.models import Checkpoint, Cosignature
from scoring.transparency.queries import latest_checkpoint, signed_at


def _witnessed_at() -> datetime | None:
    """Return when a checkpoint last got a cosignature, at the earliest that of the first checkpoint.

    Now, if the latest checkpoint has one: nothing needs a witness until the log grows. None if there are no
    witnesses.
    """
    if not keys.witnesses():
        return None
    checkpoint = latest_checkpoint()
    if checkpoint is None or checkpoint.cosignatures.exists():
        return timezone.now()
    signed = Cosignature.objects.order_by("-pk").values_list("created_at", flat=True).first()
    return signed or Checkpoint.objects.order_by("pk").values_list("created_at", flat=True).first()


APPENDED = Freshness(
    code="log",
    label=gettext_lazy("Transparency log up to date"),
    last=signed_at,
    # With no points there is nothing to log.
    late_after=lambda: timedelta(minutes=10) if YearTotal.objects.exists() else None,
    late=gettext_noop("The transparency log is behind. Hours since all entries were in it: %(hours)s"),
)
WITNESSED = Freshness(
    code="witness",
    label=gettext_lazy("Last cosignature of a witness"),
    last=_witnessed_at,
    # With no points there is nothing to log.
    late_after=lambda: timedelta(hours=26) if keys.witnesses() else None,
    late=gettext_noop("No witness cosigns the transparency log. Hours since the last one did: %(hours)s"),
)
