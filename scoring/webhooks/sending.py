"""Send what is stored for webhooks, try again after failures, and disable webhooks that fail too often.

The waits after failures belong to the webhook: while its server is away, one attempt is made after each wait,
however many deliveries there are. One worker process at a time sends, for a few seconds, and then does other
work for as long, so that slow receivers do not keep workers from scoring. Webhooks take turns, and those that
answer slowly have fewer, so that slow receivers do not keep messages from the others either.
"""

import logging
import time
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import F

from scoring.ledger.models.work import PENDING, RUNNING
from scoring.ledger.services import queue
from scoring.letters.notifying import notify
from scoring.webhooks import client, services, signing
from scoring.webhooks.addresses import Problem, Undelivered
from scoring.webhooks.models import Delivery, Webhook
from scoring.webhooks.notices import STOPPED

logger = logging.getLogger(__name__)

LEASE = queue.LONGEST_LEASE
AT_A_TIME = 2.0  # seconds after which a worker begins no further attempt, and pauses
# The waits after the first failure in a row, the second, … as Standard Webhooks proposes them. Three days.
WAITS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
)
MOST_FAILURES = len(WAITS) + 1  # in a row, until the webhook is disabled; also the most tries of a delivery
REST = 10  # times the length of an attempt, in which the other webhooks go first
GONE = 410  # the receiver wants no more messages
_pause_until = 0.0  # monotonic time before which this process does not send


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an attempt led to. `problem`: a `Delivery.Problem`, "" if the receiver took the message."""

    milliseconds: int
    status: int | None = None
    answer: str = ""
    problem: str = ""
    error: str = ""


def send(_some_delivery: int) -> None:
    """Send the deliveries that wait, in turn, while there is time.

    Do nothing while another worker sends or this one pauses: the sweeper will come back to what waits.
    """
    global _pause_until
    began = time.monotonic()
    if began < _pause_until:
        return
    while not _others_send() and (next_id := _next()):
        queue.work_on(Delivery, next_id, LEASE, _send)
        spent = time.monotonic() - began
        if spent > AT_A_TIME:
            _pause_until = began + 2 * spent
            return


def _next() -> int | None:
    """Return the id of the delivery whose turn it is: the oldest of the webhook with the earliest turn."""
    turn = F("webhook__turn_at").asc(nulls_first=True)
    return queue.free(Delivery).order_by(turn, "pk").values_list("pk", flat=True).first()


def _others_send() -> bool:
    instant = queue.now()
    leases = (instant, instant + queue.LEASE_LIMIT)
    return Delivery.objects.filter(state=RUNNING, lease_until__range=leases).exists()


def _send(row: Delivery) -> None:
    """Make one attempt with a claimed row, and store what it led to."""
    webhook = Webhook.objects.filter(pk=row.webhook_id).first()
    if webhook is None:
        return  # deleted since the row was claimed, with its deliveries
    if webhook.stop:
        queue.held(row).update(
            state=Delivery.State.DROPPED, finished_at=queue.now(), lease_until=None, error=""
        )
    else:
        _settle(row, _attempt(webhook, row))


def _attempt(webhook: Webhook, row: Delivery) -> Outcome:
    """Post a delivery to its webhook."""
    began = time.monotonic()
    try:
        answer = client.post(webhook.url, _headers(webhook, row), row.body.encode())
        return Outcome(_since(began), answer.status, answer.text)
    except Undelivered as error:
        return Outcome(_since(began), error.status, error.answer, error.problem, str(error))
    except InvalidToken:
        return Outcome(_since(began), problem=Problem.SECRET, error="InvalidToken")


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _headers(webhook: Webhook, row: Delivery) -> dict[str, str]:
    """Return the headers of an attempt that begins now. Raises InvalidToken."""
    now = queue.now()
    stored = [webhook.secret]
    if webhook.former_until and webhook.former_until > now:
        stored.append(webhook.former_secret)
    message_id, timestamp = f"msg_{row.uid.hex}", int(now.timestamp())
    keys = map(signing.unseal, stored)
    return {
        "Content-Type": "application/json",
        "User-Agent": "Baza",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signing.signature(keys, message_id, timestamp, row.body.encode()),
    }


@transaction.atomic
def _settle(row: Delivery, outcome: Outcome) -> None:
    """Store what an attempt led to, and when the webhook is tried next. Raises LeaseLost."""
    # The webhook first, as those do who delete it with its deliveries.
    webhook = Webhook.objects.select_for_update(no_key=True).filter(pk=row.webhook_id).first()
    if webhook is None:
        return  # deleted during the attempt, with its deliveries
    queue.lock_held(row)
    failed = bool(outcome.problem)
    webhook.failures = webhook.failures + 1 if failed else 0
    webhook.retry_at = _next_try(webhook.failures)
    webhook.turn_at = queue.now() + REST * timedelta(milliseconds=outcome.milliseconds)
    webhook.save(update_fields=["failures", "retry_at", "turn_at"])
    _store(row, outcome, webhook)
    services.waiting(webhook).update(not_before=webhook.retry_at)
    if failed:
        logger.warning("delivery %s failed: %s", row.pk, outcome.error)
    if outcome.status == GONE:
        _stop(webhook, Webhook.Stop.GONE)
    elif webhook.failures >= MOST_FAILURES:
        _stop(webhook, Webhook.Stop.FAILURES)


def _next_try(failures: int) -> datetime | None:
    """Return the time before which no attempt is made after so many failures in a row; None for at once."""
    return queue.now() + WAITS[min(failures, len(WAITS)) - 1] if failures else None


def _store(row: Delivery, outcome: Outcome, webhook: Webhook) -> None:
    """Store the outcome of an attempt in its row, which waits for the next one unless this was the last."""
    tries = row.tries + 1
    over = not outcome.problem or tries >= MOST_FAILURES
    state = (Delivery.State.LOST if outcome.problem else Delivery.State.DONE) if over else PENDING
    queue.held(row).update(
        state=state,
        finished_at=queue.now() if over else None,
        lease_until=None,
        enqueued_at=None,
        not_before=None if over else webhook.retry_at,
        attempts=F("attempts") - 1,  # those of the queue count failures of our own
        tries=tries,
        tried_at=queue.now(),
        milliseconds=outcome.milliseconds,
        status=outcome.status,
        answer=outcome.answer,
        problem=outcome.problem,
        error=outcome.error,
    )


def _stop(webhook: Webhook, stop: Webhook.Stop) -> None:
    """Disable a webhook, and notify who made it."""
    if services.disable(webhook, stop):
        webhook.refresh_from_db()
        key = f"{webhook.pk} {webhook.stopped_at:%Y%m%d%H%M%S}"
        notify(STOPPED, [webhook.made_by_id], key, {"webhook": webhook.pk})


def prune(day: date) -> None:
    """Delete the deliveries that were finished long ago."""
    Delivery.objects.filter(finished_at__lt=queue.now() - services.KEPT).delete()
