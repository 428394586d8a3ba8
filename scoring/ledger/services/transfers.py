"""Entries that go from one number to another of the same person: taken back here, given there.

No other opening entry has a tournament, so a correction finds what was moved and takes it back too.
`source_key` of what is given says where it comes from: `merge:<merge>:<entry>`; on the way back `unmerge:…`.
"""

from collections.abc import Iterable, Sequence

from players.models import Player, PlayerMerge
from scoring.ledger.models import LedgerEntry
from scoring.ledger.source_keys import back_key, merge_prefix, taken_back_by
from ui.chunks import chunks

Kind = LedgerEntry.Kind
BATCH = 1000


def standing(player: Player) -> list[LedgerEntry]:
    """A player's entries of every family that nothing has taken back, with their tournament; one query."""
    entries = LedgerEntry.objects.filter(player=player, reversed_by=None).exclude(kind=Kind.REVERSAL)
    found = list(entries.select_related("tournament").order_by("pk"))
    # No reversal takes an adjustment back (it would count as a tournament less): another one does.
    back = {taken_back_by(each.source_key) for each in found}
    return [each for each in found if each.pk not in back and not taken_back_by(each.source_key)]


def moved(merge: PlayerMerge) -> list[LedgerEntry]:
    """What a merging gave to the number kept and still stands there."""
    return [each for each in standing(merge.kept) if each.source_key.startswith(merge_prefix(merge))]


def move(merge: PlayerMerge, entries: Sequence[LedgerEntry], reason: str, by_id: int | None) -> None:
    """Give entries of the number given up to the number kept. Call it in a transaction; two queries."""
    _move(entries, merge.kept_id, merge_prefix(merge), reason, by_id)


def move_back(merge: PlayerMerge, entries: Sequence[LedgerEntry], reason: str, by_id: int | None) -> None:
    """The same the other way."""
    _move(entries, merge.duplicate_id, f"un{merge_prefix(merge)}", reason, by_id)


def _move(entries: Sequence[LedgerEntry], to: int, key: str, reason: str, by_id: int | None) -> None:
    common = {"reason": reason[:300], "posted_by_id": by_id}
    LedgerEntry.objects.bulk_create((taken(each, common) for each in entries), batch_size=BATCH)
    LedgerEntry.objects.bulk_create(
        (
            LedgerEntry(
                kind=Kind.ADJUSTMENT if each.kind == Kind.ADJUSTMENT else Kind.OPENING, player_id=to,
                points=each.points, title=_title(each), source_key=f"{key}{each.pk}", **_of(each), **common,
            )
            for each in entries
        ),
        batch_size=BATCH,
    )  # fmt: skip


def _of(entry: LedgerEntry) -> dict:
    """What an entry says besides whose it is and how much."""
    names = ("family", "played_on", "online", "tournament_id", "contestant_id")
    return {name: getattr(entry, name) for name in names}


def _title(entry: LedgerEntry) -> str:
    return entry.tournament.name if entry.tournament_id else entry.title


def taken(entry: LedgerEntry, common: dict) -> LedgerEntry:
    """The entry, unsaved, that takes another one back. common: its reason and who posts it"""
    values = {"player_id": entry.player_id, "points": -entry.points, **_of(entry), **common}
    if entry.kind == Kind.ADJUSTMENT:
        return LedgerEntry(kind=Kind.ADJUSTMENT, title=_title(entry), source_key=back_key(entry.pk), **values)
    return LedgerEntry(kind=Kind.REVERSAL, reverses=entry, **values)


def follow(player_ids: Iterable[int], by_id: int | None) -> set[int]:
    """Send what merged numbers among these were just given on to those kept; the ids of all concerned.

    A ranking keeps the number that it was confirmed with, so that awards can be derived from it for ever.
    The caller holds the states of the standings, as mergings do: none can begin or end meanwhile. A query for
    each 500 players where nobody is concerned.
    """
    concerned = set()
    for ids in chunks(sorted(player_ids)):
        merges = PlayerMerge.objects.filter(undone_at=None, duplicate__in=ids)
        for merge in merges.select_related("duplicate").order_by("pk"):
            move(merge, standing(merge.duplicate), merge.reason, by_id)
            concerned |= {merge.duplicate_id, merge.kept_id}
    return concerned
