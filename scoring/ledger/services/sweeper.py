"""Find background work whose message was lost. Every worker calls `sweep` every few seconds."""

import logging
from datetime import date, datetime, time
from typing import NamedTuple

from django.utils import timezone

from scoring.ledger import work
from scoring.ledger.models.work import FAILED, UNDER_WAY
from scoring.ledger.services import queue, standings

logger = logging.getLogger(__name__)


def sweep() -> int:
    """Enqueue lost work again, and advance the standings when a new day has begun.

    Return the number of enqueued rows.
    """
    enqueued = 0
    for kind in work.KINDS.values():
        lost = queue.find_lost(kind.model, kind.batch)
        if not lost:
            continue  # saves a query in nearly every sweep
        due = kind.due(standings.today()).filter(pk__in=lost).order_by("pk").values_list("pk", flat=True)
        for pk in list(due):
            queue.enqueue(kind.model, pk)
            enqueued += 1
    if enqueued:
        logger.info("enqueued %s rows of work again", enqueued)
    if standings.roll_if_due():
        for chore in work.DAILY:
            chore(standings.today())
    for frequent in work.SWEEPING:
        frequent()
    return enqueued


class Backlog(NamedTuple):
    """Figures about unfinished background work.

    oldest: seconds that the oldest unfinished row has waited, None if there is none
    error: the last error of that row
    parked: number of parked rows
    """

    oldest: float | None
    error: str
    parked: int


def backlog() -> Backlog:
    """Return figures about the background work that is not finished, without work scheduled for a later day.

    At most two queries per kind of work. Failed tasks of a category change do not count as parked: their
    campaign reports them and can start new ones.
    """
    waiting, parked = [], 0
    for kind in work.KINDS.values():
        unfinished = kind.due(standings.today()).filter(state__in=UNDER_WAY)
        if kind.patient:
            unfinished = unfinished.filter(failures__gt=0)
        if kind.due_column:
            rows = unfinished.values_list("created_at", kind.due_column, "error")
            waiting += [
                (max(created, _midnight(day)) if day else created, error) for created, day, error in rows
            ]
        elif oldest := unfinished.order_by("created_at").values_list("created_at", "error").first():
            waiting.append(oldest)
        if kind.retried:
            parked += kind.model._default_manager.filter(state=FAILED).count()
    if not waiting:
        return Backlog(None, "", parked)
    since, error = min(waiting)
    return Backlog(max(0.0, (queue.now() - since).total_seconds()), error, parked)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
