"""Measure every page that can be opened without writing, in the database of a large federation.

    DATABASE_URL=postgresql://... python -m benchmarks.tier_pages [name ...]

`generate.py` fills the database. The pages are those of the access matrix (`tests/access/matrix.py`), so that
no new page is forgotten: public pages as nobody, all others as the office or as a player. Lists are also
opened on their last page, standings on a past day, and the search with several texts.

All requests are made in this process, through all middleware, without a network. For each page:
* cold: the first time after all cached figures were forgotten, with a new connection;
* after a posting: the version of the standings has been raised, so that figures cached for it are of no use;
* warm: the median of several further requests;
* its queries: the same statements with the same parameters, executed by the database's own cursor and
  fetched, in turns with the warm requests. The ratio of the page to them shows what Django, Python and the
  template add.

Rows are those that PostgreSQL read from tables and indexes for one warm request.
"""

import logging
import os
import statistics
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from ui.parameters import PAGE, SORT

from .timing import line, seconds

ROUNDS = 5
WARM, COLD, PAST, SEARCH = 0.25, 1.0, 0.3, 0.05  # limits in seconds; office pages have twice as much
MOST_ROWS = 20_000  # rows that a page of fifty may read
# Pages that are not read by people, end the session, or are measured elsewhere.
SKIPPED = {"account_logout", "office_import_columns", "health", "ready"}
LAST = {PAGE: "99999"}
# Further addresses of pages of the matrix: (name, what is asked, query).
VARIANTS: list[tuple[str, str, dict[str, str]]] = [
    ("standing", "last page", LAST),
    ("standing", "past day", {"a": "{past}"}),
    ("standing", "past day, last page", {"a": "{past}", **LAST}),
    ("standing", "past day, as published", {"a": "{past}", "segun": "entonces"}),
    ("standing", "by points online", {SORT: "-points_online"}),
    ("standing", "in person", {"lugar": "presencial"}),
    ("tournaments", "last page", LAST),
    ("tournaments", "by text", {"q": "regional"}),
    ("players", "last page", LAST),
    ("players", "by text", {"q": "garc"}),
    ("player_results", "last page", LAST),
    ("clubs", "last page", LAST),
    ("club", "last page", LAST),
    ("corrections", "last page", LAST),
    ("persons", "last page", LAST),
    ("office_tournaments", "last page", LAST),
    ("search", "one word", {"q": "garcia"}),
    ("search", "two words", {"q": "mar lop"}),
    ("search", "nothing", {"q": "zzzyx"}),
    ("search", "a tournament", {"q": "regional"}),
]


@dataclass
class Address:
    """A page to measure. `place` is "public", "office" or "player": as which account it is opened."""

    name: str
    path: str
    place: str
    variant: str = ""
    query: dict[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.name}, {self.variant}" if self.variant else self.name


@dataclass
class Measured:
    """What was measured of one page. Times are seconds; `rows` is what PostgreSQL read for a warm request."""

    status: int
    cold: float
    posted: float
    warm: float
    bare: float
    queries: int
    rows: int
    size: int


# --- Addresses ----------------------------------------------------------------------------------------------
def sample() -> SimpleNamespace:
    """Return arguments of URLs, as `tests.access.world.build` does, from the generated federation."""
    from django.contrib.auth import get_user_model

    from players.models import Club
    from scoring.cases.models import Case
    from scoring.demo import accounts
    from scoring.ledger.models import LedgerEntry, Standing
    from scoring.promotions.models import PromotionRuleSet
    from scoring.ratings.models import RatedPlayer, RatingTournament
    from tournaments.models import Announcement, Tournament

    User = get_user_model()
    tournament = Tournament.objects.exclude(published__boards_scored="").latest("end_date", "pk")
    # Of a large category, so that lists are long.
    standing = Standing.objects.filter(family="aeb", category__code="2C", player__hidden=False)
    player = standing.select_related("player").order_by("-points").first().player
    entry = LedgerEntry.objects.filter(player=player, kind="award").latest("pk")
    club = Club.objects.get(roles__user__username=accounts.DIRECTOR)
    member = User.objects.get(username=accounts.PLAYER).player
    world = {
        "year": tournament.end_date.year,
        "tournament_id": tournament.pk,
        "tournament_slug": _slug(tournament),
        "board_id": tournament.published.boards.earliest("pk").pk,
        "player_slug": _slug(player),
        "player_number": player.number,
        "entry_id": entry.pk,
        "club_id": club.pk,
        "club_slug": club.slug,
        "club_code": club.code,
        "region_id": club.region_id,
        "region_slug": club.region.slug,
        "licence_id": player.licences.latest("pk").pk,
        "assignment_id": player.assignments.latest("pk").pk,
        "announcement_id": Announcement.objects.latest("pk").pk,
        "account_id": User.objects.get(username=accounts.OFFICE).pk,
        "rule_set_id": PromotionRuleSet.objects.latest("valid_from").pk,
        "campaign_player_number": member.number,
    }
    if event := RatingTournament.objects.order_by("pk").last():
        world |= {"go_event_id": event.pk, "go_player_id": RatedPlayer.objects.earliest("pk").pk}
    if case := Case.objects.order_by("pk").last():
        world["case_id"] = case.pk
    return SimpleNamespace(**world)


