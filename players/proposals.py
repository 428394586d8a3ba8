"""What an act needs to be decided by a second person: an `Act` for each kind, registered at start-up.

An act lives beside the service that performs it and is registered from `AppConfig.ready`. The services and
pages of proposals know acts by their kind alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from players.access import roles_of
from players.models import Proposal


@dataclass(frozen=True, slots=True)
class Effect:
    """What approving a proposal would do now.

    sentences: in the reader's language, the most important first
    digest: changes whenever the effect does; an approval holds only for the effect that was shown
    template, context: a fragment below the sentences (a table, both rankings), if the act has one
    """

    sentences: Sequence[str]
    digest: str
    template: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)


class Act:
    """A kind of act that needs a second person. Subclass it, and `register` an instance.

    Lists ask every proposal for `title`, `may_see` and `may_decide`: these answer from `proposal.data` and
    the account's roles, without a query.
    """

    kind: str  # at most 20 characters, stored
    label: str  # names the act, lazily translated: "Merging of two numbers"

    def title(self, proposal: Proposal) -> str:
        """One line that names the act and its object."""
        raise NotImplementedError

    def effect(self, proposal: Proposal, viewer) -> Effect:
        """What approving would do now, as `viewer` may see it (hidden names)."""
        raise NotImplementedError

    def obstacles(self, proposal: Proposal) -> list[str]:
        """Why it can no longer be done, in sentences; empty where nothing prevents it."""
        return []

    def perform(self, proposal: Proposal, by) -> dict:
        """Do it, inside the transaction of the approval. Return what the proposal keeps as its `result`.

        Raises ValidationError where it cannot be done; then nothing of it is.
        """
        raise NotImplementedError

    def outcome(self, proposal: Proposal) -> list[str]:
        """What approving did, in sentences, from `result`; the page of a decided proposal shows them."""
        return []

    def returned(self, proposal: Proposal) -> None:
        """React to a proposal that was returned or withdrawn, inside that transaction."""

    def may_see(self, user, proposal: Proposal) -> bool:
        """Whether the account finds the proposal in its list at all."""
        roles = roles_of(user)
        return roles.reads_everything or proposal.prepared_by_id == user.pk or self.may_decide(user, proposal)

    def may_prepare(self, user, proposal: Proposal) -> bool:
        """Whether the account's roles still let it prepare this act: else it can only be returned."""
        return roles_of(user).office

    def may_decide(self, user, proposal: Proposal) -> bool:
        """Whether the account's roles allow it to decide; that it did not prepare the act comes on top."""
        roles = roles_of(user)
        return roles.office or roles.committee


_ACTS: dict[str, Act] = {}


def register(act: Act) -> None:
    """Make a kind of act known. Registering a kind twice is a mistake of the programmer."""
    if act.kind in _ACTS:
        raise ValueError(f"there already is an act {act.kind!r}")
    _ACTS[act.kind] = act


def act_of(proposal: Proposal) -> Act:
    """The act that explains and performs a proposal."""
    return _ACTS[proposal.kind]


def labels() -> dict[str, str]:
    """Kind -> label of every act there is."""
    return {kind: act.label for kind, act in _ACTS.items()}


def may_decide(user, proposal: Proposal) -> bool:
    """Whether the account may approve or return the proposal: by its roles, and as another person."""
    return proposal.prepared_by_id != user.pk and act_of(proposal).may_decide(user, proposal)
