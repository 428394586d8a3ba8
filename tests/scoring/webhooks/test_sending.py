"""What is sent about which event, and what happens if receivers and workers fail."""

import json
import time
from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone, translation

from scoring.annulments import services as annulments
from scoring.ledger import work
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs, sweeper
from scoring.letters import composing
from scoring.letters.models import Letter, Notice
from scoring.webhooks import client, outbox, sending, services
from scoring.webhooks.models import Delivery, Webhook
from tests import factories as make
from tests.scoring.pages.test_corrections import correct
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.conftest import clock, module_people, people  # noqa: F401 (fixtures)
from tests.scoring.webhooks.receivers import drip, raw_server

pytestmark = pytest.mark.django_db
State = Delivery.State


def played(club, **fields):
    """Score a pool of the club. Return it with its pairs."""
    pairs = make.pairs(make.players(8, category="2P", club=club))
    return make.scored(*pairs, of=club, name="Pool de los jueves", **fields), pairs


def send_all() -> None:
    """Send everything that waits, like a worker that comes when all waiting times are over."""
    for delivery in Delivery.objects.filter(state=State.PENDING).order_by("pk"):
        Delivery.objects.filter(state=State.PENDING).update(not_before=None)
        sending.send(delivery.pk)


def bodies(server) -> list[dict]:
    return [json.loads(body) for _headers, body in server.got]


# --- Events -------------------------------------------------------------------------------------------------
def test_a_scored_tournament_is_sent_and_signed(hook, server, club, settings):
    settings.SITE_ADDRESS = "https://baza.example.org"
    tournament, pairs = played(club)
    assert server.got == []
    send_all()
    headers, body = server.got[0]
    sent = json.loads(body)
    assert sent["type"] == "tournament.scored"
    assert datetime.fromisoformat(sent["timestamp"]) > timezone.now() - timedelta(minutes=1)
    assert sent["data"] == {
        "tournament": {
            "id": tournament.pk,
            "name": "Pool de los jueves",
            "first_day": tournament.start_date.isoformat(),
            "last_day": tournament.end_date.isoformat(),
        },
        "club": {"code": club.code, "name": "Club del Faro"},
        "purpose": "score",
        "url": f"https://baza.example.org{tournament.get_absolute_url()}",
        "api_url": f"https://baza.example.org/api/v1/tournaments/{tournament.pk}",
    }
    assert headers["content-type"] == "application/json"
    assert abs(int(headers["webhook-timestamp"]) - datetime.now(UTC).timestamp()) < 60
    assert server.verified(hook.secret) and not server.verified(hook.secret[:-4] + "AAA=")
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status, delivery.tries) == (State.DONE, 204, 1)
    assert headers["webhook-id"] == f"msg_{delivery.uid.hex}"
    names = [name for pair in pairs for player in pair for name in (player.surname, player.number)]
    assert not any(str(name) in body.decode() for name in names)


def test_addresses_in_messages_are_those_of_the_site_s_language(hook, server, club):
    with translation.override("en"):
        played(club)
    send_all()
    assert "/en/" not in bodies(server)[0]["data"]["url"]


def test_corrections_annulments_and_restorations_are_events_of_one_type(hook, server, club):
    tournament, pairs = played(club)
    correct(tournament, pairs[::-1])
    office = make.office()
    runs.score(annulments.annul(tournament.pk, "Repetido", office).pk)
    runs.score(annulments.restore(tournament.pk, "No lo era", office).pk)
    send_all()
    got = [(sent["type"].partition(".")[2], sent["data"]["purpose"]) for sent in bodies(server)]
    assert got == [
        ("scored", "score"),
        ("corrected", "score"),
        ("corrected", "annul"),
        ("corrected", "restore"),
    ]


