"""What workers do. Tasks only call services: a task may be lost, repeated or reordered."""

from celery import shared_task
from django.db import OperationalError

from scoring.services import campaign_tasks, go_ratings, runs


@shared_task(
    autoretry_for=(OperationalError,), retry_backoff=1, retry_backoff_max=30, retry_jitter=True, max_retries=5
)
def score_run(run_id: int) -> None:
    """Compute and post one scoring run."""
    runs.score(run_id)


@shared_task(
    autoretry_for=(OperationalError,), retry_backoff=1, retry_backoff_max=30, retry_jitter=True, max_retries=5
)
def replay_ratings(replay_id: int) -> None:
    """Compute and post the ratings of Go players from a tournament on."""
    go_ratings.replay(replay_id)


@shared_task(
    autoretry_for=(OperationalError,), retry_backoff=1, retry_backoff_max=30, retry_jitter=True, max_retries=5
)
def do_campaign_task(task_id: int) -> None:
    """Freeze, apply or reverse a year-end category change."""
    campaign_tasks.perform(task_id)
