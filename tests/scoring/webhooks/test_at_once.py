"""What several people, or a person and a worker, do with webhooks at the same time."""

import threading
import time

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Q

from players.models import AccountEvent
from scoring.webhooks import client, outbox, sending, services
from scoring.webhooks.events import Event
from scoring.webhooks.models import Delivery, Webhook
from tests import factories as make
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
ALL = Q()
URL = "https://hooks.example/"


@pytest.fixture
def webhook(club, administrator) -> Webhook:
    return services.add(club, URL, [Event.SCORED], administrator)[0]


def lines(kind: AccountEvent.Kind) -> int:
    return AccountEvent.objects.filter(kind=kind).count()


def impatient(act):
    """Return an act that waits half a second for a lock."""

    def begin() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 500")
        act()

    return begin


@pytest.mark.parametrize("of_club", [True, False], ids=["club", "office"])
def test_eight_who_add_at_once_do_not_exceed_the_limit(club, administrator, monkeypatch, of_club):
    make.office()
    monkeypatch.setattr(services, "MOST_OF_OFFICE", services.MOST_OF_CLUB)
    owner = club if of_club else None

    def add(number: int) -> None:
        services.add(owner, f"{URL}{number}", [Event.SCORED], administrator)

    failed = at_once([lambda number=number: add(number) for number in range(8)])
    assert len(failed) == 8 - services.MOST_OF_CLUB
    assert Webhook.objects.count() == lines(AccountEvent.Kind.WEBHOOK_ADDED) == services.MOST_OF_CLUB


def test_two_who_add_the_same_address_at_once_make_one_webhook(club, administrator):
    failed = at_once([lambda: services.add(club, URL, [Event.SCORED], administrator)] * 4)
    assert [type(error) for error in failed] == [services.AlreadyThere] * 3
    assert Webhook.objects.count() == 1


def test_of_four_who_delete_a_webhook_one_writes_the_journal(webhook, administrator):
    failed = at_once([lambda: services.delete(webhook, administrator)] * 4)
    assert [type(error) for error in failed] == [Webhook.DoesNotExist] * 3
    assert lines(AccountEvent.Kind.WEBHOOK_DELETED) == 1


def test_acts_at_the_same_time_as_deleting_either_succeed_or_find_nothing(webhook, administrator):
    acts = [
        lambda: services.delete(webhook, administrator),
        lambda: services.send_test(webhook),
        lambda: services.renew_secret(webhook, administrator),
        lambda: services.disable(webhook, Webhook.Stop.PERSON, administrator),
    ]
    failed = at_once(acts * 2)
    assert {type(error) for error in failed} <= {Webhook.DoesNotExist, ValidationError}
    assert not Webhook.objects.exists() and not Delivery.objects.exists()


def test_an_attempt_and_deleting_do_not_wait_for_each_other_for_ever(
    webhook, administrator, monkeypatch, caplog
):
    if connection.vendor != "postgresql":
        return  # on SQLite a transaction that writes is alone
    services.send_test(webhook)
    delivery, sent, locked = Delivery.objects.get(), threading.Event(), threading.Event()

    def post(url, headers, body) -> client.Answer:
        sent.set()
        locked.wait(5)
        return client.Answer(200, "")

    @transaction.atomic
    def delete() -> None:
        sent.wait(5)
        Webhook.objects.select_for_update().get()
        locked.set()
        time.sleep(0.5)  # long enough for the sender to reach the lock
        services.delete(webhook, administrator)

    monkeypatch.setattr(client, "post", post)
    assert at_once([lambda: sending.send(delivery.pk), delete]) == []
    assert "deadlock" not in caplog.text


def test_a_webhook_that_is_deleted_while_points_are_posted_does_not_keep_them_from_it(webhook, administrator):
    """The foreign key is checked when the transaction that posts commits."""
    if connection.vendor != "postgresql":
        return  # on SQLite a transaction that writes is alone
    with transaction.atomic():
        outbox._store(Event.SCORED, "key", ALL, dict)
        failed = at_once([impatient(lambda: services.delete(webhook, administrator))])
        assert [type(error).__name__ for error in failed] == ["OperationalError"]  # it waits
    assert Delivery.objects.count() == 1
    services.delete(webhook, administrator)


def test_posting_does_not_wait_for_somebody_who_deletes_a_webhook(webhook, administrator):
    if connection.vendor != "postgresql":
        return  # on SQLite a transaction that writes is alone
    with transaction.atomic():
        services.delete(webhook, administrator)
        assert at_once([impatient(lambda: outbox._store(Event.SCORED, "key", ALL, dict))]) == []
    assert not Delivery.objects.exists()


def test_posting_does_not_wait_for_an_attempt_that_is_stored(webhook):
    if connection.vendor != "postgresql":
        return  # on SQLite a transaction that writes is alone
    with transaction.atomic():
        services._locked(webhook)
        assert at_once([impatient(lambda: outbox._store(Event.SCORED, "key", ALL, dict))]) == []
    assert Delivery.objects.count() == 1
