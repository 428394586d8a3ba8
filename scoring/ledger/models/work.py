"""Common fields of background work, written by `scoring.ledger.services.queue`."""

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

# The states that the queue sets. Kinds of work may have other states, which the queue never changes.
PENDING, RUNNING, DONE, FAILED = "pending", "running", "done", "failed"
UNDER_WAY = (PENDING, RUNNING)


class Work(models.Model):
    """Background work that is claimed with a lease, repeated after a crash and completed once.

    A kind of work with other states, or other words for them, declares `State` and `state` again. Its states
    include these four.

    claimed_at: when this process claimed the row; set by `queue.claim`, not stored
    """

    class State(models.TextChoices):
        PENDING = PENDING, _("Waiting")
        RUNNING = RUNNING, _("Under way")
        DONE = DONE, _("Done")
        FAILED = FAILED, _("Stopped after several attempts")

    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
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

    @property
    def is_under_way(self) -> bool:
        """Whether the work waits for a worker or one is doing it."""
        return self.state in UNDER_WAY