def test_published_lists_are_sent_to_the_office_s_webhooks_alone(hook, server, club, people):  # noqa: F811
    services.add(None, server.url, ["list.published"], people.office)
    services.add(None, f"{server.url}&of=others", ["tournament.scored"], people.office)
    campaign = campaigns.published(people)
    Delivery.objects.exclude(event="list.published").delete()
    send_all()
    [sent] = bodies(server)
    assert (sent["type"], sent["data"]["year"]) == ("list.published", campaign.year)
    assert sent["data"]["claims_until"] == campaign.claims_until.isoformat()
    codes = [row["category"] for row in sent["data"]["lists"]]
    assert codes and all(row["url"].endswith(f"/{row['category'].lower()}/") for row in sent["data"]["lists"])


def test_webhooks_get_the_events_that_they_want_of_their_own_club(server, club, administrator):
    other = make.club()
    wanted = {
        "own": services.add(club, f"{server.url}&own", ["tournament.scored"], administrator)[0],
        "corrections": services.add(club, f"{server.url}&c", ["tournament.corrected"], administrator)[0],
        "other": services.add(other, server.url, ["tournament.scored"], administrator)[0],
        "office": services.add(None, server.url, ["tournament.scored"], administrator)[0],
        "off": services.add(None, f"{server.url}&off", ["tournament.scored"], administrator)[0],
    }
    services.disable(wanted["off"], Webhook.Stop.PERSON)
    played(club)
    assert set(Delivery.objects.values_list("webhook", flat=True)) == {wanted["own"].pk, wanted["office"].pk}


def test_an_event_that_is_rolled_back_is_not_sent(hook, server, club):
    with pytest.raises(RuntimeError), transaction.atomic():
        played(club)
        assert Delivery.objects.exists()
        raise RuntimeError
    assert not Delivery.objects.exists()


def test_a_run_that_is_posted_twice_is_sent_once(hook, server, club):
    played(club)
    run = ScoringRun.objects.get()
    outbox.note_posted(run)
    send_all()
    sending.send(Delivery.objects.get().pk)
    assert len(server.got) == 1


# --- Failures -----------------------------------------------------------------------------------------------
def test_a_failed_delivery_is_tried_again_with_the_same_id_and_body(hook, server, club):
    played(club)
    server.status, server.body = 500, b"down"
    send_all()
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.tries, delivery.status) == (State.PENDING, 1, 500)
    assert (delivery.problem, delivery.answer) == (Delivery.Problem.STATUS, "down")
    assert delivery.not_before > timezone.now() and delivery.milliseconds < 5000
    sending.send(delivery.pk)
    assert len(server.got) == 1  # it waits
    server.status = 200
    send_all()
    (first, body), (second, again) = server.got
    assert (first["webhook-id"], body) == (second["webhook-id"], again)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries, delivery.problem) == (State.DONE, 2, "")
    assert not Webhook.objects.get().failures


def test_waits_grow_and_the_webhook_is_disabled_after_many_failures_in_a_row(hook, server, club):
    played(club)
    server.status, waits = 503, []
    for _number in range(sending.MOST_FAILURES - 1):
        send_all()
        waits.append(Webhook.objects.get().retry_at - timezone.now())
    assert waits == sorted(waits) and waits[0] < timedelta(seconds=6) and waits[-1] > timedelta(hours=23)
    assert Webhook.objects.get().stop == ""
    send_all()
    webhook, delivery = Webhook.objects.get(), Delivery.objects.get()
    assert (webhook.stop, webhook.failures) == (Webhook.Stop.FAILURES, sending.MOST_FAILURES)
    assert (delivery.state, delivery.tries) == (State.LOST, sending.MOST_FAILURES)
    played(club)
    assert Delivery.objects.count() == 1 and len(server.got) == sending.MOST_FAILURES


def test_who_added_a_webhook_is_told_when_it_is_disabled(hook, server, club, administrator):
    played(club)
    Webhook.objects.update(failures=sending.MOST_FAILURES - 1)
    server.status = 503
    send_all()
    notice, letter = Notice.objects.get(account=administrator, kind="webhook_stopped"), Letter.objects.get()
    with translation.override("en"):
        text = composing.texts_of(administrator, [notice])[notice.pk]
        assert server.url in text.paragraphs[0]
        assert text.path.endswith(f"/gestion/clubes/{club.slug}/webhooks/{hook.webhook.pk}/")
    assert composing.message_of(letter).to == ["admin@example.org"]
    services.enable(hook.webhook, administrator)
    assert composing.message_of(letter) is None
    webhook = Webhook.objects.get()
    assert (webhook.stop, webhook.failures, webhook.retry_at) == ("", 0, None)
    server.status = 200
    played(club)
    send_all()
    assert Delivery.objects.latest("pk").state == State.DONE


