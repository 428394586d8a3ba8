"""Find what the queue lost. Every worker calls `sweep` every few seconds."""

import logging
from datetime import datetime, time
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone

from players.services import limits
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import queue, runs, standings
from scoring.office.services import retention
from scoring.promotions.models import CampaignTask
from scoring.promotions.services import work as campaign_tasks
from scoring.ratings.models import RatingReplay
from scoring.ratings.services import replays as go_ratings

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
    if standings.roll_if_due():  # a new day
        limits.prune()
        retention.apply(standings.today())
    return len(lost)


class Backlog(NamedTuple):
    """Seconds for which the oldest work has waited to be done, None if none waits, and its last error; how
    many runs and computations of ratings were given up."""

    oldest: float | None
    error: str
    parked: int


def backlog() -> Backlog:
    """What is not done yet; at most five queries. What waits for its day is none of it.

    A task of a category change that stopped is not parked: its campaign says so, and somebody asks anew.
    """
    waiting = []
    for model in (ScoringRun, RatingReplay):
        unfinished = model.objects.filter(state__in=[model.State.PENDING, model.State.RUNNING])
        if oldest := unfinished.order_by("created_at").values_list("created_at", "error").first():
            waiting.append(oldest)
    due = CampaignTask.objects.filter(Q(due_on=None) | Q(due_on__lte=standings.today()))
    for task in due.filter(state__in=[CampaignTask.State.PENDING, CampaignTask.State.RUNNING]):
        begins = task.due_on and timezone.make_aware(datetime.combine(task.due_on, time.min))
        waiting.append((max(filter(None, (task.created_at, begins))), task.error))
    parked = sum(
        model.objects.filter(state=model.State.FAILED).count() for model in (ScoringRun, RatingReplay)
    )
    if not waiting:
        return Backlog(None, "", parked)
    since, error = min(waiting)
    return Backlog(max(0.0, (queue.now() - since).total_seconds()), error, parked)
