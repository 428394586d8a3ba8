"""A folder for uploaded files, which all hosts share."""

import os
import shutil
from pathlib import Path

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage


class DurableFolder(FileSystemStorage):
    """A folder in which a saved file survives a power cut, and no file is ever there in part.

    The folder itself must exist. If the share is not mounted, a subfolder of it is missing, and nothing is
    written to the local disk in its place.
    """

    errors = (OSError,)

    def _open(self, name: str, mode: str = "rb") -> File:
        self._require_folder()
        return super()._open(name, mode)

    def delete(self, name: str) -> None:
        self._require_folder()
        _partial(Path(self.path(name))).unlink(missing_ok=True)  # of a process that was killed while it saved
        super().delete(name)

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        self._require_folder()
        return super().listdir(path)

    def free_bytes(self) -> int:
        """Return the room that is left on the disk of the folder. Raises OSError if the folder is missing."""
        self._require_folder()
        return shutil.disk_usage(self.location).free

    def _require_folder(self) -> None:
        if not Path(self.location).is_dir():
            raise NotADirectoryError(f"the folder of uploaded files is missing: {self.location}")

    def _save(self, name: str, content: File) -> str:
        path = Path(self.path(name))
        partial = _partial(path)
        is_new_folder = not path.parent.is_dir()
        if is_new_folder:
            self._require_folder()
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            partial.rename(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
        if is_new_folder:
            _sync_folder(path.parent.parent)
        return name


def _partial(path: Path) -> Path:
    """Return the path to which a file is written before it gets its own name."""
    return path.with_name(f".{path.name}")


def _sync_folder(folder: Path) -> None:
    """Write the names in a folder to disk, without which a power cut could lose a synchronised file."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