def test_while_a_server_is_away_its_deliveries_wait_together(hook, server, club):
    played(club), played(club)
    server.status = 500
    sending.send(Delivery.objects.earliest("pk").pk)
    played(club)
    assert not Delivery.objects.filter(not_before=None).exists()
    for delivery in Delivery.objects.all():
        sending.send(delivery.pk)
    assert len(server.got) == 1
    server.status = 200
    Delivery.objects.filter(pk=Delivery.objects.earliest("pk").pk).update(not_before=None)
    sending.send(Delivery.objects.earliest("pk").pk)
    assert not Delivery.objects.filter(state=State.PENDING).exclude(not_before=None).exists()


def test_a_test_does_not_wait_and_ends_the_wait_of_the_others(hook, server, club):
    played(club)
    server.status = 500
    send_all()
    server.status = 200
    services.send_test(Webhook.objects.get())
    sending.send(Delivery.objects.latest("pk").pk)
    assert [body["type"] for body in bodies(server)] == ["tournament.scored", "test", "tournament.scored"]


def test_a_delivery_that_is_always_refused_is_given_up_alone(hook, server, club):
    played(club)
    Delivery.objects.update(tries=sending.MOST_FAILURES - 1)
    server.status = 400
    send_all()
    assert Delivery.objects.get().state == State.LOST
    assert Webhook.objects.get().stop == ""


def test_a_receiver_that_is_gone_is_not_tried_again(hook, server, club):
    played(club), played(club)
    server.status = 410
    sending.send(Delivery.objects.earliest("pk").pk)
    assert Webhook.objects.get().stop == Webhook.Stop.GONE
    assert set(Delivery.objects.values_list("state", flat=True)) == {State.DROPPED}
    assert Notice.objects.filter(kind="webhook_stopped").count() == 1


def test_a_hanging_receiver_takes_a_worker_for_one_limit_and_is_no_alarm(hook, server, club, monkeypatch):
    monkeypatch.setattr(client, "SECONDS", 0.2)
    monkeypatch.setattr(sending, "AT_A_TIME", 0.1)
    monkeypatch.setattr(sending, "_pause_until", 0.0)
    played(club), played(club)
    first, second = Delivery.objects.order_by("pk")
    with raw_server(drip(b"")) as port:
        Webhook.objects.update(url=f"http://127.0.0.1:{port}/")
        sending.send(first.pk)
        Delivery.objects.update(not_before=None)
        began = time.monotonic()
        sending.send(second.pk)
        assert time.monotonic() - began < 0.1
    assert list(Delivery.objects.order_by("pk").values_list("tries", flat=True)) == [1, 0]
    assert sweeper.backlog().oldest is None
    monkeypatch.setattr(sending, "_pause_until", 0.0)
    Webhook.objects.update(url=server.url)
    sending.send(second.pk)
    assert len(server.got) == 2


# --- Turns --------------------------------------------------------------------------------------------------
@pytest.fixture
def sent(monkeypatch) -> list[str]:
    """The addresses to which messages were sent, in this order. Those with `slow` answer after 4.5 s."""
    got: list[str] = []

    def post(url, headers, body) -> client.Answer:
        got.append(url.rpartition("/")[2])
        return client.Answer(200, "")

    monkeypatch.setattr(client, "post", post)
    monkeypatch.setattr(sending, "_since", lambda began: 4500 if got[-1].startswith("slow") else 20)
    return got


def test_a_slow_receiver_with_many_messages_does_not_keep_those_of_others(club, administrator, sent):
    for name in ("slow", "fast", "slow2"):
        services.add(club, f"https://hooks.example/{name}", ["tournament.scored"], administrator)
    for _number in range(3):
        played(club)
    send_all()
    assert sent == ["slow", "fast", "slow2", "fast", "fast", "slow", "slow2", "slow", "slow2"]


