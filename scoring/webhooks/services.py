"""Add and delete webhooks, make new secrets, disable and enable them, and send tests."""

from collections.abc import Sequence
from datetime import timedelta

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import Club
from scoring.ledger.models.work import PENDING, UNDER_WAY
from scoring.webhooks import outbox, signing
from scoring.webhooks.events import TEST
from scoring.webhooks.models import Delivery, Webhook

MOST_OF_CLUB, MOST_OF_OFFICE = 5, 20
OVERLAP = timedelta(hours=24)  # in which the former secret signs, too
Stop = Webhook.Stop


def most_of(club: Club | None) -> int:
    """Return how many webhooks a club, or the office (None), can have."""
    return MOST_OF_CLUB if club else MOST_OF_OFFICE


def add(club: Club | None, url: str, events: Sequence[str], by: User) -> tuple[Webhook, str]:
    """Add a webhook. Return it with its secret, which cannot be shown again.

    Raises ValidationError if there are too many, or one with this address. The address must be allowed
    (`addresses.target_of`).

    club: None for a webhook of the office
    """
    if Webhook.objects.filter(club=club).count() >= most_of(club):
        raise ValidationError(_("There are as many webhooks as there can be: delete one first."))
    secret = signing.new_secret()
    webhook = Webhook(club=club, url=url, events=list(events), secret=signing.seal(secret), made_by=by)
    try:
        with transaction.atomic():
            webhook.save()
    except IntegrityError as error:
        raise ValidationError(
            {"url": _("There is a webhook with this address. Its secret is not shown again: make a new one.")}
        ) from error
    return webhook, secret


@transaction.atomic
def renew_secret(webhook: Webhook) -> str:
    """Make a new secret and return it. The former one also signs for a day."""
    current = _locked(webhook)
    secret = signing.new_secret()
    current.former_secret, current.former_until = current.secret, timezone.now() + OVERLAP
    current.secret = signing.seal(secret)
    current.save(update_fields=["secret", "former_secret", "former_until"])
    return secret


@transaction.atomic
def disable(webhook: Webhook, stop: Stop) -> bool:
    """Disable a webhook and drop what waits for it. Return False if it was disabled before."""
    current = _locked(webhook)
    if current.stop:
        return False
    current.stop, current.stopped_at = stop, timezone.now()
    current.save(update_fields=["stop", "stopped_at"])
    waiting(current).update(state=Delivery.State.DROPPED, finished_at=timezone.now())
    return True


@transaction.atomic
def enable(webhook: Webhook) -> None:
    """Enable a webhook again, as if it had never failed. Events while it was stopped are not sent."""
    current = _locked(webhook)
    current.stop, current.stopped_at, current.failures, current.retry_at = "", None, 0, None
    current.save(update_fields=["stop", "stopped_at", "failures", "retry_at"])


def delete(webhook: Webhook) -> None:
    """Delete a webhook and its deliveries."""
    webhook.delete()


@transaction.atomic
def send_test(webhook: Webhook) -> None:
    """Let the workers send a test. Raises ValidationError if it is disabled, or a test waits already."""
    current = _locked(webhook)
    if current.stop:
        raise ValidationError(_("The webhook is disabled: enable it first."))
    if current.deliveries.filter(event=TEST, state__in=UNDER_WAY).exists():
        raise ValidationError(_("A test is waiting to be sent already."))
    outbox.store_test(current)


def waiting(webhook: Webhook) -> QuerySet[Delivery]:
    """Return the deliveries of a webhook that no worker is sending yet."""
    return webhook.deliveries.filter(state=PENDING)


def _locked(webhook: Webhook) -> Webhook:
    # Not FOR UPDATE, for which transactions that store deliveries would have to wait.
    return Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
