"""The pages of webhooks, at the desk of a club and in the office."""

import pytest
from django.urls import reverse

from players.models import AccountEvent, Role
from scoring.webhooks import addresses, sending, services
from scoring.webhooks.models import Delivery, Webhook
from tests import factories as make
from tests.pages import Page, open_page
from tests.scoring.pages.test_queries import query_count

EVENTS = ["tournament.scored", "tournament.corrected"]
URL = "https://hooks.example/baza"


@pytest.fixture
def public(monkeypatch) -> None:
    """A resolver to which every name is one of the public internet."""
    monkeypatch.setattr(addresses, "resolve", lambda name, port, seconds: ["93.184.215.14"])


@pytest.fixture
def reader(client, administrator, english):
    client.force_login(administrator)
    return client


@pytest.fixture
def office(client, db, english):
    account = make.office()
    client.force_login(account)
    client.account = account
    return client


def at_desk(name: str, club, *args) -> str:
    return reverse(f"club_{name}", args=[club.slug, *args])


def test_the_secret_is_shown_once(reader, club, public):
    page = at_desk("webhook_new", club)
    assert open_page(reader, page).fields >= {"url", "events"}
    response = reader.post(page, {"url": URL, "events": EVENTS})
    secret = response.context["secret"]
    assert Page(response).all("textarea")[0].text == secret
    assert secret.startswith("whsec_") and "no-store" in response.headers["Cache-Control"]
    webhook = Webhook.objects.get()
    assert (webhook.club, webhook.url, webhook.events) == (club, URL, EVENTS)
    assert secret not in reader.get(at_desk("webhook", club, webhook.pk)).content.decode()
    assert URL in open_page(reader, at_desk("webhooks", club)).text


def test_a_new_secret_is_shown_once_too(reader, club, hook):
    response = reader.post(at_desk("webhook_act", club, hook.webhook.pk, "secreto"))
    secret = response.context["secret"]
    assert secret.startswith("whsec_") and secret != hook.secret


@pytest.mark.parametrize(
    ("ip", "url"),
    [("10.0.0.1", URL), ("127.0.0.1", URL), ("93.184.215.14", "http://hooks.example/"), (None, URL)],
)
def test_addresses_that_are_not_allowed_are_refused_when_saving(reader, club, monkeypatch, ip, url):
    monkeypatch.setattr(addresses, "resolve", lambda name, port, seconds: [ip] if ip else [])
    response = reader.post(at_desk("webhook_new", club), {"url": url, "events": EVENTS})
    assert response.status_code == 422 and "cannot be used" in Page(response).text
    assert not Webhook.objects.exists()


def test_a_club_cannot_get_the_events_of_the_federation(reader, club, public):
    response = reader.post(at_desk("webhook_new", club), {"url": URL, "events": ["list.published"]})
    assert response.status_code == 422 and not Webhook.objects.exists()


def test_the_office_gets_all_events(office, public):
    response = office.post(reverse("office_webhook_new"), {"url": URL, "events": ["list.published"]})
    assert response.status_code == 200
    assert Webhook.objects.get(club=None).events == ["list.published"]


def test_a_double_click_leads_to_the_webhook_and_says_how_to_get_a_secret(reader, club, public):
    reader.post(at_desk("webhook_new", club), {"url": URL, "events": EVENTS})
    response = reader.post(at_desk("webhook_new", club), {"url": URL, "events": EVENTS}, follow=True)
    webhook, page = Webhook.objects.get(), Page(response)
    assert response.redirect_chain == [(at_desk("webhook", club, webhook.pk), 302)]
    assert "make a new one" in page.text
    assert at_desk("webhook_act", club, webhook.pk, "secreto") in page.addresses


def test_the_last_webhook_that_there_can_be_survives_a_double_click(reader, club, administrator, public):
    for number in range(services.MOST_OF_CLUB):
        services.add(club, f"{URL}/{number}", EVENTS, administrator)
    response = reader.post(at_desk("webhook_new", club), {"url": f"{URL}/1", "events": EVENTS})
    assert response.status_code == 302


