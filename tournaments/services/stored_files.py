"""Keep, read and delete the bytes of uploaded files, in the database or in the storage of BAZA_FILES.

The bytes are durable before the transaction that stores their row commits, so no row is ever without them. If
the transaction fails after they were put into the storage, they are an orphan there. `together` removes the
orphans of a failed block at once; `sweep`, once a day, those of a killed process.

A name in the storage is the day and a random number. It says nothing about who uploaded what.
"""

import errno
import hashlib
import logging
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from functools import partial
from typing import Any, NamedTuple

from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import Q, QuerySet

from tournaments.models import StoredFile
from ui.chunks import chunks
from ui.clock import today

ALIAS = "uploads"  # in the setting STORAGES
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
HTTP_FULL = 507  # how services of S3's type say that they are full
YOUNG = timedelta(days=2)  # objects that are younger may belong to a transaction that has not ended
# More orphans than this, and than this part of all objects, are no orphans: more likely the storage belongs
# to another database.
MOST_ORPHANS, ORPHAN_PART = 100, 0.1
NAMES = 500  # names looked up in one query
logger = logging.getLogger(__name__)
_thread = threading.local()


class FilesUnavailable(Exception):
    """The storage of uploaded files does not answer, or refuses the request. A retry may succeed."""

    transient = True


class StorageLost(FilesUnavailable):
    """Files are in a storage that the settings no longer name."""

    quotable = True  # its message may be logged, because it names nobody (`federation.watching.logs.summary`)

    def __init__(self) -> None:
        super().__init__("BAZA_FILES is not set, but files are kept in a storage")


class FilesFull(FilesUnavailable):
    """The storage of uploaded files has no room left."""


class Damaged(Exception):
    """The bytes of a file are not those that were uploaded."""


# --- Keep and read --------------------------------------------------------------------------------------
def keep(data: bytes) -> StoredFile:
    """Store the bytes of an uploaded file. Call it inside `together`.

    Raises FilesUnavailable or FilesFull.
    """
    return StoredFile.objects.create(**_columns(data, is_kept_apart()))


def keep_all(contents: Iterable[bytes]) -> list[StoredFile]:
    """Store the bytes of several files, as `keep` does."""
    apart = is_kept_apart()
    return StoredFile.objects.bulk_create([StoredFile(**_columns(data, apart)) for data in contents])


def bytes_of(content: bytes | None, key: str | None) -> bytes | None:
    """Return the bytes of a file from the columns of its row; None if there are none.

    Raises FilesUnavailable.
    """
    if not key:
        return None if content is None else bytes(content)
    try:
        with _storage_errors() as storage, storage.open(key) as file:
            return file.read()
    except FileNotFoundError:
        logger.error("the storage has lost the uploaded file %s", key)
        return None


def read(file: StoredFile | None) -> bytes | None:
    """Return the bytes of a file; None if there is no file or its bytes are lost. Raises FilesUnavailable."""
    return bytes_of(file.content, file.key) if file else None


def is_kept_apart() -> bool:
    """Return whether new files go to a storage, not into the database."""
    return ALIAS in storages.backends


def is_storage_lost() -> bool:
    """Return whether files are in a storage that BAZA_FILES no longer names. One query on an index."""
    return not is_kept_apart() and StoredFile.objects.exclude(key="").exists()


def free_bytes() -> int | None:
    """Return the room left in the folder of uploaded files; None if they are in the database or a bucket.

    Raises FilesUnavailable if the folder is missing.
    """
    if not is_kept_apart() or not hasattr(storages[ALIAS], "free_bytes"):
        return None
    with _storage_errors() as storage:
        return storage.free_bytes()


@contextmanager
def together() -> Iterator[None]:
    """Run a transaction. If its block fails, remove from the storage what `keep` put there inside it.

    If the commit itself fails, nothing is removed, because the database may have committed nevertheless.
    """
    outer, _thread.put = getattr(_thread, "put", None), []
    put = _thread.put
    try:
        with transaction.atomic():
            try:
                yield
            except BaseException:
                _remove(put)
                put.clear()
                raise
    finally:
        _thread.put = outer
        if outer is not None:
            outer.extend(put)


def _columns(data: bytes, apart: bool) -> dict[str, Any]:
    return {"key": _put(data)} if apart else {"content": data}


def _put(data: bytes) -> str:
    key = f"{today():%Y-%m-%d}/{uuid.uuid4().hex}"
    with _storage_errors() as storage:
        storage.save(key, ContentFile(data))
    put = getattr(_thread, "put", None)
    if put is not None:
        put.append(key)
    return key


@contextmanager
def _storage_errors() -> Iterator[Any]:
    """Yield the storage, and raise its errors as FilesFull and FilesUnavailable."""
    if not is_kept_apart():
        raise StorageLost
    storage = storages[ALIAS]
    try:
        yield storage
    except FileNotFoundError:
        raise
    except storage.errors as error:
        status = getattr(error, "response", {}).get("ResponseMetadata", {}).get("HTTPStatusCode")
        full = getattr(error, "errno", None) in FULL or status == HTTP_FULL
        raise (FilesFull if full else FilesUnavailable)(f"{type(error).__name__}: {error}") from error