def _slug(thing) -> str:
    return thing.get_absolute_url().rstrip("/").rsplit("/", 1)[1]


def addresses(past: str) -> tuple[list[Address], list[str]]:
    """Return the pages to measure, and the names of those for which the federation has no object.

    past: a past day
    """
    from django.urls import reverse

    from tests.access.matrix import IN, MATRIX

    world, pages, missing = sample(), [], []
    for name, page in MATRIX.items():
        answers = {"public": page.get["nobody"], "office": page.get["office"], "player": page.get["player"]}
        place = next((place for place, answer in answers.items() if answer == IN), None)
        if place is None or name in SKIPPED:
            continue
        try:
            path = reverse(name, args=page.args(world))
        except AttributeError:  # the federation has no such object
            missing.append(name)
            continue
        pages.append(Address(name, path, place, query=page.query))
        pages += [
            Address(
                name, path, place, variant, {key: value.format(past=past) for key, value in query.items()}
            )
            for of, variant, query in VARIANTS
            if of == name
        ]
    return pages, missing


# --- One page -----------------------------------------------------------------------------------------------
class Recorder:
    """Keeps the statements that Django executes, with their parameters."""

    def __init__(self) -> None:
        self.statements: list[tuple[str, Any]] = []

    def __call__(self, execute, sql, params, many, context):
        if not many:
            self.statements.append((sql, params))
        return execute(sql, params, many, context)


@contextmanager
def recording() -> Iterator[Recorder]:
    from django.db import connection

    recorder = Recorder()
    with connection.execute_wrapper(recorder):
        yield recorder


def run_bare(statements: Iterable[tuple[str, Any]]) -> None:
    """Execute the reading ones of these statements with the database's own cursor, and fetch their rows."""
    from django.db import connection, transaction

    connection.ensure_connection()
    with transaction.atomic(), connection.connection.cursor() as cursor:
        for sql, params in statements:
            if sql.lstrip(" (").upper().startswith(("SELECT", "WITH")):
                cursor.execute(sql, params or None)
                cursor.fetchall()
        transaction.set_rollback(True)


