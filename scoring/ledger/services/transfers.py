"""Move the entries of a merged player to the surviving player, or back when the merge is undone.

Moving takes an entry back from one player and posts a copy of it to the other. The source key of a copy
names the merge and the original entry (see `scoring.ledger.source_keys`).

The copy of an award is an opening entry. Unlike all other opening entries, it names a tournament. So a
correction of that tournament finds the copy and can reverse it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from players.models import Player, PlayerMerge
from scoring.ledger.models import LedgerEntry
from scoring.ledger.source_keys import back_key, merge_prefix, taken_back_by
from ui.chunks import chunks

Kind = LedgerEntry.Kind
BATCH = 1000


def effective_entries(player: Player) -> list[LedgerEntry]:
    """Return a player's effective entries of all families, with their tournaments. One query."""
    rows = LedgerEntry.objects.filter(player=player, reversed_by=None).exclude(kind=Kind.REVERSAL)
    entries = list(rows.select_related("tournament").order_by("pk"))
    # Adjustments are taken back by other adjustments: a reversal would count as minus one tournament.
    taken_back = {taken_back_by(entry.source_key) for entry in entries}
    return [entry for entry in entries if entry.pk not in taken_back and not taken_back_by(entry.source_key)]


def moved_entries(merge: PlayerMerge) -> list[LedgerEntry]:
    """Return the entries that a merge moved to the surviving player and that are still effective."""
    prefix = merge_prefix(merge)
    return [entry for entry in effective_entries(merge.kept) if entry.source_key.startswith(prefix)]


def move(merge: PlayerMerge, entries: Sequence[LedgerEntry], reason: str, by_id: int | None) -> None:
    """Move entries of the merged player to the surviving player. Call in a transaction. Two queries."""
    _move(entries, merge.kept_id, merge_prefix(merge), reason, by_id)


def move_back(merge: PlayerMerge, entries: Sequence[LedgerEntry], reason: str, by_id: int | None) -> None:
    """Move entries of the surviving player back to the merged player. Call in a transaction. Two queries."""
    _move(entries, merge.duplicate_id, f"un{merge_prefix(merge)}", reason, by_id)


def _move(entries: Sequence[LedgerEntry], to: int, key: str, reason: str, by_id: int | None) -> None:
    common = {"reason": reason[:300], "posted_by_id": by_id}
    LedgerEntry.objects.bulk_create((counter_entry(entry, common) for entry in entries), batch_size=BATCH)
    LedgerEntry.objects.bulk_create(
        (
            LedgerEntry(
                kind=Kind.ADJUSTMENT if entry.kind == Kind.ADJUSTMENT else Kind.OPENING,
                player_id=to,
                points=entry.points,
                title=_title(entry),
                source_key=f"{key}{entry.pk}",
                **_origin(entry),
                **common,
            )
            for entry in entries
        ),
        batch_size=BATCH,
    )


def _origin(entry: LedgerEntry) -> dict[str, Any]:
    """Return {field name: value} of the fields of `entry` that its move to another player does not change.

    The entry that takes `entry` back and the copy of `entry` have these values too.
    """
    return {
        name: getattr(entry, name)
        for name in ("family", "played_on", "online", "tournament_id", "contestant_id")
    }


def _title(entry: LedgerEntry) -> str:
    return entry.tournament.name if entry.tournament else entry.title


def counter_entry(entry: LedgerEntry, common: dict[str, Any]) -> LedgerEntry:
    """Return the unsaved entry that takes `entry` back: a reversal, or an opposite adjustment.

    common: reason and posted_by_id of the new entry
    """
    values = {"player_id": entry.player_id, "points": -entry.points, **_origin(entry), **common}
    if entry.kind == Kind.ADJUSTMENT:
        return LedgerEntry(kind=Kind.ADJUSTMENT, title=_title(entry), source_key=back_key(entry.pk), **values)
    return LedgerEntry(kind=Kind.REVERSAL, reverses=entry, **values)


def transfer_merged(player_ids: Iterable[int], by_id: int | None) -> set[int]:
    """Move entries that merged players still have to the surviving players.

    Return the ids of these merged and surviving players. Call it after posting a ranking's awards: a ranking
    keeps the players with whom it was confirmed, even if they were merged since.

    The caller must have locked the rows of `StandingsState`, as merges do. Then no merge is made or undone
    meanwhile. If no player is merged, this takes one query per 500 players.

    player_ids: the players to whom awards were posted
    """
    affected = set()
    for ids in chunks(sorted(player_ids)):
        merges = PlayerMerge.objects.filter(undone_at=None, duplicate__in=ids)
        for merge in merges.select_related("duplicate").order_by("pk"):
            move(merge, effective_entries(merge.duplicate), merge.reason, by_id)
            affected |= {merge.duplicate_id, merge.kept_id}
    return affected
