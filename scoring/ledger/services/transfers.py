"""Entries that go from one number to another of the same person: taken back here, given there.

No other opening entry has a tournament, so a correction finds what was moved and takes it back too.
`source_key` of what is given says where it comes from: `merge:<merge>:<entry>`; on the way back `unmerge:…`.
"""

import re
from collections.abc import Iterable, Sequence

from players.models import Player, PlayerMerge
from scoring.ledger.models import LedgerEntry
from ui.chunks import chunks

Kind = LedgerEntry.Kind
BATCH = 1000
_MOVED = re.compile(r"(un)?merge:([0-9]{1,18}):([0-9]{1,18})")
_BACK = "back:"


def merged_key(merge: PlayerMerge) -> str:
    """How the keys of what a merging moved begin."""
    return f"merge:{merge.pk}:"


def origin_of(source_key: str) -> tuple[bool, int, int] | None:
    """(whether it went back, merge, entry it comes from) of a moved entry; None for any other."""
    found = _MOVED.fullmatch(source_key)
    return found and (bool(found[1]), int(found[2]), int(found[3]))


def taken_back_by(source_key: str) -> int | None:
    """The adjustment that another one with this key takes back; None for any other entry."""
    return int(source_key.removeprefix(_BACK)) if source_key.startswith(_BACK) else None


def standing(player: Player) -> list[LedgerEntry]:
    """A player's entries of every family that nothing has taken back, with their tournament; one query."""
    entries = LedgerEntry.objects.filter(player=player, reversed_by=None).exclude(kind=Kind.REVERSAL)
    found = list(entries.select_related("tournament").order_by("pk"))
    # No reversal takes an adjustment back (it would count as a tournament less): another one does.
    back = {taken_back_by(each.source_key) for each in found}
    return [each for each in found if each.pk not in back and not taken_back_by(each.source_key)]


def moved(merge: PlayerMerge) -> list[LedgerEntry]:
    """What a merging gave to the number kept and still stands there."""
    return [each for each in standing(merge.kept) if each.source_key.startswith(merged_key(merge))]


def move(merge: PlayerMerge, entries: Sequence[LedgerEntry], reason: str, by_id: int | None) -> None:
    """Give entries of the number given up to the number kept. Call it in a transaction; two queries."""
    _move(entries, merge.kept_id, merged_key(merge), reason, by_id)


def move_back(merge: PlayerMerge, entries: Sequence[LedgerEntry], reason: str, by_id: int | None) -> None:
    """The same the other way."""
    _move(entries, merge.duplicate_id, f"un{merged_key(merge)}", reason, by_id)


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


def back_key(entry_id: int) -> str:
    """The key of the adjustment that takes another one back."""
    return f"{_BACK}{entry_id}"


def counter_entries(entry_ids: Iterable[int]) -> dict[int, LedgerEntry]:
    """The adjustments that take any of these adjustments back, by what they take back; one query at most."""
    keys = [back_key(each) for each in entry_ids]
    entries = LedgerEntry.objects.filter(source_key__in=keys) if keys else ()
    return {taken_back_by(each.source_key): each for each in entries}


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
