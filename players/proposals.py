"""The base class of acts that a second person has to approve, and the register of these acts.

There is a `ProposedAct` subclass for each kind of proposal. It is defined in the module of the service that
performs the act, and is registered in `AppConfig.ready`. The services and pages of proposals look an act up
by its kind.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from players.access import roles_of
from players.models import Proposal
from ui.progress import Progress


@dataclass(frozen=True, slots=True)
class Effect:
    """A description of what approving a proposal would do now, for the second person.

    sentences: in the reader's language, the most important first
    digest: a hash of the effect; an approval is refused if the hash has changed since the page was shown
    template, context: an optional part of the page below the sentences, for example a table
    cautions: highlighted warnings about what is allowed but seldom intended
    """

    sentences: Sequence[str]
    digest: str
    template: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)
    cautions: Sequence[str] = ()


class ProposedAct:
    """Base class of the acts that need a second person.

    Each subclass is one kind of act, of which an instance is passed to `register`. Lists of proposals call
    `title`, `may_see` and `may_decide` for every proposal. These methods therefore make no query: they use
    only `proposal.data` and the account's roles.
    """

    kind: str  # at most 20 characters, stored
    label: str  # lazily translated: "Merging of two numbers"
    stops_points = False  # whether points of a played tournament do not count until the act is decided

    def title(self, proposal: Proposal) -> str:
        """Return a line of text that names the act and what it changes."""
        raise NotImplementedError

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        """Return a text for each proposal, keyed by its id, that says whom or what it would affect.

        The text names or counts the players, or the lines of a list. Lists of proposals show it next to the
        title, so it does not repeat the title. The number of queries must not grow with the number of
        proposals.

        proposals: proposals of this kind
        viewer: the account that reads the list; its roles decide whether it sees hidden names
        """
        return {}

    def effect(self, proposal: Proposal, viewer) -> Effect:
        """Return what approving the proposal would do now.

        viewer: the account that reads it; its roles decide whether it sees hidden names
        """
        raise NotImplementedError

    def obstacles(self, proposal: Proposal) -> list[str]:
        """Return sentences that say why the act can no longer be performed; empty if it can."""
        return []

    def start(self, proposal: Proposal, by) -> bool:
        """Let a worker perform the act that `by` approves, and return True. By default return False.

        False means that the approval performs the act at once. A worker calls `services.proposals.complete`;
        until then the proposal is pending.
        """
        return False

    def under_way(self, proposal: Proposal) -> Progress | None:
        """Return how far a worker is with a pending proposal that was approved; None if no worker has it.

        As long as a worker has it, the proposal cannot be decided, returned or withdrawn.
        """
        return None

    def perform(self, proposal: Proposal, by) -> dict:
        """Perform the act inside the transaction of the decision. Return what to store as `proposal.result`.

        Raises ValidationError if it cannot be performed; the transaction is then rolled back.
        """
        raise NotImplementedError

    def outcome(self, proposal: Proposal) -> list[str]:
        """Describe in sentences what the approval did, from the proposal's `result`.

        The page of a decided proposal shows them.
        """
        return []

    def returned(self, proposal: Proposal) -> None:
        """Clean up after a proposal is returned or withdrawn, in the same transaction.

        By default there is nothing to do.
        """

    def settled(self, returned: Sequence[Proposal]) -> set[int]:
        """Return the ids of the returned proposals about which their preparers need to do nothing more.

        The home page of a preparer shows the other returned proposals. The number of queries must not grow
        with the number of proposals.

        returned: returned proposals of this kind that were not prepared a second time
        """
        return set()

    def may_see(self, user, proposal: Proposal) -> bool:
        """Whether the account may see the proposal."""
        roles = roles_of(user)
        return roles.reads_everything or proposal.prepared_by_id == user.pk or self.may_decide(user, proposal)

    def may_prepare(self, user, proposal: Proposal) -> bool:
        """Whether the account may prepare this act.

        The preparer may have lost the right after preparing a proposal. Such a proposal cannot be approved.
        """
        return roles_of(user).office

    def may_decide(self, user, proposal: Proposal) -> bool:
        """Whether the roles of the account allow it to approve or return the proposal.

        The module's function `may_decide` also excludes the account that prepared the proposal.
        """
        return roles_of(user).approves()


_ACTS: dict[str, ProposedAct] = {}


def register(act: ProposedAct) -> None:
    """Register an act. Raises ValueError if its kind is registered already."""
    if act.kind in _ACTS:
        raise ValueError(f"there already is an act {act.kind!r}")
    _ACTS[act.kind] = act


def act_of(proposal: Proposal) -> ProposedAct:
    """Return the registered act of the proposal's kind."""
    return _ACTS[proposal.kind]


def by_act(proposals: Iterable[Proposal]) -> dict[ProposedAct, list[Proposal]]:
    """Group proposals by their act: return {act: proposals}."""
    groups: dict[ProposedAct, list[Proposal]] = defaultdict(list)
    for proposal in proposals:
        groups[act_of(proposal)].append(proposal)
    return groups


def labels() -> dict[str, str]:
    """Return {kind: label} of all registered acts."""
    return {kind: act.label for kind, act in _ACTS.items()}


def may_decide(user, proposal: Proposal) -> bool:
    """Whether the account may approve or return the proposal.

    Its roles have to allow it, and it must not be the account that prepared the proposal.
    """
    return proposal.prepared_by_id != user.pk and act_of(proposal).may_decide(user, proposal)
