"""Audit the ledger entries that merges of players moved.

No entry may be lost or doubled, and each must belong to the right player.
"""

from collections.abc import Container, Iterator

from players.models import PlayerMerge
from scoring.audit.evidence import (
    Entry,
    approved_entries,
    entries_by_id,
    merged_sums,
    referring_entries,
)
from scoring.audit.verify import Difference, mirrors, same_award, with_numbers
from scoring.ledger.isolation import consistent_read
from scoring.ledger.models import LedgerEntry
from scoring.ledger.source_keys import origin_of, taken_back_by

ADJUSTMENT = LedgerEntry.Kind.ADJUSTMENT


def differences() -> list[Difference]:
    """Compare the ledger with the merges of players.

    Return a difference for each moved entry that no merge explains. Return another for each merged player who
    still has points, which should have moved to the surviving player.

    Of a moved award, only the player who received it is checked here; `scoring.audit.verify` checks the rest.
    Six queries, and one more for each 500 moved entries.
    """
    with consistent_read():
        entries = referring_entries()
        merges = {pk: pair for pk, *pair in PlayerMerge.objects.values_list("pk", "duplicate_id", "kept_id")}
        origins = entries_by_id(_origin_id(entry) for entry in entries)
        remaining = merged_sums()
        approved = approved_entries()
    moved = [
        Difference(
            "moved",
            entry.tournament,
            f"entry {entry.pk}: {entry.points}",
            "as a merging explains it",
            None,
            str(entry.player),
        )
        for entry in _unexplained(entries, merges, origins, approved)
    ]
    left = [
        Difference("moved", None, f"{points} ({family})", "nothing: the number is merged", None, str(player))
        for player, family, points in remaining
    ]
    return with_numbers([*moved, *left])


def _origin_id(entry: Entry) -> int:
    """Return the id of the entry that this entry's source key refers to; 0 if the key refers to none."""
    origin = origin_of(entry.source_key)
    return origin[2] if origin else taken_back_by(entry.source_key) or 0


def _unexplained(
    entries: list[Entry], merges: dict, origins: dict, approved: Container[int]
) -> Iterator[Entry]:
    moved: dict[int, Entry] = {}
    taken_back = {entry.pk: pk for entry in entries if (pk := taken_back_by(entry.source_key))}
    adjustments_taken_back = set(taken_back.values())
    for entry in entries:
        origin, reversed_ = origins.get(_origin_id(entry), (None, False))
        if origin is None:
            yield entry
        elif entry.pk in taken_back:
            if origin.kind != ADJUSTMENT or not mirrors(entry, origin):
                yield entry
        elif not _between_merged(entry, origin, merges) or origin.pk in moved:
            yield entry
        else:
            moved[origin.pk] = entry
            withdrawn = origin.pk in adjustments_taken_back if origin.kind == ADJUSTMENT else reversed_
            if entry.tournament is None and not (withdrawn and same_award(entry, origin)):
                yield entry
    for entry in entries:
        if entry.pk in taken_back and taken_back[entry.pk] not in moved and entry.pk not in approved:
            yield entry  # taken back without approval, and not posted again for the surviving player


def _between_merged(entry: Entry, origin: Entry, merges: dict) -> bool:
    """Return whether a moved entry and its original belong to the right two players of the merge.

    A merge moves entries from the duplicate to the surviving player. Undoing it moves entries from the
    surviving player back to the duplicate.

    entry: the moved entry; its source key names the merge
    origin: the original entry, of which `entry` is a copy
    merges: {merge id: [duplicate's id, surviving player's id]}
    """
    undone, merge, _pk = origin_of(entry.source_key)
    players = [entry.player, origin.player] if undone else [origin.player, entry.player]
    return merges.get(merge) == players
