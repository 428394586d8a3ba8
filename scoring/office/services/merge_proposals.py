"""Propose merging two numbers, or undoing a merge, to a second person, and perform what is approved."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import get_language, gettext_lazy, ngettext, override
from django.utils.translation import gettext as _

from players.access import names_for
from players.models import Player, PlayerMerge, Proposal
from players.proposals import Effect, ProposedAct
from players.services.proposals import propose
from scoring.ledger import systems
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import transfers
from scoring.office.queries.merges import KIND, KIND_UNDO, all_merges, player_summaries
from scoring.office.services import merges
from scoring.office.tables.merges import (
    CompareTable,
    DuplicateAwardsTable,
    LaterAwardsTable,
    comparison_records,
)
from scoring.promotions.queries.merges import running_lists
from ui.formatting import format_points, format_whole
from ui.paging import Listing, Pages
from ui.text import PARTICLES, words_of


class AccountMove(NamedTuple):
    """An account that a merge, or undoing it, would move from one of the person's numbers to another.

    before, after: the players with these two numbers
    """

    account: int
    username: str
    before: Player
    after: Player


def propose_merge(duplicate: Player, kept: Player, reason: str, by, confirmed: str = "") -> Proposal:
    """Propose to merge two numbers.

    Raises ValidationError like `merges.merge`, or if the merge is already proposed.

    reason, confirmed: as for `merges.merge`
    """
    reason = merges.required_reason(reason)
    merges.refuse(duplicate, kept, confirmed)
    data = {
        "duplicate": duplicate.pk,
        "kept": kept.pk,
        "numbers": [duplicate.number, kept.number],
        "met": confirmed,
        "accounts": account_ids(moved_by_merge(duplicate, kept)),
    }
    return propose(KIND, by, data, key=f"{duplicate.pk}:{kept.pk}", reason=reason)


def propose_undo(record: PlayerMerge, reason: str, by) -> Proposal:
    """Propose to undo a merge.

    Raises ValidationError like `merges.undo`, or if undoing the merge is already proposed.
    """
    reason = merges.required_reason(reason)
    merges.refuse_undone(record)
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

    First, the account that the surviving number received by the merge moves back to the duplicate. Second, if
    the surviving number is then without an account, it gets that of another number that stays merged into it.
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


# --- The acts ---------------------------------------------------------------------------------------------
class _MergingAct(ProposedAct):
    """Base of the acts of merging two numbers and of undoing a merge.

    `data` contains numbers (both federation numbers, the duplicate's first) and accounts (the ids of the
    accounts that go from one number to the other).
    """

    def may_decide(self, user, proposal: Proposal) -> bool:
        """Return whether the user may decide. Users whose own account would move may not."""
        return super().may_decide(user, proposal) and user.pk not in proposal.data["accounts"]


class MergeAct(_MergingAct):
    """Merges one player number into another.

    `data` also contains duplicate and kept (the players' ids), and met. The last is the `fingerprint` of the
    `duplicate_awards` of both numbers when the merge was proposed.
    """

    kind = KIND
    label = gettext_lazy("Merging of two numbers")

    def title(self, proposal: Proposal) -> str:
        return _("Merge %(number)s into %(kept)s") % _numbers(proposal)

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        both = {item.pk: (item.data["duplicate"], item.data["kept"]) for item in proposals}
        return _both_names(both, viewer)

    def effect(self, proposal: Proposal, viewer) -> Effect:
        duplicate, kept = _players(proposal)
        summaries = player_summaries([duplicate, kept])
        awards = merges.duplicate_awards(duplicate, kept)
        text = _("Everything of %(number)s (%(name)s) goes to %(kept)s (%(other)s).")
        with override("en"):  # the digest must not depend on the reader's language
            content = repr((comparison_records(*summaries), awards))
        return Effect(
            [
                text % _names(duplicate, kept),
                *account_sentences(moved_by_merge(duplicate, kept)),
                _("Categories are not merged. It can be undone."),
            ],
            hashlib.sha256(content.encode()).hexdigest(),
            "office/_merge_effect.html",
            {
                "names_differ": names_differ(duplicate, kept),
                "two_accounts": duplicate.user_id and kept.user_id,
                "compared": CompareTable(*summaries),
                "duplicate_awards": DuplicateAwardsTable(awards) if awards else None,
                "listed": running_lists([duplicate, kept]),
            },
        )

    def obstacles(self, proposal: Proposal) -> list[str]:
        duplicate, kept = _players(proposal)
        sentences = merges.obstacles(duplicate, kept)
        if merges.fingerprint(merges.duplicate_awards(duplicate, kept)) != proposal.data["met"]:
            sentences.append(
                _("Both numbers have other awards of one title and day than when it was prepared: return it.")
            )
        return sentences + _account_obstacles(proposal, moved_by_merge(duplicate, kept))

    def perform(self, proposal: Proposal, by) -> dict:
        record = merges.merge(*_players(proposal), proposal.reason, by, proposal.data["met"], proposal)
        return {"merge": record.pk}

    def outcome(self, proposal: Proposal) -> list[str]:
        if "merge" not in proposal.result:
            return []
        record = all_merges().get(pk=proposal.result["merge"])
        values = {"number": record.duplicate.number, "kept": record.kept.number}
        if record.undone_at:
            return [_("Number %(number)s was merged into %(kept)s, and parted again since.") % values]
        return [_("Number %(number)s was merged into %(kept)s.") % values]


class UndoMergeAct(_MergingAct):
    """Undoes a merge. `data` also contains merge: the id of the merge."""

    kind = KIND_UNDO
    label = gettext_lazy("Parting of two numbers")

    def title(self, proposal: Proposal) -> str:
        return _("Part %(number)s from %(kept)s") % _numbers(proposal)

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        records = PlayerMerge.objects.in_bulk({proposal.data["merge"] for proposal in proposals})
        pairs = {pk: (record.duplicate_id, record.kept_id) for pk, record in records.items()}
        return _both_names({item.pk: pairs[item.data["merge"]] for item in proposals}, viewer)

    def effect(self, proposal: Proposal, viewer) -> Effect:
        record = _record(proposal)
        duplicate, kept = record.duplicate, record.kept
        summaries = player_summaries([duplicate, kept])
        entries, later = transfers.moved_entries(record), merges.awards_since(record)
        with override("en"):  # the digest must not depend on the reader's language
            content = [comparison_records(*summaries), *(entry.pk for entry in entries)]
        content += later.values_list("pk", flat=True)
        text = _("%(number)s (%(name)s) is no longer merged into %(kept)s (%(other)s).")
        table = LaterAwardsTable(Listing(Pages(later, list)), caption=_("Would stay with the number kept"))
        return Effect(
            [
                text % _names(duplicate, kept),
                *_entries_sentences(entries),
                *account_sentences(moved_by_undo(record)),
            ],
            hashlib.sha256(repr(content).encode()).hexdigest(),
            "office/_part_effect.html",
            {
                "compared": CompareTable(*summaries),
                "later": table if later.exists() else None,
                "listed": running_lists([duplicate, kept]),
            },
        )

    def obstacles(self, proposal: Proposal) -> list[str]:
        record = _record(proposal)
        if record.undone_at:
            return [_("This merging was already undone.")]
        return _account_obstacles(proposal, moved_by_undo(record))

    def perform(self, proposal: Proposal, by) -> dict:
        return {"merge": merges.undo(proposal.data["merge"], proposal.reason, by, proposal).pk}

    def outcome(self, proposal: Proposal) -> list[str]:
        return [_("The two numbers are parted again.")] if proposal.result else []


def account_sentences(moves: Sequence[AccountMove]) -> list[str]:
    """Return a sentence for each move, with the account and the numbers from and to which it moves."""
    text = _("The account %(account)s goes from %(number)s (%(name)s) to %(kept)s (%(other)s).")
    return [text % {"account": move.username, **_names(move.before, move.after)} for move in moves]


def _account_obstacles(proposal: Proposal, moves: Sequence[AccountMove]) -> list[str]:
    # `may_decide` checks the accounts in the proposal, so these must still be the accounts that move.
    if account_ids(moves) == proposal.data["accounts"]:
        return []
    return [_("Another account would move than when it was prepared: return it.")]


def _names(before: Player, after: Player) -> dict[str, str]:
    return {
        "number": before.number,
        "name": before.desk_name,
        "kept": after.number,
        "other": after.desk_name,
    }


def _entries_sentences(entries: Sequence[LedgerEntry]) -> list[str]:
    """Return a sentence with the number of entries that move back and their points by family.

    Return an empty list if there are none.
    """
    if not entries:
        return []
    language, sums = get_language() or "", merges.sums_by_family(entries)
    points = [
        f"{systems.of(family).label} {format_points(sums[family], language)}" for family in sorted(sums)
    ]
    text = ngettext(
        "%(number)s entry of the ledger goes back: %(points)s.",
        "%(number)s entries of the ledger go back: %(points)s.",
        len(entries),
    )
    return [text % {"number": format_whole(len(entries), language), "points": "; ".join(points)}]


def _numbers(proposal: Proposal) -> dict[str, str]:
    number, kept = proposal.data["numbers"]
    return {"number": number, "kept": kept}


def _both_names(both: Mapping[int, tuple[int, int]], viewer) -> dict[int, str]:
    """Return {proposal id: text with the names of both players, or one name if they are equal}. One query.

    both: {proposal id: (duplicate's id, kept player's id)}
    """
    names = names_for(viewer, (player for players in both.values() for player in players))
    return {pk: ", ".join(dict.fromkeys(names[player] for player in players)) for pk, players in both.items()}


def _players(proposal: Proposal) -> tuple[Player, Player]:
    """Return the duplicate and the player to keep, as they are stored now."""
    ids = (proposal.data["duplicate"], proposal.data["kept"])
    players = Player.objects.select_related("merged_into", "user").in_bulk(ids)
    return players[ids[0]], players[ids[1]]


def _record(proposal: Proposal) -> PlayerMerge:
    """Return the merge with both players and their accounts."""
    records = PlayerMerge.objects.select_related("duplicate__user", "kept__user")
    return records.get(pk=proposal.data["merge"])
