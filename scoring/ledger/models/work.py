"""Common fields of background work, written by `scoring.ledger.services.queue`."""

from datetime import datetime

from django.db import models

# The states that the queue sets. Kinds of work may have other states, which the queue never changes.
PENDING, RUNNING, DONE, FAILED = "pending", "running", "done", "failed"


class Work(models.Model):
    """Background work that is claimed with a lease, repeated after a crash and completed once.

    Subclasses declare the choices of `state`, which include PENDING, RUNNING, DONE and FAILED (parked).

    claimed_at: when this process claimed the row; set by `queue.claim`, not stored
    """

    state = models.CharField(max_length=10)
    attempts = models.PositiveSmallIntegerField(default=0)  # excluding database failures
    failures = models.SmallIntegerField(default=0, db_default=0)  # consecutive database failures
    timeouts = models.SmallIntegerField(default=0, db_default=0)  # while other rows of this kind succeeded
    lease_until = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)  # earliest time of the next attempt
    enqueued_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    claimed_at: datetime

    class Meta:
        abstract = True
