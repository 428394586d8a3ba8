"""An act that needs a second person, for tests: it only records how it was performed or returned."""

from django.core.exceptions import ValidationError

from players import proposals as registry
from players.models import Proposal, Role
from players.proposals import act_of
from players.services import proposals
from tests import factories


class Example(registry.ProposedAct):
    """An act that records who performed it and which proposals were returned. A test can make it fail."""

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


def alone(monkeypatch) -> Example:
    """Make the example act the only registered act, for one test."""
    act = Example()
    monkeypatch.setattr(registry, "_ACTS", {})
    registry.register(act)
    return act


def prepared(by, key: str = "a", digest: str = "d") -> Proposal:
    """Prepare a proposal of the example act, which then waits for another person's approval."""
    return proposals.propose("example", by, {"digest": digest}, key=key, reason=" why ")


def person(kind: str = Role.Kind.COMMITTEE):
    """Create another account, with a role that may decide about proposals."""
    account = factories.user()
    factories.role(account, kind)
    return account


def approve(proposal: Proposal, by) -> Proposal:
    """Approve a proposal with its current digest."""
    return proposals.approve(proposal.pk, by, act_of(proposal).effect(proposal, by).digest)


def approve_all(by=None) -> list[Proposal]:
    """Approve all pending proposals, by default as a new account of the committee."""
    by = by or person()
    return [approve(proposal, by) for proposal in Proposal.objects.filter(state="pending").order_by("pk")]
