"""Write the log as static files (C2SP tlog-tiles), for a folder of a web server or a copy to keep."""

import os
from collections.abc import Callable
from pathlib import Path

from scoring.transparency import keys, queries
from scoring.transparency.tree import tile_path, tiles


class NoCheckpoint(Exception):
    """The log cannot be published, because it has no signed checkpoint."""


def publish(folder: Path) -> int:
    """Write the files of the latest checkpoint that the folder does not have. Return how many were written.

    The checkpoint comes last, so that the folder is complete for the one that it has. Raise NoCheckpoint or
    OSError.
    """
    checkpoint = queries.latest_checkpoint()
    if checkpoint is None:
        raise NoCheckpoint("there is no signed checkpoint: set BAZA_LOG_KEY (manage.py log key)")
    written = 0
    for level, number, width in tiles(checkpoint.size):
        written += _write(
            folder / "tile" / str(level) / tile_path(number, width), queries.tile, level, number, width
        )
        if not level:
            path = folder / "tile" / "entries" / tile_path(number, width)
            written += _write(path, queries.bundle, number, width)
    _replace(folder / "keys", "".join(f"{key}\n" for key in keys.verifiers()).encode())
    _replace(folder / "checkpoint", queries.published_note(checkpoint).encode())
    return written + 2


def _write(path: Path, content: Callable[..., bytes | None], *arguments: int) -> bool:
    """Write a file that never changes, unless it is there. Return whether it was written."""
    if path.exists():
        return False
    _replace(path, content(*arguments) or b"")
    return True


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole: readers see the former content or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.new")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