def test_there_is_a_limit_for_a_club_and_another_for_the_office(reader, club, administrator, public):
    for number in range(services.MOST_OF_CLUB):
        services.add(club, f"{URL}/{number}", EVENTS, administrator)
    response = reader.post(at_desk("webhook_new", club), {"url": URL, "events": EVENTS})
    assert response.status_code == 422 and Webhook.objects.count() == services.MOST_OF_CLUB
    page = open_page(reader, at_desk("webhooks", club))
    assert not [link for link in page.addresses if link.endswith("/nuevo/")]
    services.add(None, URL, EVENTS, administrator)
    services.add(make.club(), URL, EVENTS, administrator)


def test_a_test_is_sent_and_its_answer_shown(reader, club, hook, server):
    server.status, server.body = 200, b"<b>taken</b>"
    act = at_desk("webhook_act", club, hook.webhook.pk, "probar")
    reader.post(act)
    reader.post(act)
    sending.send(Delivery.objects.get().pk)
    assert server.verified(hook.secret)
    page = open_page(reader, at_desk("webhook", club, hook.webhook.pk))
    assert "<b>taken</b>" in page.text and "Delivered" in page.text and "200" in page.text


def test_disable_enable_and_delete(reader, club, hook, server):
    def act(name: str):
        return reader.post(at_desk("webhook_act", club, hook.webhook.pk, name), follow=True)

    act("desactivar")
    assert Webhook.objects.get().stop == Webhook.Stop.PERSON
    assert "enable it first" in Page(act("probar")).text
    act("activar")
    assert Webhook.objects.get().stop == ""
    make.scored(*make.pairs(make.players(4, category="2P")), of=club)
    assert act("borrar").status_code == 200
    assert not Webhook.objects.exists() and not Delivery.objects.exists()


def test_what_did_not_arrive_can_be_sent_again(reader, club, hook, server):
    own = at_desk("webhook", club, hook.webhook.pk)
    act = at_desk("webhook_act", club, hook.webhook.pk, "reenviar")
    make.scored(*make.pairs(make.players(4, category="2P")), of=club)
    assert act not in open_page(reader, own).addresses  # nothing was given up
    services.disable(hook.webhook, Webhook.Stop.FAILURES)
    assert act not in open_page(reader, own).addresses
    assert "enable it first" in Page(reader.post(act, follow=True)).text
    services.enable(hook.webhook, hook.webhook.made_by)
    assert act in open_page(reader, own).addresses
    assert "on their way" in Page(reader.post(act, follow=True)).text
    sending.send(Delivery.objects.get().pk)
    assert server.verified(hook.secret)
    page = open_page(reader, own)
    assert "Delivered" in page.text and act not in page.addresses


def test_what_people_do_stands_in_the_journal_of_accounts(reader, club, hook, administrator):
    services.disable(hook.webhook, Webhook.Stop.FAILURES)  # no person's act
    for name in ("activar", "activar", "secreto", "desactivar", "desactivar", "borrar"):
        reader.post(at_desk("webhook_act", club, hook.webhook.pk, name))
    lines = AccountEvent.objects.filter(account=administrator, kind__startswith="hook").order_by("pk")
    assert [line.kind for line in lines] == [
        "hook_added",
        "hook_on",
        "hook_secret",
        "hook_off",
        "hook_deleted",
    ]
    # The address may contain a secret of the receiver, so lines name its server.
    assert {line.about for line in lines} == {"127.0.0.1, Club del Faro"}
    assert {line.by for line in lines} == {administrator}


def test_the_journal_names_no_club_for_a_webhook_of_the_office(office, public):
    services.add(None, URL, EVENTS, office.account)
    assert AccountEvent.objects.latest("pk").about == "hooks.example"


def test_an_act_on_a_webhook_that_was_just_deleted_is_a_message(reader, club, hook, monkeypatch):
    monkeypatch.setattr("scoring.webhooks.owners.get_object_or_404", lambda *_args, **_kwargs: hook.webhook)
    Webhook.objects.all().delete()
    for name in ("probar", "reenviar", "secreto", "desactivar", "activar", "borrar"):
        response = reader.post(at_desk("webhook_act", club, hook.webhook.pk, name), follow=True)
        assert "has just been deleted" in Page(response).text
    assert not AccountEvent.objects.exclude(kind="hook_added").filter(kind__startswith="hook").exists()


