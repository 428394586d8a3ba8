"""Proposals, which need a second person: who may decide, only once, and only on the effect shown."""

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


def test_another_account_performs_what_it_saw(act, office, committee):
    proposal = prepared(office)
    assert (proposal.state, proposal.reason) == ("pending", "why")
    proposals.approve(proposal.pk, committee, digest="d")
    proposal.refresh_from_db()
    assert (proposal.state, proposal.decided_by, proposal.result) == ("approved", committee, {"done": "a"})
    assert act.performed == [("a", committee)]


def test_who_prepared_an_act_decides_nothing(act, office):
    proposal = prepared(office)
    with pytest.raises(PermissionDenied):
        proposals.approve(proposal.pk, office, digest="d")
    with pytest.raises(PermissionDenied):
        proposals.give_back(proposal.pk, office, "no")
    assert act.performed == []


@pytest.mark.parametrize("kind", [None, Role.Kind.AUDITOR])
def test_other_roles_decide_nothing(act, office, kind):
    account = factories.user()
    if kind:
        factories.role(account, kind)
    with pytest.raises(PermissionDenied):
        proposals.approve(prepared(office).pk, account, digest="d")


def test_an_act_is_decided_once(act, office, committee):
    proposal = prepared(office)
    proposals.approve(proposal.pk, committee, digest="d")
    with pytest.raises(ValidationError) as refused:
        proposals.approve(proposal.pk, committee, digest="d")
    assert refused.value.code == "decided"
    with pytest.raises(ValidationError):
        proposals.withdraw(proposal.pk, office)
    assert len(act.performed) == 1


def test_another_effect_than_the_one_shown_is_not_approved(act, office, committee):
    proposal = prepared(office, digest="new")
    with pytest.raises(ValidationError) as refused:
        proposals.approve(proposal.pk, committee, digest="old")
    assert refused.value.code == "changed"
    assert act.performed == []


def test_obstacles_and_failures_leave_the_act_waiting(act, office, committee):
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
def test_what_somebody_prepared_who_may_not_any_more_is_only_returned(act, office, committee, happens):
    proposal = prepared(office)
    happens(office)
    with pytest.raises(ValidationError, match=office.username):
        proposals.approve(proposal.pk, committee, digest="d")
    assert act.performed == []
    assert proposals.give_back(proposal.pk, committee, "Prepare it again").state == "returned"


def test_who_has_the_role_again_has_prepared_it_again(act, office, committee):
    proposal = prepared(office)
    without_role(office)
    factories.role(office, Role.Kind.OFFICE)
    assert proposals.approve(proposal.pk, committee, digest="d").state == "approved"


def test_the_role_is_looked_up_once_the_act_is_held(act, office, committee, monkeypatch):
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


def test_one_act_for_an_object_waits_at_a_time(act, office, committee):
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


def test_returning_needs_a_reason(act, office, committee):
    proposal = prepared(office)
    with pytest.raises(ValidationError):
        proposals.give_back(proposal.pk, committee, "  ")
    assert act.returned_keys == []


def test_only_who_prepared_an_act_withdraws_it(act, office, committee):
    proposal = prepared(office)
    with pytest.raises(PermissionDenied):
        proposals.withdraw(proposal.pk, committee)
    proposals.withdraw(proposal.pk, office)
    proposal.refresh_from_db()
    assert (proposal.state, act.returned_keys) == ("withdrawn", ["a"])


def test_the_database_refuses_a_decision_by_who_prepared_it(act, office):
    proposal = prepared(office)
    decided = {"state": "approved", "decided_by": office, "decided_at": timezone.now()}
    with pytest.raises(IntegrityError), transaction.atomic():
        Proposal.objects.filter(pk=proposal.pk).update(**decided)


def test_a_kind_is_registered_once(act):
    with pytest.raises(ValueError, match="example"):
        registry.register(second.Example())


# --- The database ---------------------------------------------------------------------------------------
def put(proposal, **columns):
    """Change columns of a proposal directly, bypassing the services."""
    with transaction.atomic():
        Proposal.objects.filter(pk=proposal.pk).update(**columns)


@pytest.mark.parametrize("columns", [{"data": {"digest": "x"}}, {"key": "b"}, {"reason": ""}, {"kind": "k"}])
def test_what_was_prepared_is_not_rewritten(act, office, columns):
    with pytest.raises(IntegrityError, match="as it was prepared"):
        put(prepared(office), **columns)


@pytest.mark.parametrize("columns", [{"state": "pending", "decided_at": None}, {"decision_reason": "x"}])
def test_a_decision_is_not_rewritten(act, office, committee, columns):
    proposal = prepared(office)
    proposals.approve(proposal.pk, committee, digest="d")
    with pytest.raises(IntegrityError, match="decided never changes"):
        put(proposal, **columns)


def test_none_is_deleted_or_begins_decided(act, office, committee):
    proposal = prepared(office)
    with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
        Proposal.objects.all().delete()
    proposal.pk, proposal.key, proposal.state = None, "b", "approved"
    proposal.decided_by, proposal.decided_at = committee, timezone.now()
    with pytest.raises(IntegrityError, match="begins as one that waits"), transaction.atomic():
        proposal.save(force_insert=True)


def test_who_finds_a_proposal_in_the_list(act, office, committee, monkeypatch):
    """The list shows a proposal to all federation roles, to the preparer, and to everybody who may decide."""
    proposal, stranger, former = prepared(office), factories.user(), factories.user()
    of_former = prepared(former, "b")
    assert act.may_see(office, proposal) and act.may_see(committee, proposal)
    assert not act.may_see(stranger, proposal)
    assert act.may_see(former, of_former) and not act.may_see(former, proposal)
    monkeypatch.setattr(type(act), "may_decide", lambda self, user, proposal: user == stranger)
    assert act.may_see(stranger, proposal) and not act.may_see(former, proposal)
