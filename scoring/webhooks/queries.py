"""Read webhooks and their deliveries for the pages."""

from collections.abc import Iterable
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.webhooks.events import label_of
from scoring.webhooks.models import Delivery, Webhook
from scoring.webhooks.owners import Owner

LAST = 20  # deliveries that the page of a webhook shows


def listed(owner: Owner) -> QuerySet[Webhook]:
    """Return the webhooks of an owner, with `tried_at`: when the last delivery was tried."""
    last = Delivery.objects.filter(webhook=OuterRef("pk"), tried_at__isnull=False).order_by("-pk")
    return owner.webhooks().annotate(tried_at=Subquery(last.values("tried_at")[:1])).order_by("pk")


def webhook_record(owner: Owner, webhook: Webhook, may_write: bool) -> dict[str, Any]:
    """Return the record of a webhook in `WebhooksTable`.

    may_write: whether the reader may change it
    """
    return {
        "address": address_of(webhook, may_write),
        "url": owner.url("webhook", webhook.pk),
        "events": "; ".join(map(label_of, webhook.events)),
        "state": state_of(webhook),
        "tried_at": webhook.tried_at,  # type: ignore[attr-defined]
    }


def address_of(webhook: Webhook, may_write: bool) -> str:
    """Return the address as a reader sees it, who may change it or not."""
    return webhook.url if may_write else webhook.address_for_readers


def state_of(webhook: Webhook) -> str:
    """Return the state of a webhook in words."""
    if webhook.stop:
        return webhook.get_stop_display()
    return _("fails at the moment") if webhook.failures else _("enabled")


def summary_of(webhook: Webhook) -> str:
    """Return in a sentence or two how a webhook fares, and what to do about it."""
    return str(_AFTER[webhook.stop] if webhook.stop else _FAILING if webhook.failures else _ENABLED)


_ENABLED = gettext_lazy("It is enabled: what happens is sent within a few seconds.")
_FAILING = gettext_lazy("The last message did not arrive: the table says what the receiver answered.")
_AFTER = {
    Webhook.Stop.PERSON: gettext_lazy("It is disabled: nothing is sent until somebody enables it."),
    Webhook.Stop.FAILURES: gettext_lazy(
        "It was disabled after many failures in a row. Mend the program that receives the messages, then "
        "enable it."
    ),
    Webhook.Stop.GONE: gettext_lazy(
        "It was disabled because the receiver no longer wants the messages. Enable it if that was a mistake."
    ),
}


def last_deliveries(webhook: Webhook) -> list[dict[str, Any]]:
    """Return the records of the last deliveries of a webhook in `DeliveriesTable`, the latest first."""
    return list(map(_delivery_record, webhook.deliveries.order_by("-pk")[:LAST]))


def _delivery_record(delivery: Delivery) -> dict[str, Any]:
    return {
        "created_at": delivery.created_at,
        "event": label_of(delivery.event),
        "state": delivery.get_state_display(),
        "tries": delivery.tries,
        "status": delivery.status,
        "milliseconds": delivery.milliseconds,
        "answer": ": ".join(_parts_of_answer(delivery)),
    }


def _parts_of_answer(delivery: Delivery) -> Iterable[str]:
    """Return the problem of the last attempt, if there was one, and what the receiver answered."""
    return filter(None, (delivery.get_problem_display(), delivery.answer))


def event_labels(webhook: Webhook) -> list[tuple[str, str]]:
    """Return (code, label) of the events that a webhook gets."""
    return [(code, label_of(code)) for code in webhook.events]
