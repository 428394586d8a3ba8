"""Caches of results computed from the standings, keyed by the version of the standings.

Every change of standings, names or tournaments increases `StandingsState.version`. A value cached for a
version therefore never becomes invalid; old values are evicted only to limit the size. The caches are in the
memory of the process, because public pages must not depend on a cache server.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
from threading import RLock
from typing import Any

LOCKS = 64  # of each cached function: so many different results can be computed at the same time
_caches: list[Any] = []


def per_version(size: int = 128) -> Callable:
    """Decorator that caches the results of a function whose first argument is the version of the standings.

    If several threads want a result that is not cached, one computes it and the others wait: after a posting,
    all readers want the same ones.

    size: the number of results kept
    """

    def decorate(function: Callable) -> Callable:
        cached = lru_cache(maxsize=size)(function)
        _caches.append(cached)
        # Reentrant, because a function may ask itself for another result.
        locks = [RLock() for _number in range(LOCKS)]

        @wraps(function)
        def computed_once(*args: Any, **kwargs: Any) -> Any:
            with locks[hash((args, *kwargs.items())) % LOCKS]:
                return cached(*args, **kwargs)

        return computed_once

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
