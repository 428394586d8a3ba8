"""Process uploads of every kind: store and read the file, read it again, discard the upload, restore it.

* The file is stored before it is read, so that a file that crashes its reader can be examined.
* A file from which nothing can be reviewed is refused and does not become a draft.
* If reading was interrupted or stopped, the file can be read again until it is deleted.
* A discarded upload can be restored until its file is deleted.

Each app registers its kinds of upload in `AppConfig.ready`.
"""

import hashlib
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol, TypeVar

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from tournaments.formats.limits import READ_SECONDS
from tournaments.formats.types import Issue
from tournaments.models import StoredFile, Upload
from ui.chunks import chunks

from . import stored_files
from .issues import issue

# The issues of a reading that was stopped by our own limits, which a busy machine reaches sooner, by a bug of
# ours, or because this machine lacks a program.
STOPPED = frozenset({"too_slow", "too_big_to_read", "bws_stopped", "reader_failed", "mdbtools_missing"})
FORMAT_LENGTH = Upload._meta.get_field("file_format").max_length
NAME_LENGTH = Upload._meta.get_field("file_name").max_length
LONG_BYTES = 2 * 1024 * 1024  # larger files are read while the user sees the progress
READING = timedelta(seconds=READ_SECONDS + 45)  # the longest time that reading and storing may take
BATCH = 200  # number of files deleted in one transaction
logger = logging.getLogger(__name__)
AnyUpload = TypeVar("AnyUpload", bound=Upload)


class Parsed(Protocol):
    """The interface of what readers return for a file."""

    @property
    def format_name(self) -> str: ...

    @property
    def has_errors(self) -> bool: ...

    def to_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Kind:
    """A kind of upload, with the functions in which it differs from other kinds.

    model: the model of the uploads
    result: the class of what the reader returns; `result("unknown", file_name)` stands for an unread file
    read: reads the bytes of an upload
    ask: lets a worker read an upload; None if `read` reads it at once
    is_refused: returns whether there is nothing to review in what was read
    complete: adds to an upload, after its file was read, data that the file does not state; does not save
    refresh: updates those columns of an upload that are computed for lists of uploads
    """

    model: type[Upload]
    result: Any
    read: Callable[[Any, bytes], Parsed] | None = None
    is_refused: Callable[[Any], bool] = lambda parsed: parsed.has_errors
    complete: Callable[[Any], object] = lambda upload: None
    refresh: Callable[[Any], object] = lambda upload: None
    ask: Callable[[Any], Any] | None = None

    def parse(self, upload: Any, data: bytes) -> Parsed:
        """Read the bytes of an upload, of a kind that is read at once."""
        if self.read is None:
            raise TypeError(f"workers read every {self.model._meta.model_name}")
        return self.read(upload, data)


KINDS: dict[type[Upload], Kind] = {}


def register(kind: Kind) -> None:
    """Add a kind of upload to `KINDS`. Call it from `AppConfig.ready`."""
    KINDS[kind.model] = kind


class NotUnderReview(Exception):
    """The upload is no longer in a state that allows the change."""


class FileGone(Exception):
    """The file of an upload is no longer kept, so it cannot be read again."""


def receive(upload: AnyUpload, file_name: str, data: bytes, wait: bool = True) -> AnyUpload:
    """Save a new upload with its file unchanged, then read the file in a child process with limits.

    Return the upload with the data read.

    wait: as for `read_now_or_soon`
    """
    store(upload, file_name, data)
    return read_now_or_soon(upload, data, wait)


def read_now_or_soon(upload: AnyUpload, data: bytes, wait: bool = True) -> AnyUpload:
    """Read a stored file. Return the upload with the data read.

    wait: False to read a file of more than LONG_BYTES in a thread, and return the unread upload at once
    """
    if ask := KINDS[type(upload)].ask:
        return ask(upload)
    if wait or len(data) <= LONG_BYTES:
        return read(upload, data)
    thread = threading.Thread(target=_read_in_thread, args=[upload, data], name=f"read {upload.pk}")
    transaction.on_commit(thread.start)
    return upload


def _read_in_thread(upload: Upload, data: bytes) -> None:
    """Read the file of an upload. Without a result the upload stays unread, and can be read again."""
    try:
        read(upload, data)
    except Exception:
        logger.exception("Reading upload %s was interrupted", upload.pk)
    finally:
        connection.close()


def is_being_read(upload: Upload) -> bool:
    """Return whether a thread is probably reading the file of an upload.

    If its process has died, this is false after READING, and the file can be read again.
    """
    is_recent = timezone.now() - upload.created_at < READING
    return upload.state == Upload.REVIEW and upload.is_unread and upload.size > LONG_BYTES and is_recent


