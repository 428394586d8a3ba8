"""What all work for the workers has in common: it is a row with `state`, `enqueued_at` and `lease_until`.

The queue only carries hints. Who works says so in the row; the sweeper finds the rows that nobody works on.
"""

import logging
from datetime import timedelta

from celery import Task
from django.db.models import Model, Q
from django.utils import timezone

logger = logging.getLogger(__name__)

UNDERWAY = timedelta(seconds=2)  # a row this young may have its first message still on the way
PATIENCE = timedelta(seconds=10)  # a row told to the workers this long ago and still waiting is told again


def tell(task: Task, model: type[Model], pk: int) -> None:
    """Tell the workers of a row. A broker that is away is no error: the sweeper tells them later."""
    try:
        task.delay(pk)
    except task.OperationalError as error:
        logger.warning(
            "%s %s waits for the sweeper: the broker did not take it (%s)",
            model._meta.model_name, pk, error,
        )  # fmt: skip
        return
    model.objects.filter(pk=pk).update(enqueued_at=timezone.now())


def lost(model: type[Model], most: int) -> list[int]:
    """Ids of rows that nobody works on, oldest first."""
    now = timezone.now()
    forgotten = Q(enqueued_at=None, created_at__lt=now - UNDERWAY) | Q(enqueued_at__lt=now - PATIENCE)
    waiting = Q(state=model.State.PENDING) & forgotten
    abandoned = Q(state=model.State.RUNNING, lease_until__lt=now)
    return list(model.objects.filter(waiting | abandoned).order_by("pk").values_list("pk", flat=True)[:most])