def rows_read() -> int:
    """Return how many rows PostgreSQL has read from tables and indexes of this database so far."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute(
            """SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)
                    + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)"""
        )
        return int(cursor.fetchone()[0])


class Meter:
    """Measures pages, with one client for each account."""

    def __init__(self) -> None:
        from django.contrib.auth import get_user_model
        from django.test import Client

        from scoring.demo import accounts

        User = get_user_model()
        self.clients = {"public": Client()}
        for place, username in (("office", accounts.OFFICE), ("player", accounts.PLAYER)):
            self.clients[place] = Client()
            self.clients[place].force_login(User.objects.get(username=username))

    def get(self, address: Address):
        """Return the response, read to its end."""
        response = self.clients[address.place].get(address.path, address.query)
        size = sum(map(len, response.streaming_content)) if response.streaming else len(response.content)
        response.size = size
        return response

    def measure(self, address: Address) -> Measured:
        """Measure one page."""
        from django.db import connection

        from ui import memo

        memo.forget()
        connection.close()
        cold = seconds(lambda: self.get(address))
        raise_version()
        posted = seconds(lambda: self.get(address))
        with recording() as recorder:
            response = self.get(address)
        before = rows_read()
        self.get(address)
        read = rows_read() - before
        warm, bare = [], []
        for _round in range(ROUNDS):
            warm.append(seconds(lambda: self.get(address)))
            bare.append(seconds(lambda: run_bare(recorder.statements)))
        return Measured(
            response.status_code,
            cold,
            posted,
            statistics.median(warm),
            statistics.median(bare),
            len(recorder.statements),
            read,
            response.size,
        )


def raise_version() -> None:
    """Raise the version of the standings, as a posting does."""
    from django.db.models import F

    from scoring.ledger.models import StandingsState

    StandingsState.objects.update(version=F("version") + 1)


# --- Output -------------------------------------------------------------------------------------------------
def limits(address: Address) -> tuple[float, float]:
    """Return the limits of a page in seconds, warm and cold."""
    if address.name == "search":
        return SEARCH, COLD
    if "past day" in address.variant:
        return PAST, COLD
    times = 1 if address.place == "public" else 2
    return times * WARM, times * COLD


def print_pages(measured: dict[str, tuple[Address, Measured]]) -> None:
    """Print a line for each page, the slowest first."""
    head = ("page", "as", "warm", "posted", "cold", "times", "queries", "rows", "kB")
    form = "  {:<38}{:<8}{:>7}{:>8}{:>8}{:>7}{:>9}{:>10}{:>7}  {}"
    print(form.format(*head, ""))
    for address, page in sorted(measured.values(), key=lambda pair: -pair[1].warm):
        warm, cold = limits(address)
        slow = [
            *(["warm"] if page.warm > warm else []),
            *(["after a posting"] if page.posted > cold else []),
            *(["cold"] if page.cold > cold else []),
            *(["rows"] if page.rows > MOST_ROWS else []),
            *([str(page.status)] if page.status not in (200, 302) else []),
        ]
        print(
            form.format(
                address.label[:37],
                address.place,
                *(f"{1e3 * value:.0f}" for value in (page.warm, page.posted, page.cold)),
                f"{page.warm / max(page.bare, 1e-4):.1f}",
                page.queries,
                f"{page.rows:,}",
                f"{page.size / 1e3:.0f}",
                f"NOT MET: {', '.join(slow)}" if slow else "",
            )
        )


def summarise(measured: dict[str, tuple[Address, Measured]]) -> None:
    """Print how many pages keep their limits."""
    pages = list(measured.values())
    for label, missed in {
        "pages slower than their limit, warm": [a for a, p in pages if p.warm > limits(a)[0]],
        "the same for the first reader after a posting": [a for a, p in pages if p.posted > limits(a)[1]],
        "the same cold": [a for a, p in pages if p.cold > limits(a)[1]],
        f"pages that read over {MOST_ROWS:,} rows warm": [a for a, p in pages if p.rows > MOST_ROWS],
        "pages with another status than 200 or 302": [a for a, p in pages if p.status not in (200, 302)],
    }.items():
        line(label, f"{len(missed)} of {len(pages)}", "none", not missed)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    os.environ.setdefault("BAZA_FAMILIES", "aeb,sbf-bronze,sbf-silver,acbl,go")
    import django

    django.setup()
    from django.conf import settings

    from scoring.ledger.models import LedgerEntry
    from scoring.ledger.services import standings

    settings.ALLOWED_HOSTS = ["testserver"]
    logging.disable(logging.ERROR)  # of slow statements, which are printed below as slow pages
    past = standings.today() - timedelta(days=100)
    pages, missing = addresses(past.isoformat())
    if chosen := set(sys.argv[1:]):
        pages = [address for address in pages if address.name in chosen]
    meter, measured = Meter(), {}
    load = os.getloadavg()[0]
    print(f"Pages with {LedgerEntry.objects.count():,} ledger entries, milliseconds, load {load:.1f}")
    for address in pages:  # loads templates, which is no part of a page
        meter.get(address)
    for address in pages:
        measured[address.label] = address, meter.measure(address)
    print_pages(measured)
    print(f"  not measured, because nothing of that kind was generated: {', '.join(missing)}")
    summarise(measured)


if __name__ == "__main__":
    main()
