"""Find what the queue lost. Every worker calls `sweep` every few seconds."""

import logging
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from scoring.models import ScoringRun
from scoring.services import go_ratings, runs, standings

logger = logging.getLogger(__name__)

PATIENCE = timedelta(seconds=10)  # a run told to the workers this long ago and still waiting is told again
BATCH = 100


def sweep() -> int:
    """Enqueue lost runs again, and roll the standings when the day has changed. Returns how many runs."""
    now = timezone.now()
    forgotten = Q(enqueued_at=None, created_at__lt=now - timedelta(seconds=2)) | Q(
        enqueued_at__lt=now - PATIENCE
    )
    waiting = Q(state=ScoringRun.State.PENDING) & forgotten
    abandoned = Q(state=ScoringRun.State.RUNNING, lease_until__lt=now)
    lost = list(
        ScoringRun.objects.filter(waiting | abandoned).order_by("pk").values_list("pk", flat=True)[:BATCH]
    )
    for run_id in lost:
        runs.enqueue(run_id)
    if lost:
        logger.info("told the workers again about %s runs", len(lost))
    for replay_id in go_ratings.lost(PATIENCE):
        go_ratings.enqueue(replay_id)
    standings.roll_if_due()
    return len(lost)