@stored_files.together()
def store(upload: Upload, file_name: str, data: bytes) -> None:
    """Save a new upload with its file, which is not read yet.

    If the file name is too long, its beginning is cut off.

    Raises FilesUnavailable or FilesFull.
    """
    kind = KINDS[type(upload)]
    upload.file_name, upload.size = file_name[-NAME_LENGTH:], len(data)
    upload.sha256 = hashlib.sha256(data).hexdigest()
    upload.parsed = kind.result("unknown", upload.file_name).to_json()
    upload.file = stored_files.keep(data)
    upload.save()
    kind.refresh(upload)


def read(upload: AnyUpload, data: bytes) -> AnyUpload:
    """Read the file of an upload in a child process. Return the upload with the data read."""
    return _store_parsed(upload, KINDS[type(upload)].parse(upload, data))


def read_again(upload: AnyUpload) -> AnyUpload:
    """Read the file of an upload again because an earlier reading did not finish. Return the updated upload.

    Raises NotUnderReview if `may_read_again` does not allow it, and FileGone if the file is deleted.
    """
    if not may_read_again(upload):
        raise NotUnderReview
    if ask := KINDS[type(upload)].ask:
        return ask(upload)
    return read(upload, content_of(upload))


def may_read_again(upload: Upload) -> bool:
    """Return whether the file of an upload could be read on another attempt.

    It could if it is still kept, and if its content is not known to be the cause of the failure. Other
    causes are an interruption, a limit of time or memory, an error in the reader, or a missing program.
    """
    if upload.file_deleted_at:
        return False
    if upload.state == Upload.REFUSED:
        return any(item["code"] in STOPPED for item in upload.parsed["issues"])
    return upload.state == Upload.REVIEW and upload.is_unread


def may_recover(upload: Upload) -> bool:
    """Return whether a discarded upload can be restored, because its file is still kept."""
    return upload.state == Upload.DISCARDED and not upload.file_deleted_at


def unread_issues(upload: Upload) -> list[Issue]:
    """Return a list with the issue "not read" if the upload's file has not been read, else an empty list."""
    return [issue("not_read")] if upload.is_unread else []


def discard(upload: Upload) -> None:
    """Discard a draft, or an upload whose file was refused. Raises NotUnderReview for other uploads."""
    with locked(upload, Upload.REVIEW, Upload.REFUSED) as current:
        current.state, current.discarded_at = Upload.DISCARDED, timezone.now()
        current.save(update_fields=["state", "discarded_at"])


def recover(upload: Upload) -> None:
    """Restore a discarded upload. Its state becomes REFUSED if its file has nothing to review, else REVIEW.

    Raises NotUnderReview if the upload is not discarded, and FileGone if its file is deleted.
    """
    kind = KINDS[type(upload)]
    with locked(upload, Upload.DISCARDED) as current:
        if current.file_deleted_at:
            raise FileGone
        refused = not current.is_unread and kind.is_refused(kind.result.from_json(current.parsed))
        current.state = Upload.REFUSED if refused else Upload.REVIEW
        current.discarded_at = None
        current.save(update_fields=["state", "discarded_at"])
        kind.refresh(current)


@contextmanager
def locked(upload: AnyUpload, *states: str) -> Iterator[AnyUpload]:
    """Lock an upload and yield a fresh copy of it. Raises NotUnderReview if it is in none of the states."""
    with transaction.atomic():
        current = type(upload).objects.select_for_update().get(pk=upload.pk)
        if current.state not in states:
            raise NotUnderReview(current.state)
        yield current


def content_of(upload: Upload) -> bytes:
    """Return the bytes of an upload's file. Raises FileGone if the file is deleted, or FilesUnavailable."""
    data = stored_files.read(StoredFile.objects.filter(pk=upload.file_id).first())
    if data is None:
        raise FileGone(upload.pk)
    return data


@transaction.atomic
def _store_parsed(upload: AnyUpload, parsed: Parsed) -> AnyUpload:
    """Store what was read from the file, unless a concurrent reading has already stored its result."""
    kind = KINDS[type(upload)]
    current = type(upload).objects.select_for_update().get(pk=upload.pk)
    if may_read_again(current):
        current.file_format = parsed.format_name[:FORMAT_LENGTH]
        current.parsed = parsed.to_json()
        current.state = Upload.REFUSED if kind.is_refused(parsed) else Upload.REVIEW
        kind.complete(current)
        current.save()
        kind.refresh(current)
    return current


def delete_files(uploads: QuerySet[Any]) -> int:
    """Delete the files of these uploads, and keep the data read from them.

    Return the number of files deleted.
    """
    ids = list(uploads.filter(file__isnull=False).order_by("pk").values_list("pk", flat=True))
    deleted = 0
    for chunk in chunks(ids, BATCH):
        with transaction.atomic():
            # Select again, with a lock: a discarded upload may have become a draft again.
            locked_rows = uploads.select_for_update(of=("self",)).filter(pk__in=chunk)
            due = dict(locked_rows.values_list("pk", "file"))
            uploads.model.objects.filter(pk__in=due).update(file=None, file_deleted_at=timezone.now())
            files = Q(pk__in=due.values()) | Q(further_file__upload__in=due)
            deleted += stored_files.delete(StoredFile.objects.filter(files))
    return deleted
