"""The Celery task for background work.

It only calls a service that is safe to repeat, because messages may be lost, repeated or reordered. Celery
retries nothing: rows of work store when to try again, and the sweeper enqueues them.
"""

from celery import shared_task

from scoring.ledger import work


class OutOfMemory(Exception):
    """The work of a row needed more memory than its process may have."""


@shared_task
def perform(label: str, pk: int) -> None:
    """Do the work of one row.

    label: label of the row's model, for example "ledger.scoringrun"
    """
    try:
        work.KINDS[label].perform(pk)
    except MemoryError as error:
        # Celery would stop the whole worker, and with it all work of other processes.
        raise OutOfMemory(f"{label} {pk}") from error
