"""Announced tournaments of the demo federation: the next weeks, and an evening whose result is missing."""

import uuid
from collections.abc import Iterator
from datetime import date, time, timedelta
from random import Random

from scoring import regulations
from scoring.ledger.evaluation import FAMILY
from tournaments.models import Announcement, Tournament

from .fixtures import CALENDAR, REGIONAL_EVERY, WEEKDAYS
from .people import Federation, Host

POOL_WEEKS = 6
WEEKS = 26  # how far ahead the regions and the federation announce
MOST_CLUBS = 40  # clubs that announce their pools
MISSING = 3  # days since the evening whose result is missing
PLAYED = 3  # pools of the first club that had been announced
EVENING = time(17, 30)
IN_PERSON = Tournament.Venue.IN_PERSON


def make(federation: Federation, until: date, office, director, rng: Random) -> int:
    """Announce the pools of the next weeks, and regional and national tournaments.

    Some pools of the first club are in the past; the result of one of them is missing. Return the number of
    announcements.

    until: the last day of the simulated tournaments
    director: the account that announces the first club's pools
    office: the account that announces everything else
    """
    rows = [
        *_pools(federation.hosts[:MOST_CLUBS], until, office, director),
        *_sundays(federation, until, office, rng),
        *_of_first_club(federation.hosts[0], until, director),
    ]
    return len(Announcement.objects.bulk_create(rows))


def _pools(hosts: list[Host], until: date, office, director) -> Iterator[Announcement]:
    for number, host in enumerate(hosts):
        latest = Tournament.objects.filter(club=host.pk, event_type="pool").order_by("-end_date").first()
        weekday = latest.end_date.weekday() if latest else number % 7
        first = until + timedelta(days=1 + (weekday - until.weekday() - 1) % 7)
        series, by = uuid.uuid4(), office if number else director
        for week in range(POOL_WEEKS):
            day = first + timedelta(weeks=week)
            name = f"Pool de los {WEEKDAYS[weekday]}"
            yield _announced(host, name, "pool", "pairs", day, 1, 24, by, series=series, starts_at=EVENING)


def _sundays(federation: Federation, until: date, office, rng: Random) -> Iterator[Announcement]:
    """Yield the regional and national tournaments that end on the Sundays of the next weeks."""
    first = until + timedelta(days=6 - until.weekday() or 7)
    for day in (first + timedelta(weeks=week) for week in range(WEEKS)):
        number = day.isocalendar().week
        for index, region in enumerate(federation.regions):
            if number % REGIONAL_EVERY == index % REGIONAL_EVERY:
                host = rng.choice([host for host in federation.hosts if host.region == index])
                name = f"Regional {region.name} {day.year}"
                yield _announced(host, name, "regional", "pairs", day, 2, 44, office)
        types = regulations.in_force(FAMILY, day).event_types
        for yearly in CALENDAR:
            if yearly.week == number and types.find(yearly.code):
                host, name = rng.choice(federation.hosts), f"{yearly.name} {day.year}"
                yield _announced(
                    host, name, yearly.code, yearly.format.value, day, yearly.days, yearly.boards, office
                )


def _of_first_club(host: Host, until: date, director) -> Iterator[Announcement]:
    """Yield a club's announcements of past pools: its last ones with a result, and one without a result."""
    pools = Tournament.objects.filter(club=host.pk, event_type="pool", end_date__lt=until)
    for pool in pools.order_by("-end_date", "-pk")[:PLAYED]:
        yield _announced(
            host, pool.name, "pool", pool.format, pool.end_date, 1, pool.boards, director, tournament=pool
        )
    day = until - timedelta(days=MISSING)
    yield _announced(host, "Pool benéfica", "pool", "pairs", day, 1, 24, director, starts_at=EVENING)


def _announced(
    host: Host, name: str, code: str, format: str, day: date, days: int, boards: int, by, **fields
) -> Announcement:
    """Return an announcement that is not saved yet. `day` is the tournament's last day."""
    return Announcement(
        club_id=host.pk,
        name=name,
        event_type=code,
        format=format,
        venue=IN_PERSON,
        start_date=day - timedelta(days=days - 1),
        end_date=day,
        boards=boards,
        announced_by=by,
        **fields,
    )
