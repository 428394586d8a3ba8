"""What workers do. The task only calls a service: a message may be lost, repeated or reordered.

None is retried by the queue: a row of work says itself when it may be tried again, and the sweeper asks.
"""

from celery import shared_task

from scoring.ledger import work


@shared_task
def perform(label: str, pk: int) -> None:
    """Do the work of one row; `label` is its model's."""
    work.KINDS[label].perform(pk)
