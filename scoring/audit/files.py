"""Audit uploaded files: the stored bytes must have the SHA-256 and the length recorded on receipt."""

import hashlib
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from scoring.audit.evidence import selected
from scoring.audit.verify import Batch, Difference
from scoring.ledger.isolation import consistent_read
from scoring.ratings.models import GoUpload
from tournaments.models import FurtherFile, ResultUpload
from tournaments.services import stored_files

CHUNK = 8  # files held in memory at a time; the largest are a few megabytes
FIRST = UUID(int=0)
FILE = ("sha256", "size", "file__content", "file__key")  # what was recorded, and where the bytes are


def uploads(tournament_id: int | None, since: date | None, after: UUID = FIRST) -> QuerySet[ResultUpload]:
    """Return the uploads to audit that were made with a file; arguments as in `evidence.selected`.

    Only confirmed uploads belong to a tournament. If `tournament_id` and `since` are None, the others are
    returned too.
    """
    sent = ~Q(sha256="") | Q(file__isnull=False)  # a ranking typed by hand has neither digest nor file
    rows = ResultUpload.objects.filter(sent)
    return selected(rows, tournament_id, since, after, "revision__tournament__")


def go_uploads(since: date | None, after: UUID = FIRST) -> QuerySet[GoUpload]:
    """Return the Go uploads to audit; arguments as in `evidence.selected`."""
    return selected(GoUpload.objects.all(), None, since, after)


def batches(
    tournament_id: int | None = None, since: date | None = None, after: UUID = FIRST, size: int = 200
) -> Iterator[Batch]:
    """Check files in batches of `size`, in order of upload id, starting after `after`. One query per batch.

    tournament_id: if not None, only files of this tournament
    since: if not None, only files of tournaments that ended on that day or later
    """
    columns = ("pk", "revision__tournament_id", "file_deleted_at", *FILE)
    return _batches(
        "file", lambda last: uploads(tournament_id, since, last).values_list(*columns), after, size
    )


def further(tournament_id: int | None, since: date | None, after: int = 0) -> QuerySet[FurtherFile]:
    """Return the files of uploads after their first one; arguments as in `evidence.selected`."""
    return selected(FurtherFile.objects.all(), tournament_id, since, after, "upload__revision__tournament__")


def further_batches(
    tournament_id: int | None = None, since: date | None = None, after: int = 0, size: int = 200
) -> Iterator[Batch]:
    """Check the files of uploads after their first one, in batches of `size`, in order of id.

    tournament_id, since: as for `batches`
    """
    columns = ("pk", "upload__revision__tournament_id", "upload__file_deleted_at", *FILE)
    return _batches(
        "further_file", lambda last: further(tournament_id, since, last).values_list(*columns), after, size
    )


def go_batches(since: date | None = None, after: UUID = FIRST, size: int = 200) -> Iterator[Batch]:
    """Check the files of Go uploads in batches of `size`, in order of upload id, starting after `after`.

    since: if not None, only files of tournaments that ended on that day or later
    """
    columns = ("pk", "tournament_id", "file_deleted_at", *FILE)
    return _batches("go_file", lambda last: go_uploads(since, last).values_list(*columns), after, size)


def _batches(code: str, rows: Callable[[Any], QuerySet], after: UUID | int, size: int) -> Iterator[Batch]:
    while True:
        count, deleted, differences = 0, 0, []
        with consistent_read():
            for pk, tournament, deleted_at, *stored, content, key in rows(after)[:size].iterator(CHUNK):
                count, after = count + 1, pk
                data = stored_files.bytes_of(content, key)
                if deleted_at and data is None:
                    deleted += 1
                    continue
                derived = _derived(data)
                if stored != derived:
                    texts = (f"upload {pk}: {_text(values)}" for values in (stored, derived))
                    differences.append(Difference(code, tournament, *texts))
        if not count:
            return
        # Files that retention has deleted are not checked.
        yield Batch(after, {"files": count - deleted, "deleted": deleted}, differences)


def _derived(data: bytes | None) -> list:
    """Return the SHA-256 and the size in bytes of a file. Return an empty list if there are no bytes."""
    if data is None:
        return []
    return [hashlib.sha256(data).hexdigest(), len(data)]


def _text(values: list) -> str:
    return ", ".join(f"{value} bytes" if isinstance(value, int) else value for value in values) or "no file"
