"""What a process remembers of the standings, by their version.

Every change of the standings, of names or of tournaments raises `StandingsState.version`, so a value kept
under a version never needs to be thrown away, only forgotten when there are many. Kept in the process:
public pages must not depend on a cache server being there.
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

_remembered: list[Any] = []


def per_version(size: int = 128) -> Callable:
    """Remember a function's results; its first argument is the version of the standings."""

    def decorate(function: Callable) -> Callable:
        cached = lru_cache(maxsize=size)(function)
        _remembered.append(cached)
        return cached

    return decorate


class Kept(NamedTuple):
    """A result with the version that it was worked out under, and when that began."""

    value: Any
    version: int
    at: datetime


@dataclass(slots=True)
class _Slot:
    """The last result for some arguments; who holds the lock works out the next."""

    kept: Kept | None = None
    lock: Any = field(default_factory=Lock)


class Latest:
    """A function's last results, each worked out again by one thread once the version has changed.

    Whoever asks while that goes on gets the last result, unless it is older than they can use: they wait.
    """

    def __init__(self, function: Callable, size: int) -> None:
        self._function, self._size = function, size
        self._slots: OrderedDict[tuple, _Slot] = OrderedDict()
        self._guard = Lock()

    def __call__(self, version: int, *args: Any, oldest: int | None = None) -> Kept:
        """The result for these arguments. oldest: the first version that may be shown; None: this one."""
        slot = self._slot(args)
        kept = slot.kept
        if kept and kept.version >= version:
            return kept
        usable = kept is not None and oldest is not None and kept.version >= oldest
        if not slot.lock.acquire(blocking=not usable):
            return kept
        try:
            if slot.kept is None or slot.kept.version < version:
                began = timezone.now()
                slot.kept = Kept(self._function(*args), version, began)
            return slot.kept
        finally:
            slot.lock.release()

    def _slot(self, args: tuple) -> _Slot:
        with self._guard:
            slot = self._slots.setdefault(args, _Slot())
            self._slots.move_to_end(args)
            if len(self._slots) > self._size:
                self._slots.popitem(last=False)
            return slot

    def cache_clear(self) -> None:
        """Forget all results."""
        with self._guard:
            self._slots.clear()


def latest(size: int) -> Callable[[Callable], Latest]:
    """Keep a function's last result for each of its arguments, of which there are at most `size`.

    Called with the version of the standings before the function's own arguments, it gives a `Kept`.
    """

    def decorate(function: Callable) -> Latest:
        keeper = Latest(function, size)
        _remembered.append(keeper)
        return keeper

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
