"""Caches of results computed from the standings, keyed by the version of the standings.

Every change of standings, names or tournaments increases `StandingsState.version`. A value cached for a
version therefore never becomes invalid; old values are evicted only to limit the size. The caches are in the
memory of the process, because public pages must not depend on a cache server.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

_caches: list[Any] = []


def per_version(size: int = 128) -> Callable:
    """Decorator that caches the results of a function whose first argument is the version of the standings.

    size: the number of results kept
    """

    def decorate(function: Callable) -> Callable:
        cached = lru_cache(maxsize=size)(function)
        _caches.append(cached)
        return cached

    return decorate


@contextmanager
def collector_off() -> Iterator[None]:
    """Disable Python's garbage collector inside a `with` block.

    The collector would double the time that it takes to build a million objects.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def forget() -> None:
    """Clear all caches between tests, because every test's database starts with the same version."""
    for cached in _caches:
        cached.cache_clear()
