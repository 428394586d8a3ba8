"""Audit uploaded files: the stored bytes must have the SHA-256 and the length recorded on receipt."""

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

CHUNK = 8  # files held in memory at a time; the largest are a few megabytes
FIRST = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Batch:
    """The result of checking some files; `last` is the id of the last upload."""

    last: UUID
    files: int
    deleted: int  # number of files that retention has deleted, which are not checked
    differences: list[Difference]


def uploads(tournament_id: int | None, since: date | None, after: UUID = FIRST) -> QuerySet[ResultUpload]:
    """Return the uploads to audit that were made with a file, with ids above `after`, in order of id.

    tournament_id: if not None, only those of this tournament
    since: if not None, only those of tournaments that ended on that day or later

    If both are None, return all uploads, confirmed or not.
    """
    sent = ~Q(sha256="") | Q(file__isnull=False)  # a ranking typed by hand has neither digest nor file
    rows = ResultUpload.objects.filter(sent, pk__gt=after).order_by("pk")
    if tournament_id is not None:
        rows = rows.filter(revision__tournament=tournament_id)
    return rows.filter(revision__tournament__end_date__gte=since) if since else rows


def go_uploads(since: date | None, after: UUID = FIRST) -> QuerySet[GoUpload]:
    """Return the Go uploads to audit with ids above `after`, in order of id. `since`: as in `uploads`."""
    rows = GoUpload.objects.filter(pk__gt=after).order_by("pk")
    return rows.filter(tournament__end_date__gte=since) if since else rows


def batches(
    tournament_id: int | None = None, since: date | None = None, after: UUID = FIRST, size: int = 200
) -> Iterator[Batch]:
    """Check files in batches of `size`, in order of upload id, starting after `after`. One query per batch.

    tournament_id, since: as in `uploads`
    """
    columns = ("pk", "revision__tournament_id", "file_deleted_at", "sha256", "size", "file__content")
    return _batches(
        "file", lambda last: uploads(tournament_id, since, last).values_list(*columns), after, size
    )


def go_batches(since: date | None = None, after: UUID = FIRST, size: int = 200) -> Iterator[Batch]:
    """Check Go files in the same way as `batches` checks files of bridge."""
    columns = ("pk", "tournament_id", "file_deleted_at", "sha256", "size", "file__content")
    return _batches("go_file", lambda last: go_uploads(since, last).values_list(*columns), after, size)


def _batches(code: str, rows: Callable[[UUID], QuerySet], after: UUID, size: int) -> Iterator[Batch]:
    while True:
        count, deleted, differences = 0, 0, []
        with consistent_read():
            for pk, tournament, deleted_at, *stored, content in rows(after)[:size].iterator(chunk_size=CHUNK):
                count, after = count + 1, pk
                if deleted_at and content is None:
                    deleted += 1
                    continue
                derived = _derived(content)
                if stored != derived:
                    texts = (f"upload {pk}: {_text(values)}" for values in (stored, derived))
                    differences.append(Difference(code, tournament, *texts))
        if not count:
            return
        yield Batch(after, count - deleted, deleted, differences)


def _derived(content: bytes | None) -> list:
    """Compute the SHA-256 and size of the content. Return an empty list if there is none."""
    if content is None:
        return []
    data = bytes(content)
    return [hashlib.sha256(data).hexdigest(), len(data)]


def _text(values: list) -> str:
    return ", ".join(f"{value} bytes" if isinstance(value, int) else value for value in values) or "no file"
