"""What workers do. Tasks only call services: a task may be lost, repeated or reordered.

None is retried by the queue: a row of work says itself when it may be tried again, and the sweeper asks.
"""

from celery import shared_task

from scoring.ledger.services import runs
from scoring.promotions.services import work as campaign_tasks
from scoring.ratings.services import replays as go_ratings


@shared_task
def score_run(run_id: int) -> None:
    """Compute and post one scoring run."""
    runs.score(run_id)


@shared_task
def replay_ratings(replay_id: int) -> None:
    """Compute and post the ratings of Go players from a tournament on."""
    go_ratings.replay(replay_id)


@shared_task
def do_campaign_task(task_id: int) -> None:
    """Freeze, apply or reverse a year-end category change."""
    campaign_tasks.perform(task_id)
