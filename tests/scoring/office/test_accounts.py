"""The office's pages of accounts, and the page on which a printed code allows setting a password."""

import re

from django.contrib.auth import get_user_model
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Proposal, Role
from tests import factories, second
from tests.pages import open_page

User = get_user_model()
NEW_PASSWORD = "another-long-password"
NOBODY = "nobody-has-this"


def change(client, account, action, **data):
    return client.post(reverse("account_change", args=[account.pk]), {"action": action, **data})


def test_the_number_of_queries_does_not_grow_with_listed_accounts(office):
    queries = []
    for count in (1, 2, 3):
        lola = factories.user(f"lola{count}", first_name="Dolores")
        factories.role(lola, Role.Kind.DIRECTOR, club=factories.club())
        factories.player(user=lola)
        change(office, lola, "address", email=f"l{count}@example.org")
        counted = []
        for name in ("accounts", "account_journal"):
            with CaptureQueriesContext(connection) as captured:
                assert f"lola{count}" in office.get(reverse(name)).content.decode()
            counted.append(len(captured))
        queries.append(counted)
    assert queries[0] == queries[2]
    for query in ({"q": "dolores lola1"}, {"q": "L1@example"}):
        text = office.get(reverse("accounts"), query).content.decode()
        assert ("lola1" in text, "lola2" in text) == (True, False)
    assert "lola1" not in office.get(reverse("accounts"), {"rol": "office"}).content.decode()


def test_a_new_account_has_no_password_until_its_owner_chooses_one(office):
    data = {"username": "lola", "first_name": "Lola", "last_name": "Sol", "email": "lola@example.org"}
    hostile = {**data, "is_superuser": "on", "is_staff": "on", "password": "x", "groups": "1"}
    response = office.post(reverse("account_new"), hostile)
    lola = User.objects.get(username="lola")
    assert response.url == reverse("account", args=[lola.pk])
    assert (lola.has_usable_password(), lola.is_staff, lola.is_superuser) == (False, False, False)
    assert office.post(reverse("account_new"), {**data, "username": "eva"}).status_code == 422
    assert office.post(reverse("account_password", args=[lola.pk])).status_code == 302
    (letter,) = mail.outbox
    link = re.search(r"https?://testserver(/\S+)", letter.body)[1]
    reader = Client()
    form = reader.get(link, follow=True).redirect_chain[-1][0]
    reader.post(form, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    lola.refresh_from_db()
    assert lola.check_password(NEW_PASSWORD)
    kinds = list(lola.events.order_by("pk").values_list("kind", "by__username", "holds"))
    assert kinds == [
        ("created", office.account.username, False),
        ("letter", office.account.username, False),
        ("reset", "lola", True),
    ]


def test_changing_the_own_password_starts_no_waiting_time(client, db):
    lola = factories.user("lola")
    client.force_login(lola)
    data = {"oldpassword": factories.PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert client.post(reverse("account_change_password"), data).status_code == 302
    assert list(lola.events.values_list("kind", "by", "holds")) == [("password", lola.pk, False)]


def test_an_account_without_an_address_gets_a_printed_code_for_one_use(office):
    lola = factories.user("lola", email="")
    page = office.post(reverse("account_password", args=[lola.pk]))
    assert (page.status_code, page["Cache-Control"].count("no-store")) == (200, 1)
    reader, url = Client(), reverse("account_code")
    data = {"username": "lola", "code": page.context["code"], "password1": NEW_PASSWORD}
    for wrong in ({"code": "AB12"}, {"username": "eva"}, {"password2": "x" * 12}, {"password1": "short"}):
        answer = reader.post(url, {**data, "password2": NEW_PASSWORD, **wrong})
        assert answer.status_code == 422 and answer.context["form"].errors
    assert reader.post(url, {**data, "password2": NEW_PASSWORD}).url == reverse("account_login")
    lola.refresh_from_db()
    assert lola.check_password(NEW_PASSWORD)
    assert reader.post(url, {**data, "password2": NEW_PASSWORD}).status_code == 422
    assert page.context["code"] not in office.get(reverse("account", args=[lola.pk])).content.decode()


def test_a_code_for_a_committee_account_is_printed_after_approval(office):
    eva = factories.user("eva", email="")
    factories.role(eva, Role.Kind.COMMITTEE)
    address = reverse("account_password", args=[eva.pk])
    assert office.post(address).status_code == 302
    assert address not in office.get(reverse("account", args=[eva.pk])).content.decode()
    assert change(office, eva, "code").status_code == 422
    assert change(office, eva, "code", reason="She lost hers").status_code == 302
    second.approve_all(factories.office())
    assert address in office.get(reverse("account", args=[eva.pk])).content.decode()
    assert office.post(address).context["code"]


def test_roles_are_given_and_taken_on_the_accounts_page(office):
    lola, club = factories.user("lola"), factories.club()
    for data in (
        {"kind": "director"},
        {"kind": "office", "club": club.pk, "reason": "x"},
        {"kind": "office"},
    ):
        refused = change(office, lola, "give", **data)
        assert refused.status_code == 422 and refused.context["forms"]["give"].errors
    assert change(office, lola, "give", kind="director", club=club.pk).status_code == 302
    assert change(office, lola, "give", kind="office", reason="A second clerk").status_code == 302
    assert list(lola.roles.values_list("kind", flat=True)) == ["director"]
    proposal = Proposal.objects.get()
    page = office.get(reverse("account", args=[lola.pk])).content.decode()
    assert proposal.get_absolute_url() in page
    again = change(office, lola, "give", kind="office", reason="once more")
    assert again.status_code == 422
    assert change(office, lola, "take", role=lola.roles.get().pk).status_code == 302
    assert not lola.roles.exists()
    assert change(office, lola, "take", role=office.account.roles.get().pk).status_code == 422
    last = change(office, office.account, "take", role=office.account.roles.get().pk, reason="x")
    assert last.status_code == 422 and office.account.roles.exists()


def test_player_address_and_state_are_changed_on_the_accounts_page(office):
    lola, player, other = factories.user("lola"), factories.player(), factories.player()
    assert change(office, lola, "unlink", reason="x").status_code == 302
    assert change(office, lola, "link", number=NOBODY).status_code == 422
    assert change(office, lola, "link", number=player.number).status_code == 302
    player.refresh_from_db()
    assert player.user == lola
    without_reason = change(office, lola, "link", number=other.number)
    assert without_reason.status_code == 422 and other.number in without_reason.content.decode()
    assert change(office, lola, "link", number=other.number, reason="x").status_code == 302
    assert change(office, lola, "unlink", reason="x").status_code == 302
    assert Proposal.objects.count() == 2
    assert change(office, lola, "address", email="no address").status_code == 422
    assert change(office, lola, "open").status_code == 302
    lola.refresh_from_db()
    assert not lola.is_active
    assert office.post(reverse("account_password", args=[lola.pk])).status_code == 302
    assert not lola.events.filter(kind__in=["letter", "code"]).exists()
    assert change(office, lola, "open").status_code == 302
    assert change(office, lola, "nothing").status_code == 302


def test_the_auditor_reads_the_journal_and_the_pages(client, db):
    auditor, lola = factories.user(), factories.user("lola")
    factories.role(auditor, Role.Kind.AUDITOR)
    client.force_login(auditor)
    assert "action" not in open_page(client, reverse("account", args=[lola.pk])).fields
    assert client.get(reverse("account_journal")).status_code == 200
    assert change(client, lola, "open").status_code == 403
