"""Acts that need a second person: who may decide them, once, and only for the effect that was shown."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from players import proposals as registry
from players.models import Proposal, Role
from players.services import proposals
from tests import factories

pytestmark = pytest.mark.django_db


class Example(registry.Act):
    """An act that notes who performed it."""

    kind = "example"
    label = "Example"

    def __init__(self):
        self.performed, self.returned_keys, self.refusals = [], [], []
        self.fails = False

    def title(self, proposal):
        return proposal.key

    def effect(self, proposal, viewer):
        return registry.Effect([f"{proposal.key} happens."], digest=proposal.data["digest"])

    def obstacles(self, proposal):
        return self.refusals

    def perform(self, proposal, by):
        self.performed.append((proposal.key, by))
        if self.fails:
            raise ValidationError("no")
        return {"done": proposal.key}

    def returned(self, proposal):
        self.returned_keys.append(proposal.key)


@pytest.fixture
def act(monkeypatch):
    example = Example()
    monkeypatch.setattr(registry, "_ACTS", {})
    registry.register(example)
    return example


@pytest.fixture
def office():
    return factories.office()


@pytest.fixture
def second():
    account = factories.user()
    factories.role(account, Role.Kind.COMMITTEE)
    return account


def prepared(by, key="a", digest="d"):
    return proposals.propose("example", by, {"digest": digest}, key=key, reason=" why ")


def test_another_account_performs_what_it_saw(act, office, second):
    proposal = prepared(office)
    assert (proposal.state, proposal.reason) == ("pending", "why")
    proposals.approve(proposal.pk, second, seen="d")
    proposal.refresh_from_db()
    assert (proposal.state, proposal.decided_by, proposal.result) == ("approved", second, {"done": "a"})
    assert act.performed == [("a", second)]


def test_who_prepared_an_act_decides_nothing(act, office):
    proposal = prepared(office)
    with pytest.raises(PermissionDenied):
        proposals.approve(proposal.pk, office, seen="d")
    with pytest.raises(PermissionDenied):
        proposals.give_back(proposal.pk, office, "no")
    assert act.performed == []


@pytest.mark.parametrize("kind", [None, Role.Kind.AUDITOR])
def test_other_roles_decide_nothing(act, office, kind):
    account = factories.user()
    if kind:
        factories.role(account, kind)
    with pytest.raises(PermissionDenied):
        proposals.approve(prepared(office).pk, account, seen="d")


def test_an_act_is_decided_once(act, office, second):
    proposal = prepared(office)
    proposals.approve(proposal.pk, second, seen="d")
    with pytest.raises(ValidationError) as refused:
        proposals.approve(proposal.pk, second, seen="d")
    assert refused.value.code == "decided"
    with pytest.raises(ValidationError):
        proposals.withdraw(proposal.pk, office)
    assert len(act.performed) == 1


def test_another_effect_than_the_one_shown_is_not_approved(act, office, second):
    proposal = prepared(office, digest="new")
    with pytest.raises(ValidationError) as refused:
        proposals.approve(proposal.pk, second, seen="old")
    assert refused.value.code == "changed"
    assert act.performed == []


def test_obstacles_and_failures_leave_the_act_waiting(act, office, second):
    proposal = prepared(office)
    act.refusals = ["It cannot be."]
    with pytest.raises(ValidationError, match="It cannot be"):
        proposals.approve(proposal.pk, second, seen="d")
    act.refusals, act.fails = [], True
    with pytest.raises(ValidationError, match="no"):
        proposals.approve(proposal.pk, second, seen="d")
    proposal.refresh_from_db()
    assert proposal.state == "pending"


def test_one_act_for_an_object_waits_at_a_time(act, office, second):
    first = prepared(office)
    with pytest.raises(ValidationError) as refused:
        prepared(second)
    assert refused.value.code == "waits"
    prepared(office, key="b")
    proposals.give_back(first.pk, second, "wrong number")
    first.refresh_from_db()
    assert (first.state, first.decision_reason) == ("returned", "wrong number")
    assert act.returned_keys == ["a"]
    assert prepared(office).state == "pending"


def test_returning_needs_a_reason(act, office, second):
    proposal = prepared(office)
    with pytest.raises(ValidationError):
        proposals.give_back(proposal.pk, second, "  ")
    assert act.returned_keys == []


def test_only_who_prepared_an_act_withdraws_it(act, office, second):
    proposal = prepared(office)
    with pytest.raises(PermissionDenied):
        proposals.withdraw(proposal.pk, second)
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
        registry.register(Example())
