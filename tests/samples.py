"""Real result files from the folder in BAZA_SAMPLES. None is part of the project.

They name living people, so they are kept outside the repository. Their tests are collected only if the folder
is set, and the summary of a run states how many files were tried.
"""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

VARIABLE = "BAZA_SAMPLES"
PROPERTY = "sample"
TESTS = ["tournaments/formats/test_samples.py", "scoring/uploads/test_sample_boards.py"]
LARGEST = 6_000_000  # bytes; larger files are registers of players, which are not results


def folder() -> Path | None:
    """Return the folder of samples, None if none is set.

    Raises NotADirectoryError if it does not exist.
    """
    if not os.environ.get(VARIABLE):
        return None
    path = Path(os.environ[VARIABLE]).resolve()
    if not path.is_dir():
        raise NotADirectoryError(f"{VARIABLE} names {path}, which is no folder")
    return path


def names(*patterns: str) -> list[str]:
    """Return the sorted paths of the sample files that match one of the patterns.

    The paths are relative to the folder of samples.

    patterns: glob patterns
    """
    root = folder()
    assert root is not None, f"{VARIABLE} is not set"
    paths = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    return sorted(path.relative_to(root).as_posix() for path in paths if path.stat().st_size < LARGEST)


def parametrize(*patterns: str):
    """Return a decorator that runs a test for each sample file that matches one of the patterns.

    If no file matches, the test is removed instead of skipped: skipped tests make the run fail.
    """
    result = names(*patterns)
    return pytest.mark.parametrize("name", result) if result else lambda test: None


def summary(properties: Iterable[tuple[str, object]]) -> str:
    """Return the line at the end of a test run that says how many sample files were tried.

    properties: (name, value) of everything that the tests recorded
    """
    if folder() is None:
        return f"real result files: none tried, because {VARIABLE} names no folder"
    tried = {value for name, value in properties if name == PROPERTY}
    return f"real result files: {len(tried)} tried, from {folder()}"
