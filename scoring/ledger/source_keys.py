"""The source keys of entries, which say where an entry comes from and let it come in once.

What a merge moved has `merge:<merge>:<entry>`, on the way back `unmerge:…`; an adjustment that takes another
one back has `back:<entry>`.
"""

import re

from players.models import PlayerMerge

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


def back_key(entry_id: int) -> str:
    """The key of the adjustment that takes another one back."""
    return f"{_BACK}{entry_id}"
