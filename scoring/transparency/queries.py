"""Read the stored tree: tiles, bundles of entries, proofs, and how far the log is behind."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import time

from django.conf import settings
from django.db.models import Max, Q, Subquery
from django.db.models.functions import TruncDate
from django.utils import timezone

from scoring.transparency import leaves
from scoring.transparency.models import Checkpoint, Cosignature, Leaf, LogState, Node
from scoring.transparency.tree import WIDTH, Tree
from ui.memo import per_version


def log_size() -> int:
    """Return the number of leaves in the log."""
    return LogState.objects.values_list("size", flat=True).first() or 0


def hashes(level: int, first: int, count: int) -> list[bytes]:
    """Return stored hashes of a level, from the index `first` on. One query.

    Raise LookupError if some of them are missing.
    """
    if not count:
        return []
    if level:
        rows = Node.objects.filter(level=level, number__range=(first, first + count - 1)).order_by("number")
    else:
        rows = Leaf.objects.filter(pk__range=(first, first + count - 1)).order_by("pk")  # type: ignore[assignment]
    values = [bytes(value) for value in rows.values_list("hash", flat=True)]
    if len(values) != count:
        raise LookupError(f"hashes are missing: level {level}, from {first}, {count}")
    return values


def stored_tree(size: int | None = None) -> Tree:
    """Return the tree of the first `size` leaves; None for the whole log."""
    return Tree(log_size() if size is None else size, hashes)


def tile(level: int, number: int, width: int) -> bytes | None:
    """Return the content of a tile of hashes; None if the log has no such tile."""
    if not 1 <= width <= stored_tree().width(level, number):
        return None
    return b"".join(hashes(level, number * WIDTH, width))


def bundle(number: int, width: int) -> bytes | None:
    """Return the content of a bundle of entries; None if the log has no such bundle.

    Each entry is preceded by its length in two bytes.
    """
    if not 1 <= width <= stored_tree().width(0, number):
        return None
    first = number * WIDTH
    data = leaves.data_of(Leaf.objects.filter(pk__range=(first, first + width - 1)))
    return b"".join(len(leaf or b"").to_bytes(2, "big") + (leaf or b"") for leaf in data)


def latest_checkpoint() -> Checkpoint | None:
    return Checkpoint.objects.order_by("-pk").first()


def printed_checkpoint() -> str:
    """Return the latest checkpoint in one line, for paper: size and root. "" if there is none.

    Read once a minute by each process.
    """
    return _printed_in(int(time() // 60))


@per_version(1)
def _printed_in(_minute: int) -> str:
    checkpoint = latest_checkpoint()
    if checkpoint is None:
        return ""
    return f"{checkpoint.size} {base64.b64encode(bytes(checkpoint.root)).decode()}"


def published_note(checkpoint: Checkpoint) -> str:
    """Return the checkpoint's note with the cosignatures that witnesses gave it."""
    lines = Cosignature.objects.filter(checkpoint=checkpoint).order_by("pk").values_list("line", flat=True)
    return checkpoint.note + "".join(lines)


@dataclass(frozen=True, slots=True)
class Inclusion:
    """The proof that a leaf is in the tree of a checkpoint.

    data: the leaf, as JSON
    """

    index: int
    data: bytes
    proof: Sequence[bytes]
    checkpoint: Checkpoint


def inclusion_of(leaf: Leaf) -> Inclusion | None:
    """Return the proof for the latest checkpoint; None if no checkpoint has the leaf yet."""
    checkpoint = latest_checkpoint()
    if checkpoint is None or leaf.pk >= checkpoint.size:
        return None
    [data] = leaves.data_of(Leaf.objects.filter(pk=leaf.pk))
    return Inclusion(leaf.pk, data or b"", stored_tree(checkpoint.size).inclusion(leaf.pk), checkpoint)


def checkpoints_of_days() -> list[Checkpoint]:
    """Return the last checkpoint of each of the last 30 days, and those stamped, the latest first."""
    days = Checkpoint.objects.order_by().annotate(day=TruncDate("created_at"))
    recent = days.filter(created_at__gte=timezone.now() - timedelta(days=30))
    last = recent.values("day").annotate(last=Max("pk")).values("last")
    stamped = recent.filter(stamp__isnull=False).values("pk")
    chosen = Checkpoint.objects.filter(Q(pk__in=last) | Q(pk__in=stamped))
    return list(chosen.select_related("stamp").order_by("-pk"))


def appended_at() -> datetime | None:
    """Return when everything committed was in the log for the last time."""
    return LogState.objects.values_list("appended_at", flat=True).first()


def signed_at() -> datetime | None:
    """Return when everything committed was in the log, and signed if there is a key, for the last time.

    One query.
    """
    latest = Checkpoint.objects.order_by("-pk")
    state = LogState.objects.annotate(
        signed=Subquery(latest.values("size")[:1]), at=Subquery(latest.values("created_at")[:1])
    ).first()
    if state is None:
        return None
    is_signed = not settings.LOG_KEY or state.signed == state.size
    return state.appended_at if is_signed else state.at
