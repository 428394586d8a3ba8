"""Add and delete webhooks, make new secrets, disable and enable them, and send tests.

Whatever changes a webhook locks it first, and then its deliveries. The functions raise Webhook.DoesNotExist
if somebody deleted it meanwhile.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import AccountEvent, Club, Role
from players.services.journal import note
from scoring.ledger.models.work import PENDING, UNDER_WAY
from scoring.ledger.services import queue
from scoring.webhooks import outbox, signing
from scoring.webhooks.events import TEST
from scoring.webhooks.models import Delivery, Webhook

MOST_OF_CLUB, MOST_OF_OFFICE = 5, 20
KEPT = timedelta(days=30)  # how long deliveries are kept after their last attempt
NEVER_TRIED: dict[str, Any] = dict.fromkeys(("tried_at", "milliseconds", "status"), None)
NEVER_TRIED |= {"tries": 0, "answer": "", "problem": ""}
OVERLAP = timedelta(hours=24)  # in which the former secret signs, too
CHANGING = timedelta(minutes=10)  # in which a new secret is not at the receiver yet
Stop = Webhook.Stop
Kind = AccountEvent.Kind


def most_of(club: Club | None) -> int:
    """Return how many webhooks a club, or the office (None), can have."""
    return MOST_OF_CLUB if club else MOST_OF_OFFICE


class AlreadyThere(Exception):
    """There is a webhook with this address already: `webhook`."""

    def __init__(self, webhook: Webhook) -> None:
        super().__init__(webhook.url)
        self.webhook = webhook


@transaction.atomic
def add(club: Club | None, url: str, events: Sequence[str], by: User) -> tuple[Webhook, str]:
    """Add a webhook. Return it with its secret, which cannot be shown again.

    Raises AlreadyThere if there is one with this address, and ValidationError if there are too many. The
    address must be allowed (`addresses.target_of`).

    club: None for a webhook of the office
    """
    _lock_owner(club)
    owned = Webhook.objects.filter(club=club)
    if there := owned.filter(url=url).first():
        raise AlreadyThere(there)
    if owned.count() >= most_of(club):
        raise ValidationError(_("There are as many webhooks as there can be: delete one first."))
    secret = signing.new_secret()
    webhook = Webhook(club=club, url=url, events=list(events), secret=signing.seal(secret), made_by=by)
    webhook.save()
    _note(webhook, Kind.WEBHOOK_ADDED, by)
    return webhook, secret


def _lock_owner(club: Club | None) -> None:
    """Let others who add a webhook for the same owner wait. Not FOR UPDATE: others refer to these rows."""
    owners = Club.objects.filter(pk=club.pk) if club else Role.objects.filter(kind=Role.Kind.OFFICE)
    list(owners.select_for_update(no_key=True).order_by("pk").values_list("pk"))


@transaction.atomic
def renew_secret(webhook: Webhook, by: User) -> str:
    """Make a new secret and return it. The one that the receiver knows signs for a day, too.

    That is the current secret, or the former one while the current one is younger than CHANGING. So two
    clicks in a row, or a page that was closed too soon, do not end the secret with which the receiver
    verifies messages.
    """
    current, now = _locked(webhook), timezone.now()
    secret = signing.new_secret()
    if not (current.former_until and current.former_until > now + OVERLAP - CHANGING):
        current.former_secret, current.former_until = current.secret, now + OVERLAP
    current.secret = signing.seal(secret)
    current.save(update_fields=["secret", "former_secret", "former_until"])
    _note(current, Kind.WEBHOOK_SECRET, by)
    return secret


@transaction.atomic
def disable(webhook: Webhook, stop: Stop, by: User | None = None) -> bool:
    """Disable a webhook and drop what waits for it. Return False if it was disabled before.

    by: who disables it; None after failures, which the webhook's own page and a notice tell
    """
    current = _locked(webhook)
    if current.stop:
        return False
    current.stop, current.stopped_at = stop, timezone.now()
    current.save(update_fields=["stop", "stopped_at"])
    waiting(current).update(state=Delivery.State.DROPPED, finished_at=timezone.now())
    if by:
        _note(current, Kind.WEBHOOK_DISABLED, by)
    return True


@transaction.atomic
def enable(webhook: Webhook, by: User) -> None:
    """Enable a webhook again, as if it had never failed. Events while it was stopped are not sent."""
    current = _locked(webhook)
    if not current.stop:
        return
    current.stop, current.stopped_at, current.failures, current.retry_at = "", None, 0, None
    current.save(update_fields=["stop", "stopped_at", "failures", "retry_at"])
    _note(current, Kind.WEBHOOK_ENABLED, by)


@transaction.atomic
def delete(webhook: Webhook, by: User) -> None:
    """Delete a webhook and its deliveries."""
    current = Webhook.objects.select_for_update().get(pk=webhook.pk)
    _note(current, Kind.WEBHOOK_DELETED, by)
    current.delete()


@transaction.atomic
def send_test(webhook: Webhook) -> None:
    """Let the workers send a test. Raises ValidationError if it is disabled, or a test waits already."""
    current = _locked(webhook)
    if current.stop:
        raise ValidationError(_("The webhook is disabled: enable it first."))
    if current.deliveries.filter(event=TEST, state__in=UNDER_WAY).exists():
        raise ValidationError(_("A test is waiting to be sent already."))
    outbox.store_test(current)


@transaction.atomic
def send_again(webhook: Webhook) -> None:
    """Let the workers send again what was not delivered, at once, even after failures.

    The messages keep their ids, so the receiver knows those that it took without answering in time. Raises
    ValidationError if the webhook is disabled, or if there is nothing to send.
    """
    current = _locked(webhook)
    if current.stop:
        raise ValidationError(_("The webhook is disabled: enable it first."))
    if not queue.restart_all(undelivered(current), **NEVER_TRIED):
        raise ValidationError(_("There is nothing to send again."))


def undelivered(webhook: Webhook) -> QuerySet[Delivery]:
    """Return the deliveries of a webhook that were given up lately. Tests are left out: send another."""
    given_up = (Delivery.State.LOST, Delivery.State.DROPPED, Delivery.State.FAILED)
    recent = webhook.deliveries.filter(created_at__gte=timezone.now() - KEPT)
    return recent.filter(state__in=given_up).exclude(event=TEST)


def waiting(webhook: Webhook) -> QuerySet[Delivery]:
    """Return the deliveries of a webhook that no worker is sending yet."""
    return webhook.deliveries.filter(state=PENDING)


def _note(webhook: Webhook, kind: AccountEvent.Kind, by: User) -> None:
    """Write a line of the journal. It names the server alone, because an address may contain a secret."""
    club = webhook.club.name if webhook.club else ""
    note(webhook.made_by, kind, by, server=webhook.server, club=club)


def _locked(webhook: Webhook) -> Webhook:
    # Not FOR UPDATE, for which transactions that store deliveries would have to wait.
    return Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
