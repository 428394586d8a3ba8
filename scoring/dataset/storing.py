"""Keep the files of dumps: in the storage of uploaded files (BAZA_FILES) or, without one, a local folder."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage, storages

from tournaments.services import stored_files
from tournaments.storages.folder import DurableFolder

FOLDER = "datasets"  # no folder of uploaded files has such a name: theirs are days


def key_of(dump_id: int) -> str:
    """Return the name of a dump's file in the storage."""
    return f"{FOLDER}/{dump_id}.zip"


def storage() -> Storage:
    """Return the storage of the files; its attribute `errors` has the errors that it raises."""
    if stored_files.is_kept_apart():
        return storages[stored_files.ALIAS]
    return DurableFolder(location=settings.VAR_DIR)


def save(path: Path, key: str) -> None:
    """Copy a file into the storage, in place of one that an interrupted attempt left there."""
    place: Any = storage()
    place.delete(key)
    with path.open("rb") as file:
        place.save(key, File(file))


def opened(key: str) -> File | None:
    """Open a file of the storage; None if it is missing. Raise FilesUnavailable."""
    place: Any = storage()
    try:
        return place.open(key)
    except FileNotFoundError:
        return None
    except place.errors as error:
        raise stored_files.FilesUnavailable(f"{type(error).__name__}: {error}") from error


def delete(keys: Iterable[str]) -> None:
    """Delete files from the storage. Raise FilesUnavailable."""
    place: Any = storage()
    try:
        for key in keys:
            place.delete(key)
    except place.errors as error:
        raise stored_files.FilesUnavailable(f"{type(error).__name__}: {error}") from error
