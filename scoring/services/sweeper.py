"""Find what the queue lost. Every worker calls `sweep` every few seconds."""

import logging

from scoring.models import RatingReplay, ScoringRun
from scoring.services import campaign_tasks, go_ratings, queue, runs, standings

logger = logging.getLogger(__name__)

BATCH = 100  # rows a sweep


def sweep() -> int:
    """Enqueue lost runs again, and roll the standings when the day has changed. Returns how many runs."""
    lost = queue.lost(ScoringRun, BATCH)
    for run_id in lost:
        runs.enqueue(run_id)
    if lost:
        logger.info("told the workers again about %s runs", len(lost))
    for replay_id in queue.lost(RatingReplay, BATCH):
        go_ratings.enqueue(replay_id)
    campaign_tasks.enqueue_lost(BATCH)
    standings.roll_if_due()
    return len(lost)
