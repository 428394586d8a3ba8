"""Real result files, from the folder that BAZA_SAMPLES names; none are part of the project.

They name living people, so they stay outside. Tests of them are collected only where the folder is named, and
the run says how many files were tried.
"""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

VARIABLE = "BAZA_SAMPLES"
PROPERTY = "sample"
TESTS = ["tournaments/formats/test_samples.py", "scoring/uploads/test_sample_boards.py"]
LARGEST = 6_000_000  # bytes; registers of players, which are no results, are larger


def folder() -> Path | None:
    """The folder of samples, None where none is named.

    Raises NotADirectoryError for one that is not there.
    """
    if not os.environ.get(VARIABLE):
        return None
    path = Path(os.environ[VARIABLE]).resolve()
    if not path.is_dir():
        raise NotADirectoryError(f"{VARIABLE} names {path}, which is no folder")
    return path


def names(*patterns: str) -> list[str]:
    """The files that fit one of the patterns, relative to the folder; those of all patterns are sorted."""
    root = folder()
    assert root is not None, f"{VARIABLE} is not set"
    paths = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    return sorted(path.relative_to(root).as_posix() for path in paths if path.stat().st_size < LARGEST)


def parametrize(*patterns: str):
    """Run a test for each file that fits; without any the test is not there, for none may be skipped."""
    result = names(*patterns)
    return pytest.mark.parametrize("name", result) if result else lambda test: None


def summary(properties: Iterable[tuple[str, object]]) -> str:
    """What the end of a run says of the files that its tests recorded as tried."""
    if folder() is None:
        return f"real result files: none tried, because {VARIABLE} names no folder"
    tried = {value for name, value in properties if name == PROPERTY}
    return f"real result files: {len(tried)} tried, from {folder()}"
