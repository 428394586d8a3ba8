"""The Celery task for background work.

It only calls a service that is safe to repeat, because messages may be lost, repeated or reordered. Celery
retries nothing: rows of work store when to try again, and the sweeper enqueues them.
"""

from celery import shared_task

from scoring.ledger import work


@shared_task
def perform(label: str, pk: int) -> None:
    """Do the work of one row.

    label: label of the row's model, for example "ledger.scoringrun"
    """
    work.KINDS[label].perform(pk)
