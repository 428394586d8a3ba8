"""Limits on attempts that live in the database, so that they hold whatever becomes of the cache.

Some attempts are free; after that each makes the next one wait, twice as long up to a longest wait. Who comes
too early is refused, and that counts for nothing: nobody can keep somebody else waiting by trying again.
Every quiet hour halves what was counted.

An attempt is counted before its outcome is known, so that a hundred at once are a hundred, and given back
when it succeeds:

    taken = limits.take({"address ...": PER_ADDRESS, "account ...": PER_ACCOUNT})  # raises TooSoon
    if succeeded:
        limits.give_back(taken)
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from players.models import Tally

FORGOTTEN = timedelta(days=2)  # by then every count has been halved away


@dataclass(frozen=True, slots=True)
class Limit:
    """`free` attempts, then waits from `first` to `longest`."""

    free: int
    first: timedelta
    longest: timedelta

    def wait(self, count: int) -> timedelta:
        """How long to wait after that many attempts."""
        beyond = count - self.free
        return min(self.first * 2 ** min(beyond, 20), self.longest) if beyond >= 0 else timedelta()


class TooSoon(Exception):
    """An attempt before its time; `wait` is how long to wait."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(f"wait {wait}")
        self.wait = wait


@transaction.atomic
def take(limits: Mapping[str, Limit]) -> list[str]:
    """Count an attempt against every name, or against none and raise TooSoon. Returns the names."""
    now = timezone.now()
    digests = {_digest(name): limit for name, limit in limits.items()}
    Tally.objects.bulk_create([Tally(key=key, last_at=now) for key in sorted(digests)], ignore_conflicts=True)
    # In one order, so that nobody waits in a circle.
    tallies = list(Tally.objects.select_for_update().filter(key__in=digests).order_by("key"))
    for tally in tallies:
        tally.count = _faded(tally, now)
    left = max(tally.last_at + digests[tally.key].wait(tally.count) - now for tally in tallies)
    if left > timedelta():
        raise TooSoon(left)
    for tally in tallies:
        tally.count, tally.last_at = tally.count + 1, now
    Tally.objects.bulk_update(tallies, ["count", "last_at"])
    return list(limits)


def _faded(tally: Tally, now: datetime) -> int:
    """What is left of a count; nothing is added for a clock that was set back."""
    hours = max(0, (now - tally.last_at) // timedelta(hours=1))
    return tally.count >> min(hours, 64)


def give_back(names: Iterable[str]) -> None:
    """Take an attempt back that `take` counted."""
    Tally.objects.filter(key__in=map(_digest, names), count__gt=0).update(count=F("count") - 1)


def forget(names: Iterable[str]) -> None:
    """Begin to count from nothing."""
    Tally.objects.filter(key__in=map(_digest, names)).delete()


def prune() -> int:
    """Remove what was counted long ago; how many tallies."""
    return Tally.objects.filter(last_at__lt=timezone.now() - FORGOTTEN).delete()[0]


def _digest(name: str) -> str:
    return salted_hmac("players.limits", name, algorithm="sha256").hexdigest()