# --- Delete ---------------------------------------------------------------------------------------------
def delete(files: QuerySet[StoredFile]) -> int:
    """Delete files: their rows now, their bytes in the storage after the commit. Return how many.

    Bytes that the storage does not delete then are left to `sweep`.
    """
    keys = dict(files.values_list("pk", "key"))
    _rows, counts = StoredFile.objects.filter(pk__in=keys).defer("content").delete()
    if kept_apart := [key for key in keys.values() if key]:
        transaction.on_commit(partial(_remove, kept_apart), robust=True)
    return counts.get(StoredFile._meta.label, 0)


def _remove(keys: Iterable[str]) -> int:
    """Delete objects. Return how many were deleted; log the others, which `sweep` finds again."""
    removed = 0
    for key in keys:
        try:
            with _storage_errors() as storage:
                storage.delete(key)
        except (FilesUnavailable, FileNotFoundError) as error:
            logger.warning("the uploaded file %s could not be deleted from the storage: %s", key, error)
        else:
            removed += 1
    return removed


class Listing(NamedTuple):
    """What is in the storage: the number of objects, and the names of those without a row."""

    objects: int
    orphans: list[str]


def listing(day: date | None) -> Listing:
    """List the objects that are at least `YOUNG` on a day, or all if it is None. Raises FilesUnavailable."""
    number, orphans = 0, []
    with _storage_errors() as storage:
        for folder in sorted(storage.listdir("")[0]):
            if not is_old(folder, day):
                continue
            names = [f"{folder}/{name}" for name in storage.listdir(folder)[1]]
            number += len(names)
            for some in chunks(names, NAMES):
                known = set(StoredFile.objects.filter(key__in=some).values_list("key", flat=True))
                orphans += [name for name in some if name not in known]
    return Listing(number, orphans)


def is_old(name: str, day: date | None) -> bool:
    """Return whether an object, or a folder of them, is at least `YOUNG` on a day. False for names not ours.

    day: None for objects of any age
    """
    try:
        made = date.fromisoformat(name.partition("/")[0])
    except ValueError:
        return False
    return day is None or made <= day - YOUNG


def sweep(day: date) -> None:
    """Delete the objects in the storage that belong to no row. A daily chore; safe to repeat."""
    if not is_kept_apart():
        return
    try:
        listed = listing(day)
        if len(listed.orphans) > max(MOST_ORPHANS, ORPHAN_PART * listed.objects):
            logger.error(
                "%s of %s uploaded files in the storage belong to no row. Nothing was deleted: look whether "
                "the storage belongs to this database, then run `manage.py stored_files sweep`.",
                len(listed.orphans),
                listed.objects,
            )
            return
        delete_orphans(listed)
    except FilesUnavailable as error:
        logger.error("the storage of uploaded files could not be searched for orphans: %s", error)


def delete_orphans(listed: Listing) -> int:
    """Delete the orphans of a listing. Return how many."""
    removed = _remove(listed.orphans)
    if removed:
        logger.warning("deleted %s uploaded files that belonged to no row", removed)
    return removed


# --- Move -----------------------------------------------------------------------------------------------


def move(to_storage: bool, note: Callable[[StoredFile, Damaged | None], None]) -> None:
    """Move the bytes of all files into the storage, or back into the database. Safe to interrupt and repeat.

    Raises FilesUnavailable or FilesFull.

    note: called for each file, with the error if it was left where it is
    """
    last, elsewhere = 0, Q(key="") if to_storage else ~Q(key="")
    while file := StoredFile.objects.filter(elsewhere, pk__gt=last).defer("content").order_by("pk").first():
        last = file.pk
        try:
            _move_one(file.pk, elsewhere, to_storage)
        except Damaged as error:
            note(file, error)
        else:
            note(file, None)


def _move_one(pk: int, elsewhere: Q, to_storage: bool) -> None:
    with together():
        file = StoredFile.objects.select_for_update().filter(elsewhere, pk=pk).first()
        if file is None:
            return  # deleted by the retention rule at this moment
        data, old_key = read(file), file.key
        _check(file, data)
        if to_storage:
            file.key, file.content = _put(data), None
            if bytes_of(None, file.key) != data:
                raise Damaged("the storage returned other bytes than it was sent")
        else:
            file.key, file.content = "", data
        file.save(update_fields=["key", "content"])
        if old_key:
            transaction.on_commit(partial(_remove, [old_key]), robust=True)


def _check(file: StoredFile, data: bytes | None) -> None:
    """Compare the bytes with the digests of the uploads to which the file belongs. Raises Damaged."""
    if data is None:
        raise Damaged("its bytes are lost")
    digest = hashlib.sha256(data).hexdigest()
    for relation in StoredFile._meta.related_objects:
        owners = relation.related_model._default_manager.filter(file=file)
        if owners.exclude(sha256=digest).exists():
            raise Damaged("its bytes do not have the digest that the upload states")
