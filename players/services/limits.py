"""Limits on attempts, such as to enter a password.

The counts are in the database, so that they hold if the cache is lost.

Some attempts are free; after those, each attempt doubles the wait before the next, up to a maximum. Attempts
made too early are refused and not counted, so that nobody can keep another person waiting by retrying.
Every hour without attempts halves the count.

An attempt increments one or more counters, which have names. It is counted before its outcome is known, so
that simultaneous attempts all count; if it succeeds, the counters are decremented again:

    names = limits.take({"address ...": PER_ADDRESS, "account ...": PER_ACCOUNT})  # raises TooSoon
    if succeeded:
        limits.give_back(names)
"""

import ipaddress
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from players.models import Tally

FORGOTTEN = timedelta(days=2)  # after this time without attempts every count has been halved to nothing


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on attempts: some `free` ones, then waits that double from `first` up to `longest`."""

    free: int
    first: timedelta
    longest: timedelta

    def wait(self, count: int) -> timedelta:
        """Return how long to wait after `count` attempts."""
        beyond = count - self.free
        return min(self.first * 2 ** min(beyond, 20), self.longest) if beyond >= 0 else timedelta()


class TooSoon(Exception):
    """Raised if an attempt is made too early; `wait` is the time left."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(f"wait {wait}")
        self.wait = wait

    @property
    def minutes(self) -> int:
        """The time left in minutes, rounded up."""
        return math.ceil(self.wait.total_seconds() / 60)


@transaction.atomic
def take(limits: Mapping[str, Limit]) -> list[str]:
    """Increment counters for one attempt, and return their names.

    limits: counter name -> limit

    Raises TooSoon, and counts nothing, if any of these limits requires a wait.
    """
    now = timezone.now()
    digests = {_digest(name): limit for name, limit in limits.items()}
    Tally.objects.bulk_create([Tally(key=key, last_at=now) for key in sorted(digests)], ignore_conflicts=True)
    # Always lock in the same order, to prevent deadlocks.
    tallies = list(Tally.objects.select_for_update().filter(key__in=digests).order_by("key"))
    for tally in tallies:
        tally.count = _faded(tally, now)
    left = max(digests[tally.key].wait(tally.count) - _since(tally, now) for tally in tallies)
    if left > timedelta():
        raise TooSoon(left)
    for tally in tallies:
        tally.count, tally.last_at = tally.count + 1, now
    Tally.objects.bulk_update(tallies, ["count", "last_at"])
    return list(limits)


def _faded(tally: Tally, now: datetime) -> int:
    """Return the count, halved for each full hour since the last attempt."""
    return tally.count >> min(_since(tally, now) // timedelta(hours=1), 64)


def _since(tally: Tally, now: datetime) -> timedelta:
    """Return the time since the last attempt; zero if the last attempt seems to be in the future.

    This can happen if the clocks of two servers differ, or if a clock was set back.
    """
    return max(timedelta(), now - tally.last_at)


def give_back(names: Iterable[str]) -> None:
    """Decrement the counters with these names, which `take` incremented for an attempt."""
    Tally.objects.filter(key__in=map(_digest, names), count__gt=0).update(count=F("count") - 1)


def left(name: str, limit: Limit) -> int:
    """Return how many free attempts the counter with this name has left."""
    tally = Tally.objects.filter(key=_digest(name)).first()
    return max(limit.free - _faded(tally, timezone.now()), 0) if tally else limit.free


def forget(names: Iterable[str]) -> None:
    """Reset the counters with these names to zero."""
    Tally.objects.filter(key__in=map(_digest, names)).delete()


def prune() -> int:
    """Delete the counters without recent attempts, and return how many were deleted."""
    return Tally.objects.filter(last_at__lt=timezone.now() - FORGOTTEN).delete()[0]


def network_of(address: str) -> str:
    """Return the network by which attempts are counted.

    It is the address itself for IPv4, and for IPv6 the /64 network, which belongs to one subscriber. A text
    that is no IP address is returned unchanged.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def _digest(name: str) -> str:
    return salted_hmac("players.limits", name, algorithm="sha256").hexdigest()
