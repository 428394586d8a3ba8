"""Store the deliveries of an event in its transaction, so that neither exists without the other.

The sweeper lets the workers send them after the commit.
"""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4

from django.db import connection
from django.db.models import Q, QuerySet

from scoring.ledger.models import ScoringRun
from scoring.promotions.models import CampaignAct
from scoring.webhooks.events import TEST, Event, event_of, list_data, message, tournament_data
from scoring.webhooks.models import Delivery, Webhook
from tournaments.models import Tournament


def note_posted(run: ScoringRun, **kwargs: Any) -> None:
    """Store the deliveries about a run that was just posted. Receiver of the signal `posted`."""
    tournament = Tournament.objects.select_related("club").get(pk=run.tournament_id)
    receivers = Q(club=None) | Q(club=tournament.club_id)
    _store(event_of(run), str(run.uid), receivers, lambda: tournament_data(run, tournament))


def note_lists(act: CampaignAct, **kwargs: Any) -> None:
    """Store the deliveries about published lists. Receiver of the signal `lists_published`."""
    _store(Event.PUBLISHED, str(act.pk), Q(club=None), lambda: list_data(act))


def _store(event: Event, key: str, receivers: Q, data: Callable[[], dict[str, Any]]) -> None:
    """Store a delivery for each enabled webhook among `receivers` that wants the event, once for each key."""
    enabled = Webhook.objects.filter(receivers, stop="")
    if webhooks := [webhook for webhook in _kept(enabled) if event in webhook.events]:
        body = message(event, data())
        rows = (
            Delivery(webhook=webhook, event=event, key=key, body=body, not_before=webhook.retry_at)
            for webhook in webhooks
        )
        Delivery.objects.bulk_create(rows, ignore_conflicts=True)


def _kept(webhooks: QuerySet[Webhook]) -> Iterable[Webhook]:
    """Return the webhooks, locked against deletion until this transaction ends.

    Deliveries refer to them, so without the lock a deletion would make this transaction fail. Webhooks that
    are being deleted now are skipped, so that posting never waits. Django cannot express this lock, which
    still lets others change the rows. On SQLite only one transaction writes at a time.
    """
    if connection.vendor != "postgresql":
        return webhooks
    sql, values = webhooks.query.sql_with_params()
    return Webhook.objects.raw(f"{sql} FOR KEY SHARE SKIP LOCKED", values)


def store_test(webhook: Webhook) -> Delivery:
    """Store the delivery of a test to a webhook. It does not wait, even after failures."""
    return Delivery.objects.create(webhook=webhook, event=TEST, key=uuid4().hex, body=message(TEST, {}))
