"""Find what the queue lost. Every worker calls `sweep` every few seconds."""

import logging
from datetime import date, datetime, time
from typing import NamedTuple

from django.utils import timezone

from scoring.ledger import work
from scoring.ledger.services import queue, standings

logger = logging.getLogger(__name__)

BATCH = 100  # rows of a kind a sweep


def sweep() -> int:
    """Tell the workers of lost work again, and roll the standings when the day has changed.

    Returns the number of rows that they were told of.
    """
    told = 0
    for kind in work.KINDS.values():
        lost = queue.lost(kind.model, BATCH)
        # Asked only where something is lost, which is seldom: one query less in nearly every sweep.
        due = (
            set(kind.due(standings.today()).filter(pk__in=lost).values_list("pk", flat=True)) if lost else ()
        )
        for pk in filter(due.__contains__, lost):
            queue.tell(kind.model, pk)
        told += len(due)
    if told:
        logger.info("told the workers again about %s rows of work", told)
    if standings.roll_if_due():  # a new day
        for chore in work.DAILY:
            chore(standings.today())
    return told


class Backlog(NamedTuple):
    """Seconds for which the oldest work has waited to be done, None if none waits, and its last error; how
    many rows were given up."""

    oldest: float | None
    error: str
    parked: int


def backlog() -> Backlog:
    """What is not done yet; at most two queries a kind. What waits for its day is none of it.

    A task of a category change that stopped is not parked: its campaign says so, and somebody asks anew.
    """
    waiting, parked = [], 0
    for kind in work.KINDS.values():
        state = kind.model.State
        unfinished = kind.due(standings.today()).filter(state__in=[state.PENDING, state.RUNNING])
        if kind.due_column:
            rows = unfinished.values_list("created_at", kind.due_column, "error")
            waiting += [(max(made, _midnight(day)) if day else made, error) for made, day, error in rows]
        elif oldest := unfinished.order_by("created_at").values_list("created_at", "error").first():
            waiting.append(oldest)
        if kind.retried:
            parked += kind.model.objects.filter(state=state.FAILED).count()
    if not waiting:
        return Backlog(None, "", parked)
    since, error = min(waiting)
    return Backlog(max(0.0, (queue.now() - since).total_seconds()), error, parked)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