def test_a_get_asks_and_changes_nothing(reader, club, hook):
    for name in ("probar", "reenviar", "secreto", "desactivar", "activar", "borrar"):
        assert reader.get(at_desk("webhook_act", club, hook.webhook.pk, name)).status_code == 200
    webhook = Webhook.objects.get()
    assert (webhook.stop, webhook.former_secret) == ("", "") and not Delivery.objects.exists()
    assert reader.get(at_desk("webhook_act", club, hook.webhook.pk, "otro")).status_code == 404


def test_a_webhook_is_reached_through_its_owner_alone(reader, club, hook, administrator):
    other = make.club()
    make.role(administrator, Role.Kind.CLUB_ADMIN, club=other)
    of_office = services.add(None, URL, EVENTS, administrator)[0]
    assert reader.get(at_desk("webhook", other, hook.webhook.pk)).status_code == 404
    assert reader.post(at_desk("webhook_act", other, hook.webhook.pk, "borrar")).status_code == 404
    assert reader.post(at_desk("webhook_act", club, of_office.pk, "borrar")).status_code == 404
    assert Webhook.objects.count() == 2


@pytest.mark.parametrize("kind", [Role.Kind.DIRECTOR, Role.Kind.CLUB_ADMIN])
def test_people_of_other_clubs_see_nothing(client, club, hook, kind):
    far = make.user()
    make.role(far, kind, club=make.club())
    client.force_login(far)
    for page in (at_desk("webhooks", club), at_desk("webhook", club, hook.webhook.pk)):
        assert client.get(page).status_code == 404
    assert client.get(reverse("office_webhooks")).status_code == 403


def test_three_rows_take_as_many_queries_as_one(reader, club, hook, administrator):
    lists, own = at_desk("webhooks", club), at_desk("webhook", club, hook.webhook.pk)

    def play() -> None:
        make.scored(*make.pairs(make.players(4, category="2P")), of=club)

    play()
    counts = [query_count(reader, page) for page in (lists, own)]
    for number in range(2):
        services.add(club, f"{URL}/{number}", EVENTS, administrator)
        play()
    assert [query_count(reader, page) for page in (lists, own)] == counts


def test_the_office_and_the_desk_lead_to_the_pages(office, club):
    assert reverse("office_webhooks") in open_page(office, reverse("office")).addresses
    assert at_desk("webhooks", club) in open_page(office, reverse("club_manage", args=[club.slug])).addresses


def test_who_only_reads_does_not_see_what_may_be_a_secret(client, english, club, administrator, public):
    account = make.user()
    make.role(account, Role.Kind.AUDITOR)
    hooks = {owner: services.add(owner, f"{URL}?key=abc", EVENTS, administrator)[0] for owner in (club, None)}
    pages = [at_desk("webhooks", club), at_desk("webhook", club, hooks[club].pk)]
    pages += [reverse("office_webhooks"), reverse("office_webhook", args=[hooks[None].pk])]
    client.force_login(account)
    for page in pages:
        response = client.get(page)
        assert "abc" not in response.content.decode() and f"{URL}?…" in Page(response).text
    client.force_login(administrator)
    assert all(f"{URL}?key=abc" in open_page(client, page).text for page in pages[:2])


def test_questions_name_the_server_and_only_ends_are_red(reader, club, hook):
    red = set()
    for name in ("probar", "reenviar", "secreto", "desactivar", "activar", "borrar"):
        page = open_page(reader, at_desk("webhook_act", club, hook.webhook.pk, name))
        assert "127.0.0.1" in page.all("h1")[0].text
        assert hook.webhook.url in page.all("p", class_="lead")[0].text
        red |= {name} if page.main.all("button", class_="btn-danger") else set()
    assert red == {"desactivar", "borrar"}


def test_events_are_named_in_words(reader, club, hook):
    services.send_test(hook.webhook)
    make.scored(*make.pairs(make.players(4, category="2P")), of=club)
    assert "a tournament was scored; a tournament was" in open_page(reader, at_desk("webhooks", club)).text
    table = open_page(reader, at_desk("webhook", club, hook.webhook.pk)).all("table")[0].text
    assert "a test" in table and "a tournament was scored" in table and "tournament.scored" not in table


def test_without_an_event_the_form_says_to_tick_one(reader, club, public):
    response = reader.post(at_desk("webhook_new", club), {"url": URL})
    assert "Tick at least one." in Page(response).text
