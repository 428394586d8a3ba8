"""Prepare proposals, and approve, return or withdraw them."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import Proposal
from players.proposals import ProposedAct, act_of, may_decide
from players.services.journal import hold_message, preparer_hold_message

State = Proposal.State
# Sent with `proposal` inside the transaction in which it was prepared, approved, returned or withdrawn.
proposal_changed = Signal()


@transaction.atomic
def propose(
    kind: str, by, data: Mapping[str, Any], *, key: str, reason: str = "", evidence: str = ""
) -> Proposal:
    """Store a proposal, and return it.

    kind, data, key: see `Proposal`
    by: the account that prepares it

    Raises ValidationError if a proposal of this kind is already pending for the object identified by `key`.
    """
    proposal = Proposal(
        kind=kind, key=key, data=dict(data), reason=reason.strip(), evidence=evidence.strip(), prepared_by=by
    )
    act_of(proposal)  # an unknown kind could never be decided
    try:
        with transaction.atomic():
            proposal.save(force_insert=True)
    except IntegrityError:
        if not waiting_for(kind, key).exists():
            raise
        raise ValidationError(
            _("This already waits for a second person: it has to be approved or returned first."),
            code="waits",
        ) from None
    proposal_changed.send(sender=Proposal, proposal=proposal)
    return proposal


def waiting_for(kind: str, key: str) -> QuerySet[Proposal]:
    """Return the pending proposal of this kind for the object identified by `key`: at most one row."""
    return Proposal.objects.filter(kind=kind, key=key, state=State.PENDING)


def obstacles(proposal: Proposal) -> list[str]:
    """Return the reasons, as sentences, why the proposal cannot be approved now, whoever approves it."""
    act = act_of(proposal)
    return [*_preparer_obstacles(proposal, act), *act.obstacles(proposal)]


def _preparer_obstacles(proposal: Proposal, act: ProposedAct) -> list[str]:
    """Return error messages if the preparer's account was closed or may no longer prepare the act."""
    account = proposal.prepared_by
    if not account.is_active:
        text = _(
            "The account %(account)s, which prepared this, is closed: return it, so that somebody else can "
            "prepare it."
        )
    elif not act.may_prepare(account, proposal):
        text = _(
            "%(account)s prepared this and may not any more: return it, so that somebody else can prepare it."
        )
    else:
        return []
    return [text % {"account": account.get_username()}]


def hold(proposal: Proposal, by) -> str:
    """Return a sentence that says why the account `by` may not approve the proposal yet; empty if it may."""
    return hold_message(by) or preparer_hold_message(by, proposal.prepared_by)


@transaction.atomic
def approve(proposal_id: int, by, digest: str) -> Proposal:
    """Approve a proposal: perform its act and record the decision.

    If the act is one for a worker, it is only begun, and the returned proposal is still pending.

    by: the second person's account
    digest: `Effect.digest` of the effect that the second person was shown

    Raises PermissionDenied if the account may not decide the proposal. Raises ValidationError if the proposal
    is already decided, if its effect differs from the one shown, if the act can no longer be performed, or if
    `hold` gives a reason to wait.
    """
    proposal = _locked(proposal_id, by)
    if text := hold(proposal, by):
        raise ValidationError(text, code="waiting")
    if sentences := obstacles(proposal):
        raise ValidationError(sentences)
    act = act_of(proposal)
    if act.effect(proposal, by).digest != digest:
        raise ValidationError(
            _("What this would do has changed in the meantime: look at it again."), code="changed"
        )
    if act.start(proposal, by):
        return proposal
    proposal.result = act.perform(proposal, by)
    return _decided(proposal, State.APPROVED, by)


@transaction.atomic
def complete(proposal_id: int, by, *, checked: bool = False) -> Proposal:
    """Perform an act that `by` approved and that `ProposedAct.start` gave to a worker. Record the decision.

    Raises what `approve` raises, but `act.perform` alone compares the effect with the one that was approved.

    checked: whether `check` was called before the worker began, if it works in several transactions
    """
    proposal = _pending(proposal_id) if checked else check(proposal_id, by)
    proposal.result = act_of(proposal).perform(proposal, by)
    return _decided(proposal, State.APPROVED, by)


def check(proposal_id: int, by) -> Proposal:
    """Lock and return a proposal that `by` approved. Raises what `approve` raises if it may not be by now."""
    proposal = _pending(proposal_id)
    if not may_decide(by, proposal):
        raise PermissionDenied
    if hold(proposal, by) or _preparer_obstacles(proposal, act_of(proposal)):
        raise ValidationError(_("This may not be approved now."))
    return proposal


@transaction.atomic
def give_back(proposal_id: int, by, reason: str) -> Proposal:
    """Return the proposal to its preparer, unapproved.

    Raises PermissionDenied if the account may not decide the proposal, and ValidationError if `reason` is
    empty.
    """
    proposal = _locked(proposal_id, by)
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: whoever prepared it has to know what to change.")})
    proposal.decision_reason = reason.strip()
    act_of(proposal).returned(proposal)
    return _decided(proposal, State.RETURNED, by)


@transaction.atomic
def withdraw(proposal_id: int, by) -> Proposal:
    """Withdraw a pending proposal. Raises PermissionDenied for anybody but its preparer."""
    proposal = _undecided(proposal_id)
    if proposal.prepared_by_id != by.pk:
        raise PermissionDenied
    act_of(proposal).returned(proposal)
    return _decided(proposal, State.WITHDRAWN, by)


def _locked(proposal_id: int, by) -> Proposal:
    """Lock and return the proposal.

    Raises ValidationError if it is no longer pending or a worker performs its act, and PermissionDenied if
    `by` may not decide it.
    """
    proposal = _undecided(proposal_id)
    if not may_decide(by, proposal):
        raise PermissionDenied
    return proposal


def _undecided(proposal_id: int) -> Proposal:
    proposal = _pending(proposal_id)
    if act_of(proposal).under_way(proposal):
        raise ValidationError(_("This was approved, and is being done."), code="under_way")
    return proposal


def _pending(proposal_id: int) -> Proposal:
    proposal = Proposal.objects.select_for_update().get(pk=proposal_id)
    if proposal.state != State.PENDING:
        raise ValidationError(_("This was decided in the meantime."), code="decided")
    return proposal


def _decided(proposal: Proposal, state: str, by) -> Proposal:
    proposal.state, proposal.decided_by, proposal.decided_at = state, by, timezone.now()
    proposal.save(update_fields=["state", "decided_by", "decided_at", "decision_reason", "result"])
    proposal_changed.send(sender=Proposal, proposal=proposal)
    return proposal
