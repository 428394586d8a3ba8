"""What every row of work for the workers says of itself; `scoring.ledger.services.queue` writes it."""

from django.db import models


class Work(models.Model):
    """Work that is claimed with a lease, repeated after a crash and done once.

    A subclass adds `state`, with PENDING, RUNNING, DONE and FAILED (parked) among its choices.
    """

    attempts = models.PositiveSmallIntegerField(default=0)  # that nothing but the work itself can explain
    failures = models.SmallIntegerField(default=0, db_default=0)  # of the database or its machine, in a row
    timeouts = models.SmallIntegerField(default=0, db_default=0)  # while other work was done in time
    lease_until = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)  # when it may be tried again
    enqueued_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