def test_a_webhook_without_messages_for_long_is_next_at_once(club, administrator, sent):
    slow = services.add(club, "https://hooks.example/slow", ["tournament.scored"], administrator)[0]
    played(club), played(club)
    Webhook.objects.filter(pk=slow.pk).update(turn_at=timezone.now() - timedelta(seconds=1))
    fast = services.add(club, "https://hooks.example/fast", ["tournament.scored"], administrator)[0]
    Webhook.objects.filter(pk=fast.pk).update(turn_at=timezone.now() - timedelta(hours=1))
    played(club)
    send_all()
    assert sent[0] == "fast"


def test_one_worker_at_a_time_sends(hook, server, club):
    played(club), played(club)
    first, second = Delivery.objects.order_by("pk")
    lease = timezone.now() + timedelta(seconds=30)
    Delivery.objects.filter(pk=first.pk).update(state=State.RUNNING, lease_until=lease)
    sending.send(second.pk)
    assert server.got == []
    Delivery.objects.filter(pk=first.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    sending.send(second.pk)
    assert len(server.got) == 2


def test_a_private_address_is_refused_again_before_each_message(hook, server, club, settings):
    """The name led to a public address when the webhook was added."""
    settings.WEBHOOKS_TO_LOOPBACK = False
    Webhook.objects.update(url=server.url.replace("http:", "https:"))
    played(club)
    send_all()
    assert Delivery.objects.get().problem == Delivery.Problem.PRIVATE
    assert server.got == []


def test_what_waits_for_a_disabled_or_deleted_webhook_is_not_sent(hook, server, club, administrator):
    played(club)
    delivery = Delivery.objects.get()
    services.disable(hook.webhook, Webhook.Stop.PERSON, administrator)
    delivery.refresh_from_db()
    assert delivery.state == State.DROPPED
    Delivery.objects.update(
        state=State.PENDING, finished_at=None
    )  # stored by a transaction that began before
    sending.send(delivery.pk)
    delivery.refresh_from_db()
    assert delivery.state == State.DROPPED
    services.delete(hook.webhook, administrator)
    sending.send(delivery.pk)
    assert server.got == [] and not Delivery.objects.exists()


def test_what_was_given_up_is_sent_again_with_the_same_id(hook, server, club, administrator):
    for _number in range(4):
        played(club)
    first, *others, last = Delivery.objects.order_by("pk")
    server.status = 500
    sending.send(first.pk)
    first.refresh_from_db()
    Delivery.objects.filter(pk=first.pk).update(state=State.LOST, tries=sending.MOST_FAILURES)
    services.disable(hook.webhook, Webhook.Stop.PERSON, administrator)
    with pytest.raises(ValidationError):
        services.send_again(hook.webhook)
    services.enable(hook.webhook, administrator)
    Delivery.objects.filter(pk=last.pk).update(state=State.DONE)
    services.send_test(hook.webhook)
    Delivery.objects.filter(event="test").update(state=State.LOST)
    services.send_again(hook.webhook)
    server.status = 200
    send_all()
    assert [headers["webhook-id"] for headers, _body in server.got[1:]] == [
        f"msg_{delivery.uid.hex}" for delivery in (first, *others)
    ]
    assert server.got[0][1] == server.got[1][1]  # the same body
    again = Delivery.objects.get(pk=first.pk)
    assert (again.state, again.tries, again.problem) == (State.DONE, 1, "")
    assert Delivery.objects.get(event="test").state == State.LOST


def test_what_is_sent_again_is_tried_at_once_and_then_waits(hook, server, club):
    played(club), played(club)
    lost = Delivery.objects.earliest("pk")
    Delivery.objects.filter(pk=lost.pk).update(state=State.LOST, problem="time", status=500, answer="old")
    server.status = 500
    sending.send(Delivery.objects.latest("pk").pk)
    services.send_again(hook.webhook)
    lost.refresh_from_db()
    assert (lost.state, lost.tries) == (State.PENDING, 0)
    assert (lost.problem, lost.status, lost.answer) == ("", None, "")
    sending.send(lost.pk)
    assert len(server.got) == 2
    lost.refresh_from_db()
    assert lost.not_before == Webhook.objects.get().retry_at
    with pytest.raises(ValidationError, match="nothing to send|nada que"):
        services.send_again(hook.webhook)


def test_what_is_too_old_is_not_sent_again(hook, server, club):
    played(club), played(club), played(club)
    states = (State.LOST, State.FAILED, State.DROPPED)
    for delivery, state in zip(Delivery.objects.all(), states, strict=True):
        Delivery.objects.filter(pk=delivery.pk).update(state=state)
    assert services.undelivered(hook.webhook).count() == 3
    Delivery.objects.update(created_at=timezone.now() - services.KEPT - timedelta(hours=1))
    assert not services.undelivered(hook.webhook).exists()


# --- Secrets ------------------------------------------------------------------------------------------------
def test_for_a_day_the_former_secret_signs_too(hook, server, club, administrator):
    secret = services.renew_secret(hook.webhook, administrator)
    assert secret != hook.secret
    played(club)
    send_all()
    assert server.verified(secret, hook.secret)
    Webhook.objects.update(former_until=timezone.now() - timedelta(seconds=1))
    played(club)
    send_all()
    assert server.verified(secret)


def test_two_new_secrets_in_a_row_leave_the_one_that_the_receiver_knows(hook, server, club, administrator):
    services.renew_secret(hook.webhook, administrator)
    until = Webhook.objects.get().former_until
    secret = services.renew_secret(hook.webhook, administrator)
    assert Webhook.objects.get().former_until == until
    played(club)
    send_all()
    assert server.verified(secret, hook.secret)
    # Once it is likely to be at the receiver, it is the one to keep.
    Webhook.objects.update(former_until=until - services.CHANGING)
    last = services.renew_secret(hook.webhook, administrator)
    played(club)
    send_all()
    assert server.verified(last, secret)


def test_secrets_are_stored_encrypted_and_unreadable_with_another_key(hook, server, club, settings):
    stored = Webhook.objects.values_list("secret", flat=True).get()
    assert hook.secret not in stored and hook.secret.startswith("whsec_")
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another-key"
    played(club)
    send_all()
    assert server.verified(hook.secret)
    settings.SECRET_KEY_FALLBACKS = []
    played(club)
    send_all()
    assert Delivery.objects.latest("pk").problem == Delivery.Problem.SECRET


# --- Work ---------------------------------------------------------------------------------------------------
def test_the_sweeper_sends_what_waits(hook, server, club, monkeypatch):
    played(club)
    Delivery.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    enqueued = []
    monkeypatch.setattr("scoring.ledger.services.queue.enqueue", lambda model, pk: enqueued.append(model))
    sweeper.sweep()
    assert Delivery in enqueued and work.KINDS["webhooks.delivery"].perform is sending.send


def test_old_deliveries_are_deleted(hook, server, club):
    played(club)
    send_all()
    played(club)
    Delivery.objects.update(created_at=timezone.now() - timedelta(days=40))
    Delivery.objects.filter(state=State.DONE).update(finished_at=timezone.now() - services.KEPT * 2)
    sending.prune(make.today())
    assert [row.state for row in Delivery.objects.all()] == [State.PENDING]


def test_posting_takes_as_many_queries_for_three_webhooks_as_for_one(
    hook, server, club, administrator, django_assert_num_queries
):
    played(club)
    run = ScoringRun.objects.get()
    Delivery.objects.all().delete()
    with django_assert_num_queries(3):
        outbox.note_posted(run)
    services.add(club, f"{server.url}&2", ["tournament.scored"], administrator)
    services.add(None, server.url, ["tournament.scored"], administrator)
    Delivery.objects.all().delete()
    with django_assert_num_queries(3):
        outbox.note_posted(run)
    assert Delivery.objects.count() == 3
