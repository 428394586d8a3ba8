"""Common fields of background work, written by `scoring.ledger.services.queue`."""

from django.db import models


class Work(models.Model):
    """Background work that is claimed with a lease, repeated after a crash and completed once.

    Subclasses add `state`, whose choices include PENDING, RUNNING, DONE and FAILED (parked).
    """

    attempts = models.PositiveSmallIntegerField(default=0)  # without those that the database failed
    failures = models.SmallIntegerField(default=0, db_default=0)  # consecutive failures of the database
    timeouts = models.SmallIntegerField(default=0, db_default=0)  # while other work of the kind succeeded
    lease_until = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)  # earliest time of the next attempt
    enqueued_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
