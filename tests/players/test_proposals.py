"""Proposals: acts that wait for a second person. Who may approve, return or withdraw one, and when."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from players import proposals as registry
from players.models import Proposal, Role
from players.services import proposals
from tests import factories, second
from tests.second import prepared

pytestmark = pytest.mark.django_db


@pytest.fixture
def act(monkeypatch):
    return second.alone(monkeypatch)


@pytest.fixture
def office():
    return factories.office()


@pytest.fixture
def committee():
    account = factories.user()
    factories.role(account, Role.Kind.COMMITTEE)
    return account


def test_approving_a_proposal_performs_its_act(act, office, committee):
    proposal = prepared(office)
    assert (proposal.state, proposal.reason) == ("pending", "why")
    proposals.approve(proposal.pk, committee, digest="d")
    proposal.refresh_from_db()
    assert (proposal.state, proposal.decided_by, proposal.result) == ("approved", committee, {"done": "a"})
    assert act.performed == [("a", committee)]


def test_the_preparer_can_neither_approve_nor_return_a_proposal(act, office):
    proposal = prepared(office)
    with pytest.raises(PermissionDenied):
        proposals.approve(proposal.pk, office, digest="d")
    with pytest.raises(PermissionDenied):
        proposals.give_back(proposal.pk, office, "no")
    assert act.performed == []


@pytest.mark.parametrize("kind", [None, Role.Kind.AUDITOR])
def test_an_account_without_the_right_role_cannot_approve(act, office, kind):
    account = factories.user()
    if kind:
        factories.role(account, kind)
    with pytest.raises(PermissionDenied):
        proposals.approve(prepared(office).pk, account, digest="d")


def test_a_proposal_is_decided_only_once(act, office, committee):
    proposal = prepared(office)
    proposals.approve(proposal.pk, committee, digest="d")
    with pytest.raises(ValidationError) as refused:
        proposals.approve(proposal.pk, committee, digest="d")
    assert refused.value.code == "decided"
    with pytest.raises(ValidationError):
        proposals.withdraw(proposal.pk, office)
    assert len(act.performed) == 1


def test_approval_is_refused_if_the_effect_has_changed_since_it_was_shown(act, office, committee):
    proposal = prepared(office, digest="new")
    with pytest.raises(ValidationError) as refused:
        proposals.approve(proposal.pk, committee, digest="old")
    assert refused.value.code == "changed"
    assert act.performed == []


def test_a_proposal_stays_pending_if_its_act_is_refused_or_fails(act, office, committee):
    proposal = prepared(office)
    act.refusals = ["It cannot be."]
    with pytest.raises(ValidationError, match="It cannot be"):
        proposals.approve(proposal.pk, committee, digest="d")
    act.refusals, act.fails = [], True
    with pytest.raises(ValidationError, match="no"):
        proposals.approve(proposal.pk, committee, digest="d")
    proposal.refresh_from_db()
    assert proposal.state == "pending"


def closed(account) -> None:
    account.is_active = False
    account.save()


def without_role(account) -> None:
    account.roles.all().delete()


def another_role(account) -> None:
    without_role(account)
    factories.role(account, Role.Kind.COMMITTEE)


@pytest.mark.parametrize("happens", [closed, without_role, another_role])
def test_a_proposal_whose_preparer_lost_the_right_can_only_be_returned(act, office, committee, happens):
    proposal = prepared(office)
    happens(office)
    with pytest.raises(ValidationError, match=office.username):
        proposals.approve(proposal.pk, committee, digest="d")
    assert act.performed == []
    assert proposals.give_back(proposal.pk, committee, "Prepare it again").state == "returned"


def test_a_proposal_can_be_approved_once_its_preparer_has_the_role_again(act, office, committee):
    proposal = prepared(office)
    without_role(office)
    factories.role(office, Role.Kind.OFFICE)
    assert proposals.approve(proposal.pk, committee, digest="d").state == "approved"


def test_the_role_of_the_preparer_is_checked_after_the_lock_is_taken(act, office, committee, monkeypatch):
    """The preparer's role is checked again once the decision holds the proposal's lock.

    Here the preparer loses the role while the decision waits for the lock. The approval is then refused.
    """
    proposal, held = prepared(office), proposals._pending

    def meanwhile(pk):
        lease = held(pk)
        without_role(office)
        return lease

    monkeypatch.setattr(proposals, "_pending", meanwhile)
    with pytest.raises(ValidationError, match=office.username):
        proposals.approve(proposal.pk, committee, digest="d")
    assert act.performed == []


def test_an_object_has_at_most_one_pending_proposal(act, office, committee):
    first = prepared(office)
    with pytest.raises(ValidationError) as refused:
        prepared(committee)
    assert refused.value.code == "waits"
    prepared(office, key="b")
    proposals.give_back(first.pk, committee, "wrong number")
    first.refresh_from_db()
    assert (first.state, first.decision_reason) == ("returned", "wrong number")
    assert act.returned_keys == ["a"]
    assert prepared(office).state == "pending"


def test_returning_a_proposal_requires_a_reason(act, office, committee):
    proposal = prepared(office)
    with pytest.raises(ValidationError):
        proposals.give_back(proposal.pk, committee, "  ")
    assert act.returned_keys == []


def test_only_the_preparer_withdraws_a_proposal(act, office, committee):
    proposal = prepared(office)
    with pytest.raises(PermissionDenied):
        proposals.withdraw(proposal.pk, committee)
    proposals.withdraw(proposal.pk, office)
    proposal.refresh_from_db()
    assert (proposal.state, act.returned_keys) == ("withdrawn", ["a"])


def test_the_database_refuses_a_decision_by_the_preparer(act, office):
    proposal = prepared(office)
    decided = {"state": "approved", "decided_by": office, "decided_at": timezone.now()}
    with pytest.raises(IntegrityError), transaction.atomic():
        Proposal.objects.filter(pk=proposal.pk).update(**decided)


def test_a_kind_of_act_is_registered_only_once(act):
    with pytest.raises(ValueError, match="example"):
        registry.register(second.Example())


# --- The database ---------------------------------------------------------------------------------------
def put(proposal, **columns):
    """Change columns of a proposal directly, bypassing the services."""
    with transaction.atomic():
        Proposal.objects.filter(pk=proposal.pk).update(**columns)


@pytest.mark.parametrize("columns", [{"data": {"digest": "x"}}, {"key": "b"}, {"reason": ""}, {"kind": "k"}])
def test_the_database_refuses_to_change_what_was_proposed(act, office, columns):
    with pytest.raises(IntegrityError, match="as it was prepared"):
        put(prepared(office), **columns)


@pytest.mark.parametrize("columns", [{"state": "pending", "decided_at": None}, {"decision_reason": "x"}])
def test_the_database_refuses_to_change_a_decision(act, office, committee, columns):
    proposal = prepared(office)
    proposals.approve(proposal.pk, committee, digest="d")
    with pytest.raises(IntegrityError, match="decided never changes"):
        put(proposal, **columns)


def test_a_proposal_cannot_be_deleted_or_created_as_decided(act, office, committee):
    proposal = prepared(office)
    with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
        Proposal.objects.all().delete()
    proposal.pk, proposal.key, proposal.state = None, "b", "approved"
    proposal.decided_by, proposal.decided_at = committee, timezone.now()
    with pytest.raises(IntegrityError, match="begins as one that waits"), transaction.atomic():
        proposal.save(force_insert=True)


def test_a_proposal_is_listed_for_its_preparer_and_those_who_may_decide(act, office, committee, monkeypatch):
    """The list shows a proposal to all federation roles, to the preparer, and to everybody who may decide."""
    proposal, stranger, former = prepared(office), factories.user(), factories.user()
    of_former = prepared(former, "b")
    assert act.may_see(office, proposal) and act.may_see(committee, proposal)
    assert not act.may_see(stranger, proposal)
    assert act.may_see(former, of_former) and not act.may_see(former, proposal)
    monkeypatch.setattr(type(act), "may_decide", lambda self, user, proposal: user == stranger)
    assert act.may_see(stranger, proposal) and not act.may_see(former, proposal)
