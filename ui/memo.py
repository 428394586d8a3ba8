"""Caches of results computed from the standings, keyed by the version of the standings.

Every change of standings, names or tournaments increases `StandingsState.version`. A value cached for a
version therefore never becomes invalid; old values are evicted only to limit the size. The caches are in the
memory of the process, because public pages must not depend on a cache server.
"""

import gc
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple

from django.utils import timezone

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


class VersionedResult(NamedTuple):
    """A result, the version of the standings that it belongs to, and when its computation began."""

    value: Any
    version: int
    at: datetime


@dataclass(slots=True)
class _Slot:
    """The place in the cache for one combination of arguments.

    result: the last result; None before the first
    lock: held by the thread that computes the next result
    """

    result: VersionedResult | None = None
    lock: Any = field(default_factory=Lock)


class Latest:
    """A cache that keeps a function's last result for each combination of arguments.

    When the version of the standings has changed, the next call recomputes the result; other callers wait.
    """

    def __init__(self, function: Callable, size: int) -> None:
        self._function, self._size = function, size
        self._slots: OrderedDict[tuple, _Slot] = OrderedDict()
        self._guard = Lock()

    def __call__(self, version: int, *args: Any) -> VersionedResult:
        """Return the function's result for these arguments, from the cache or computed now.

        version: the current version of the standings
        """
        slot = self._slot(args)
        last = slot.result
        if last and last.version >= version:
            return last
        with slot.lock:
            if slot.result is None or slot.result.version < version:
                began = timezone.now()
                slot.result = VersionedResult(self._function(*args), version, began)
            return slot.result

    def _slot(self, args: tuple) -> _Slot:
        with self._guard:
            slot = self._slots.setdefault(args, _Slot())
            self._slots.move_to_end(args)
            if len(self._slots) > self._size:
                self._slots.popitem(last=False)
            return slot

    def cache_clear(self) -> None:
        """Remove all cached results."""
        with self._guard:
            self._slots.clear()


def latest(size: int) -> Callable[[Callable], Latest]:
    """Return a decorator that caches a function's last result for each combination of arguments.

    The decorated function has an additional first argument, the version of the standings, and returns a
    `VersionedResult`.

    size: for how many combinations of arguments the cache keeps a result
    """

    def decorate(function: Callable) -> Latest:
        cache = Latest(function, size)
        _caches.append(cache)
        return cache

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
