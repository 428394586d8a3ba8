"""The audit of uploaded files: the bytes that are kept are those that came, by their SHA-256 and length."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Q, QuerySet

from scoring.audit.verify import Difference
from scoring.ledger.isolation import consistent_read
from scoring.ratings.models import GoUpload
from tournaments.models import ResultUpload

CHUNK = 8  # files held in memory at a time; the largest have a few megabytes
FIRST = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Batch:
    """Some files that were checked: the upload of the last of them, how many, what differs."""

    last: UUID
    files: int
    deleted: int  # by the rule for keeping files
    differences: list[Difference]


def uploads(only: int | None, since: date | None, after: UUID = FIRST) -> QuerySet:
    """Uploads of files to audit, in the order of their ids, from the one behind `after` on.

    only: those a single tournament came from; since: those that a tournament which ended on that day or later
    came from; neither: whatever was sent, confirmed or not
    """
    sent = ~Q(sha256="") | Q(file__isnull=False)  # what was typed by hand has neither
    found = ResultUpload.objects.filter(sent, pk__gt=after).order_by("pk")
    if only is not None:
        found = found.filter(revision__tournament=only)
    return found.filter(revision__tournament__end_date__gte=since) if since else found


def go_uploads(since: date | None, after: UUID = FIRST) -> QuerySet:
    """The same of Go."""
    found = GoUpload.objects.filter(pk__gt=after).order_by("pk")
    return found.filter(tournament__end_date__gte=since) if since else found


def batches(
    only: int | None = None, since: date | None = None, after: UUID = FIRST, size: int = 200
) -> Iterator[Batch]:
    """Check files, `size` at a time, from the upload behind `after` on. One query a batch."""
    columns = ("revision__tournament_id", "file_deleted_at", "sha256", "size", "file__content")
    return _batches("file", lambda last: uploads(only, since, last).values_list("pk", *columns), after, size)


def go_batches(since: date | None = None, after: UUID = FIRST, size: int = 200) -> Iterator[Batch]:
    """The same of Go, whose uploads have no length beside their digest."""
    columns = ("tournament_id", "file_deleted_at", "sha256", "content")
    return _batches("go_file", lambda last: go_uploads(since, last).values_list("pk", *columns), after, size)


def _batches(code: str, rows: Callable[[UUID], QuerySet], after: UUID, size: int) -> Iterator[Batch]:
    while True:
        number, deleted, differences = 0, 0, []
        with consistent_read():
            for pk, tournament, gone_at, *stored, content in rows(after)[:size].iterator(chunk_size=CHUNK):
                number, after = number + 1, pk
                if gone_at and content is None:
                    deleted += 1
                    continue
                derived = _derived(content, len(stored))
                if stored != derived:
                    one, other = (f"upload {pk}: {_text(each)}" for each in (stored, derived))
                    differences.append(Difference(code, tournament, one, other))
        if not number:
            return
        yield Batch(after, number - deleted, deleted, differences)


def _derived(content: bytes | None, columns: int) -> list:
    """Digest and length of what is kept, as many of them as are stored."""
    if content is None:
        return []
    data = bytes(content)
    return [hashlib.sha256(data).hexdigest(), len(data)][:columns]


def _text(values: list) -> str:
    return ", ".join(f"{each} bytes" if isinstance(each, int) else each for each in values) or "no file"
