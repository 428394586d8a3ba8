"""Audit the transparency log: its tree follows from the database, and from what was signed."""

from collections.abc import Iterator

from django.db.models import Max, Q
from django.db.models.functions import TruncDate

from scoring.audit.verify import Batch, Difference
from scoring.ledger.isolation import consistent_read
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.services import queue
from scoring.transparency import keys, leaves, queries, services
from scoring.transparency.models import Checkpoint, Leaf, LogState, Node
from scoring.transparency.notes import Checkpoint as Note
from scoring.transparency.notes import InvalidNote
from scoring.transparency.tree import WIDTH, fold, leaf_hash

SLICE = 8 * WIDTH  # leaves in a batch
SHOWN = 100  # missing rows that are reported one by one


def left(after: int) -> int:
    """Return the number of leaves from the index `after` on."""
    return max(0, queries.log_size() - after)


def batches(after: int) -> Iterator[Batch]:
    """Check leaves in batches, from the index `after` on. Six queries per batch.

    `last` of a batch is the index after its last leaf.
    """
    while True:
        with consistent_read():
            count = min(SLICE, left(after))
            differences = list(_check(after, count))
        if not count:
            return
        after += count
        yield Batch(after, {"leaves": count}, differences)


def _check(first: int, count: int) -> Iterator[Difference]:
    rows = Leaf.objects.filter(pk__range=(first, first + count - 1))
    stored = dict(rows.values_list("pk", "hash"))
    data = dict(zip(sorted(stored), leaves.data_of(rows), strict=True))
    for index in range(first, first + count):
        if index not in stored:
            yield _difference(f"leaf {index} is missing", "a leaf")
        elif data[index] is None or leaf_hash(data[index]) != bytes(stored[index]):
            yield _difference(f"leaf {index}", f"another: {_text(data[index])}")
    tiles = range(-(-first // WIDTH), (first + count) // WIDTH)
    nodes = dict(Node.objects.filter(level=1, number__in=tiles).values_list("number", "hash"))
    for number in tiles:
        parts = [bytes(stored.get(index, b"")) for index in range(number * WIDTH, (number + 1) * WIDTH)]
        if bytes(nodes.get(number, b"")) != fold(parts):
            yield _difference(f"hash {number} of level 1", "another hash")


def differences() -> list[Difference]:
    """Return what differs in the upper levels of the tree, in what is missing, and in what was signed."""
    with consistent_read():
        return [*_upper_levels(), *_missing(), *_signed()]


def _upper_levels() -> Iterator[Difference]:
    size, level = queries.log_size(), 2
    while count := size >> 8 * level:
        for number in range(count):
            below = Node.objects.filter(
                level=level - 1, number__range=(number * WIDTH, number * WIDTH + WIDTH - 1)
            )
            parts = [bytes(value) for value in below.order_by("number").values_list("hash", flat=True)]
            stored = Node.objects.filter(level=level, number=number).values_list("hash", flat=True).first()
            if len(parts) != WIDTH or bytes(stored or b"") != fold(parts):
                yield _difference(f"hash {number} of level {level}", "another hash")
        level += 1


def _missing() -> Iterator[Difference]:
    """Yield a difference for each row that should be in the log since long ago and is not.

    By the time at which it was posted, too: how far the log is by its own state may be wrong.
    """
    before = queue.now() - services.LONGEST
    settled = LogState.objects.values_list("entries_to", flat=True).first() or 0
    entries = LedgerEntry.objects.filter(Q(pk__lte=settled) | Q(posted_at__lt=before), leaf=None)
    for pk in entries.order_by("pk").values_list("pk", flat=True)[:SHOWN]:
        yield _difference(f"entry {pk} is not in the log", "a leaf")
    runs = ScoringRun.objects.filter(state=ScoringRun.State.DONE, finished_at__lt=before, leaf=None)
    for pk in runs.order_by("pk").values_list("pk", flat=True)[:SHOWN]:
        yield _difference(f"run {pk} is not in the log", "a leaf")


def _signed() -> Iterator[Difference]:
    """Check the last checkpoint of each day: the stored tree still begins with it, and the log signed it."""
    days = Checkpoint.objects.order_by().annotate(day=TruncDate("created_at")).values("day")
    last = days.annotate(last=Max("pk")).values("last")
    known, size = keys.verifiers(), queries.log_size()
    for checkpoint in Checkpoint.objects.filter(pk__in=last).order_by("pk"):
        name = f"checkpoint of {checkpoint.size} leaves"
        if checkpoint.size > size:
            yield _difference(name, f"a log of {size} leaves")
            continue
        try:
            root = queries.stored_tree(checkpoint.size).root()
        except LookupError as error:
            yield _difference(name, str(error))
            continue
        if root != bytes(checkpoint.root):
            yield _difference(name, "another root")
        elif not _is_signed(checkpoint, known):
            yield _difference(name, "signed by a key of the log")


def _is_signed(checkpoint: Checkpoint, known) -> bool:
    try:
        note = Note.parse(checkpoint.note)
        return (note.size, note.root) == (checkpoint.size, bytes(checkpoint.root)) and bool(
            note.signed_by(known)
        )
    except InvalidNote:
        return False


def _difference(stored: str, derived: str) -> Difference:
    return Difference("log", None, stored, derived)


def _text(data: bytes | None) -> str:
    return data.decode() if data else "no row"
