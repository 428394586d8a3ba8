"""Propose merging two numbers, or undoing a merge, to a second person."""

from collections.abc import Sequence
from typing import NamedTuple

from players.models import Player, PlayerMerge, Proposal
from players.services.proposals import propose
from scoring.office.services.merges import refuse, refuse_undone, required_reason
from tournaments.services.matching import PARTICLES, words_of

KIND, KIND_UNDO = "merge", "merge_undo"  # kinds of proposals


class AccountMove(NamedTuple):
    """An account that would go from one number to another."""

    account: int
    username: str
    before: Player
    after: Player


def propose_merge(duplicate: Player, kept: Player, reason: str, by, confirmed: str = "") -> Proposal:
    """Propose to merge two numbers. Raises ValidationError as `merge` does, or if this is already proposed.

    reason, confirmed: as for `merge`
    """
    reason = required_reason(reason)
    refuse(duplicate, kept, confirmed)
    data = {
        "duplicate": duplicate.pk,
        "kept": kept.pk,
        "numbers": [duplicate.number, kept.number],
        "met": confirmed,
        "accounts": account_ids(moved_by_merge(duplicate, kept)),
    }
    return propose(KIND, by, data, key=f"{duplicate.pk}:{kept.pk}", reason=reason)


def propose_undo(record: PlayerMerge, reason: str, by) -> Proposal:
    """Propose to undo a merge. Raises ValidationError as `undo` does, or if that is already proposed."""
    reason = required_reason(reason)
    refuse_undone(record)
    data = {
        "merge": record.pk,
        "numbers": [record.duplicate.number, record.kept.number],
        "accounts": account_ids(moved_by_undo(record)),
    }
    return propose(KIND_UNDO, by, data, key=str(record.pk), reason=reason)


def names_differ(duplicate: Player, kept: Player) -> bool:
    """Return whether the registered given names or surnames differ, compared word by word.

    Accents, capitals, punctuation and particles ("de la") are ignored. A missing second surname is a
    difference.
    """
    return any(
        _words(getattr(duplicate, name)) != _words(getattr(kept, name)) for name in ("given_name", "surname")
    )


def _words(name: str) -> list[str]:
    return [word for word in words_of(name) if word not in PARTICLES]


# --- Accounts -------------------------------------------------------------------------------------------
def moved_by_merge(duplicate: Player, kept: Player) -> list[AccountMove]:
    """Return the account that a merge would move to the surviving number: at most one."""
    return [_move(duplicate, kept)] if duplicate.user and not kept.user_id else []


def moved_by_undo(record: PlayerMerge) -> list[AccountMove]:
    """Return the accounts that undoing a merge would move from one number to another.

    The surviving number gives back the account that it received by the merge. If it then has none, it gets
    the account of another number that stays merged into it.
    """
    duplicate, kept = record.duplicate, record.kept
    carried = record.detail["carried"].get("user")
    returned = carried and kept.user_id == carried and not duplicate.user_id
    moves = [_move(kept, duplicate)] if returned else []
    if returned or not kept.user_id:
        others = PlayerMerge.objects.filter(kept=kept, undone_at=None, duplicate__user__isnull=False)
        if other := others.exclude(pk=record.pk).select_related("duplicate__user").first():
            moves.append(_move(other.duplicate, kept))
    return moves


def _move(before: Player, after: Player) -> AccountMove:
    return AccountMove(before.user_id, before.user.get_username(), before, after)


def account_ids(moves: Sequence[AccountMove]) -> list[int]:
    """Return the ids of the moved accounts, for a proposal's data."""
    return [move.account for move in moves]
