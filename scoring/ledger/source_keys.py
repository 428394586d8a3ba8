"""The formats of source keys, which identify where a ledger entry comes from, so that it is posted only once.

An entry moved by a merge has the key `merge:<merge id>:<id of the original entry>`. An entry moved back when
the merge is undone has `unmerge:<merge id>:<id of the original entry>`. An adjustment that takes back another
one has `back:<id of the other>`. One that a second person approved has `proposal-<proposal id>-<number>`.
"""

import re

from players.models import PlayerMerge

_MOVED = re.compile(r"(un)?merge:([0-9]{1,18}):([0-9]{1,18})")
_BACK = "back:"


def merge_prefix(merge: PlayerMerge) -> str:
    """Return the prefix of the keys of entries that a merge moved."""
    return f"merge:{merge.pk}:"


def origin_of(source_key: str) -> tuple[bool, int, int] | None:
    """Parse the source key of a moved entry to (whether moved back, merge id, original entry id).

    Return None for the key of any other entry.
    """
    match = _MOVED.fullmatch(source_key)
    return match and (bool(match[1]), int(match[2]), int(match[3]))


def taken_back_by(source_key: str) -> int | None:
    """Return the id of the adjustment that the entry with this key takes back; None for any other entry."""
    return int(source_key.removeprefix(_BACK)) if source_key.startswith(_BACK) else None


def back_key(entry_id: int) -> str:
    """Return the key of the adjustment that takes back adjustment `entry_id`."""
    return f"{_BACK}{entry_id}"


def proposal_id_of(source_key: str) -> int | None:
    """Return the id of the proposal that posted the entry with this key; None for any other entry."""
    kind, _dash, rest = source_key.partition("-")
    number = rest.partition("-")[0]
    return int(number) if kind == "proposal" and number.isdecimal() and len(number) < 19 else None
