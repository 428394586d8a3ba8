"""What a process remembers of the standings, by their version.

Every change of the standings, of names or of tournaments raises `StandingsState.version`, so a value kept
under a version never needs to be thrown away, only forgotten when there are many. Kept in the process:
public pages must not depend on a cache server being there.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

_remembered: list[Any] = []


def per_version(size: int = 128) -> Callable:
    """Remember a function's results; its first argument is the version of the standings."""

    def decorate(function: Callable) -> Callable:
        cached = lru_cache(maxsize=size)(function)
        _remembered.append(cached)
        return cached

    return decorate


@contextmanager
def collector_off() -> Iterator[None]:
    """Walking a million rows that stay, again and again, doubles the time: let the garbage lie meanwhile."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def forget() -> None:
    """Empty the memory: for tests, whose databases start from the same version again."""
    for cached in _remembered:
        cached.cache_clear()
