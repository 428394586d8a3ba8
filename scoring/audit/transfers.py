"""The audit of what mergings of two numbers moved: nothing lost, nothing doubled, and to the right person."""

from collections.abc import Container, Iterator

from players.models import PlayerMerge
from scoring.audit.evidence import Entry, approved_entries, entries_by_id, marked, merged_sums
from scoring.audit.verify import Difference, mirrors, moved_rightly, numbered
from scoring.ledger.isolation import consistent_read
from scoring.ledger.models import LedgerEntry
from scoring.ledger.source_keys import origin_of, taken_back_by

ADJUSTMENT = LedgerEntry.Kind.ADJUSTMENT


def wrong() -> list[Difference]:
    """Moved entries that their mergings do not explain, and points left with merged numbers.

    A tournament's awards are followed where the tournament is checked; here, that the right player has them,
    and everything of what no tournament gave. Six queries, and one more for each 500 moved entries.
    """
    with consistent_read():
        entries = marked()
        numbers = {pk: pair for pk, *pair in PlayerMerge.objects.values_list("pk", "duplicate_id", "kept_id")}
        origins = entries_by_id(_origin(each) for each in entries)
        left = merged_sums()
        approved = approved_entries()
    found = [
        Difference(
            "moved", each.tournament, f"entry {each.pk}: {each.points}", "as a merging explains it", None,
            str(each.player),
        )
        for each in _unexplained(entries, numbers, origins, approved)
    ]  # fmt: skip
    found += [
        Difference("moved", None, f"{points} ({family})", "nothing: the number is merged", None, str(player))
        for player, family, points in left
    ]
    return numbered(found)


def _origin(entry: Entry) -> int:
    """The id of the entry that a marked one speaks of; 0 for a mark that nobody knows."""
    said = origin_of(entry.source_key)
    return said[2] if said else taken_back_by(entry.source_key) or 0


def _unexplained(
    entries: list[Entry], numbers: dict, origins: dict, approved: Container[int]
) -> Iterator[Entry]:
    moved: dict[int, Entry] = {}
    back = {entry.pk: pk for entry in entries if (pk := taken_back_by(entry.source_key))}
    adjusted = set(back.values())
    for entry in entries:
        origin, reversed_ = origins.get(_origin(entry), (None, False))
        if origin is None:
            yield entry
        elif entry.pk in back:
            if origin.kind != ADJUSTMENT or not mirrors(entry, origin):
                yield entry
        elif not _to_whom(entry, numbers, origin) or origin.pk in moved:
            yield entry
        else:
            moved[origin.pk] = entry
            taken = origin.pk in adjusted if origin.kind == ADJUSTMENT else reversed_
            if entry.tournament is None and not (taken and moved_rightly(entry, origin)):
                yield entry
    for entry in entries:
        if entry.pk in back and back[entry.pk] not in moved and entry.pk not in approved:
            yield entry  # taken from one number and given to none, and not because a second person said so


def _to_whom(entry: Entry, numbers: dict, origin: Entry) -> bool:
    """Whether a merging gives what `origin`'s player had to the entry's, or gave it back."""
    away, merge, _pk = origin_of(entry.source_key)
    pair = numbers.get(merge)
    return pair is not None and pair == (
        [entry.player, origin.player] if away else [origin.player, entry.player]
    )
