"""The data of the log's leaves: what was decided, as canonical JSON without names.

A leaf is a scoring run that was posted, or a ledger entry. Keys are sorted; values are integers and texts;
what is empty is left out. Points are hundredths. A player is a pseudonym. Texts that people typed, such as
reasons and titles, are not part of a leaf, because they may contain names.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet

from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.transparency.models import Leaf
from ui.chunks import chunks

# Key of a leaf -> field of its row.
ENTRY = {
    "entry": "pk",
    "family": "family",
    "kind": "kind",
    "played_on": "played_on",
    "person": "player__pseudonym__code",
    "points": "points",
    "posted_at": "posted_at",
    "reverses": "reverses_id",
    "run": "run__uid",
    "tournament": "tournament_id",
    "venue": "online",
}
RUN = {
    "eligible": "eligible",
    "engine": "engine_version",
    "finished_at": "finished_at",
    "inputs": "input_digest",
    "number": "number",
    "purpose": "purpose",
    "regulation": "regulation",
    "revision": "revision__number",
    "run": "uid",
    "tournament": "tournament_id",
}


_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def canonical(data: Mapping[str, Any]) -> bytes:
    """Return JSON with sorted keys and without blanks, as a leaf is hashed."""
    return _encode(data).encode()


def entry_leaf(values: Iterable[Any], person: str | None = None) -> bytes:
    """Return the data of an entry's leaf, from the values of `ENTRY`.

    person: the pseudonym of a player who had none when the values were read
    """
    return canonical({"person": person} | leaf_of(values, ENTRY, "entry"))


@lru_cache(maxsize=1000)
def _written(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


# How values are written that the database has neither as integers nor as texts, by their keys.
WRITTEN: dict[str, Callable[[Any], int | str]] = {
    "eligible": int,
    "finished_at": _written,
    "played_on": date.isoformat,
    "posted_at": _written,  # rows of one run have the same one
    "run": str,
    "venue": ("in_person", "online").__getitem__,
}


def leaf_of(values: Iterable[Any], keys: Iterable[str], what: str) -> dict[str, Any]:
    """Return the data of a leaf.

    values: those of the row, in the order of `keys`
    what: "entry" or "run"
    """
    data: dict[str, Any] = {"leaf": what}
    for key, value in zip(keys, values, strict=True):
        if value is not None:
            write = WRITTEN.get(key)
            data[key] = write(value) if write else value
    return data


def entry_data(rows: QuerySet[LedgerEntry]) -> Iterator[tuple[int, bytes]]:
    """Yield (id, data of the leaf) of entries, in their order. Every player needs a pseudonym."""
    return _data(rows, ENTRY, "entry")


def run_data(rows: QuerySet[ScoringRun]) -> Iterator[tuple[int, bytes]]:
    """Yield (id, data of the leaf) of runs, in their order."""
    return _data(rows, RUN, "run")


def _data(rows: QuerySet[Any], columns: Mapping[str, str], what: str) -> Iterator[tuple[int, bytes]]:
    selected = rows.values_list("pk", *columns.values()).iterator(chunk_size=2000)
    return ((pk, canonical(leaf_of(values, columns, what))) for pk, *values in selected)


def data_of(leaves: QuerySet[Leaf]) -> list[bytes | None]:
    """Return the data of leaves as it follows from the database now, in the order of the log.

    None stands for a leaf whose row is gone.
    """
    rows = list(leaves.order_by("pk").values_list("entry_id", "run_id"))
    entries: dict[int, bytes] = {}
    for ids in chunks(entry for entry, _run in rows if entry):
        entries |= dict(entry_data(LedgerEntry.objects.filter(pk__in=ids).order_by()))
    runs: dict[int, bytes] = {}
    for ids in chunks(run for _entry, run in rows if run):
        runs |= dict(run_data(ScoringRun.objects.filter(pk__in=ids).order_by()))
    return [entries.get(entry) if entry else runs.get(run) for entry, run in rows]
