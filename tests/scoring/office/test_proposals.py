"""The list of proposals, and the page on which a proposal is approved, returned or withdrawn."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.models import AccountEvent, Role
from players.services import proposals
from tests import factories, second
from tests.languages import speak
from tests.pages import Page, client_of, open_page
from tests.second import prepared

pytestmark = pytest.mark.django_db


@pytest.fixture
def act(monkeypatch):
    return second.alone(monkeypatch)


def account(*kinds):
    made = factories.user()
    for kind in kinds:
        factories.role(made, kind)
    return made


@pytest.fixture
def clerk():
    return account(Role.Kind.OFFICE)


@pytest.fixture
def committee():
    return account(Role.Kind.COMMITTEE)


def page_for(account, proposal) -> Page:
    """Request the page of a proposal as the account."""
    return open_page(client_of(account), proposal.get_absolute_url())


def test_the_list_separates_own_proposals_from_those_to_decide(act, clerk, committee):
    prepared(clerk, "alpha")
    prepared(committee, "beta")
    done = prepared(committee, "gamma")
    proposals.give_back(done.pk, clerk, "wrong date")
    listed = client_of(clerk).get(reverse("proposals"))
    text = listed.content.decode()
    assert listed.context["to_decide"] == 1
    assert text.index("beta") < text.index("alpha") < text.index("gamma")
    assert "wrong date" in text
    auditor = client_of(account(Role.Kind.AUDITOR)).get(reverse("proposals"))
    assert auditor.context["to_decide"] == 0
    assert all(key in auditor.content.decode() for key in ("alpha", "beta", "gamma"))
    outsider = client_of(account()).get(reverse("proposals")).content.decode()
    assert not any(key in outsider for key in ("alpha", "beta", "gamma"))


def test_decided_proposals_can_be_filtered_by_state(act, clerk, committee):
    proposals.give_back(prepared(clerk, "alpha").pk, committee, "no")
    proposals.withdraw(prepared(clerk, "beta").pk, clerk)
    text = client_of(clerk).get(reverse("proposals"), {"estado": "withdrawn"}).content.decode()
    assert ("alpha" in text, "beta" in text) == (False, True)


def test_the_number_of_queries_does_not_grow_with_proposals(act, clerk, committee):
    reader, queries = client_of(clerk), []
    for count in (1, 2, 3):
        prepared(clerk, f"a{count}")
        prepared(committee, f"b{count}")
        proposals.withdraw(prepared(committee, f"c{count}").pk, committee)
        with CaptureQueriesContext(connection) as captured:
            assert reader.get(reverse("proposals")).status_code == 200
        queries.append(len(captured))
    assert queries[0] == queries[2]


def test_another_person_approves_the_effect_that_was_shown(act, clerk, committee):
    proposal = prepared(clerk)
    shown = page_for(committee, proposal)
    assert "a happens." in shown.text
    data = {"action": "approve", "seen": shown.context["effect"].digest}
    assert client_of(committee).post(proposal.get_absolute_url(), data).status_code == 302
    assert act.performed == [("a", committee)]
    page = page_for(clerk, proposal)
    assert committee.username in page.text and "action" not in page.fields


@pytest.mark.parametrize("data", [{"action": "approve", "seen": "old"}, {"action": "approve"}, {}])
def test_approving_an_outdated_effect_is_refused_and_shows_the_page_again(act, clerk, committee, data):
    proposal = prepared(clerk)
    response = client_of(committee).post(proposal.get_absolute_url(), data)
    assert response.status_code == 422
    assert response.context["problems"] and act.performed == []


def test_who_decides_late_does_not_read_that_an_approved_proposal_was_rejected(act, clerk, committee):
    proposal, client = prepared(clerk), client_of(committee)
    form = open_page(client, proposal.get_absolute_url()).form("seen").values
    client.post(proposal.get_absolute_url(), {**form, "action": "approve"})
    assert act.performed
    speak(client, "es")
    late = Page(client.post(proposal.get_absolute_url(), {**form, "action": "return", "reason": "No"}))
    assert "No se puede. Esto ya se ha decidido" in late.text and "Rechazado" not in late.text


def test_the_page_shows_obstacles_instead_of_the_button(act, clerk, committee):
    act.refusals = ["The member has left."]
    page = page_for(committee, prepared(clerk))
    assert "The member has left." in page.text
    assert page.values("action") == ["return"]


@pytest.mark.parametrize(("closed", "word"), [(True, "closed"), (False, "may not any more")])
def test_a_proposal_whose_preparer_lost_the_role_can_only_be_returned(act, clerk, committee, closed, word):
    proposal, client = prepared(clerk), client_of(committee)
    speak(client, "en")
    clerk.is_active = not closed
    clerk.save()
    if not closed:
        clerk.roles.all().delete()
    page = open_page(client, proposal.get_absolute_url())
    assert word in page.text and clerk.username in page.text
    assert page.values("action") == ["return"]
    refused = client.post(proposal.get_absolute_url(), {"action": "approve", "seen": "d"})
    assert (refused.status_code, act.performed) == (422, [])


def test_returning_needs_a_reason_and_keeps_the_input(act, clerk, committee):
    proposal, url = prepared(clerk), reverse("proposals")
    client = client_of(committee)
    refused = client.post(proposal.get_absolute_url(), {"action": "return", "reason": " "})
    assert (refused.status_code, "reason" in refused.context["form"].errors) == (422, True)
    long = client.post(proposal.get_absolute_url(), {"action": "return", "reason": "x" * 301})
    assert long.status_code == 422 and "x" * 301 in long.content.decode()
    assert client.post(proposal.get_absolute_url(), {"action": "return", "reason": "No"}).url == url
    assert "No" in page_for(clerk, proposal).text


def test_the_preparer_can_withdraw_a_proposal_but_not_approve_it(act, clerk):
    proposal = prepared(clerk)
    assert page_for(clerk, proposal).values("action") == ["withdraw"]
    client = client_of(clerk)
    assert client.post(proposal.get_absolute_url(), {"action": "approve", "seen": "d"}).status_code == 403
    assert client.post(proposal.get_absolute_url(), {"action": "withdraw"}).status_code == 302
    again = client.post(proposal.get_absolute_url(), {"action": "withdraw"})
    assert (again.status_code, len(again.context["problems"])) == (422, 1)


def test_outsiders_cannot_see_proposals_and_auditors_cannot_decide(act, clerk):
    proposal = prepared(clerk)
    assert client_of(account()).get(proposal.get_absolute_url()).status_code == 404
    auditor = account(Role.Kind.AUDITOR)
    assert client_of(auditor).get(proposal.get_absolute_url()).status_code == 200
    for action in ("approve", "return", "withdraw"):
        data = {"action": action, "seen": "d", "reason": "x"}
        assert client_of(auditor).post(proposal.get_absolute_url(), data).status_code == 403


@pytest.mark.parametrize("kind", ["created", "address", "code"])
def test_whoever_could_sign_in_as_the_preparer_cannot_approve_for_some_days(
    act, clerk, committee, kind, monkeypatch
):
    AccountEvent.objects.create(account=clerk, kind=kind, by=committee)
    proposal = prepared(clerk)
    assert page_for(committee, proposal).values("action") == ["return"]
    data = {"action": "approve", "seen": "d"}
    refused = client_of(committee).post(proposal.get_absolute_url(), data)
    assert (refused.status_code, act.performed) == (422, [])
    assert "approve" in page_for(account(Role.Kind.COMMITTEE), proposal).values("action")
    then = timezone.now() + timedelta(days=3, minutes=1)
    monkeypatch.setattr(timezone, "now", lambda: then)
    assert "approve" in page_for(committee, proposal).values("action")


def test_an_account_that_has_to_wait_sees_this_instead_of_the_button(act, clerk, committee, monkeypatch):
    proposal = prepared(clerk)
    assert "approve" in page_for(committee, proposal).values("action")
    monkeypatch.setattr("players.services.proposals.hold_message", lambda user: "Not before Friday.")
    page = page_for(committee, proposal)
    assert "Not before Friday." in page.text
    assert page.values("action") == ["return"]
    assert "Not before Friday." not in page_for(clerk, proposal).text
