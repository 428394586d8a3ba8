"""Fill a migrated, empty PostgreSQL database with a federation of true size, by COPY from parallel processes.

    DATABASE_URL=postgresql://... python -m benchmarks.generate --tier aeb|ffb|acbl [--scale 0.02] [--jobs 2]

`tiers.py` has the sizes. Players, calendar and play are those of the demo, and points are those that the
engine computes from the stored inputs. So `manage.py verify` finds no difference once the transparency log is
up to date, except in years that are stored without inputs.

Each step, and each slice of a large step, is one transaction, which also stores a row in the table
`bench_slice`. A run that was killed goes on from there if it is started again with the same arguments. Random
numbers depend on the seed and the slice alone, so that every run makes the same federation.
"""

import argparse
import gc
import logging
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from random import Random

from .timing import parent_of, peak, server_seconds

SEED, BATCH = 1, 5_000
FIRST_PLAYER = 1  # id of the first player
MARKERS = (
    "CREATE TABLE IF NOT EXISTS bench_index (name text PRIMARY KEY, definition text NOT NULL)",
    """CREATE TABLE IF NOT EXISTS bench_slice (step text, number int, tournaments int, awards int,
       PRIMARY KEY (step, number))""",
)
# Foreign keys are correct by construction, and triggers guard against other writers.
TRUST = "SET LOCAL session_replication_role = replica"


class Generator:
    """Fills one database.

    until: the last day of play
    jobs: the number of processes that simulate and store; 0 for none beside this one
    report: function to call with a line about the progress
    """

    def __init__(self, tier, until: date, jobs: int, report: Callable[[str], None]) -> None:
        self.tier, self.until, self.jobs, self.report = tier, until, jobs, report
        self.since = tier.since(until)
        self.size = tier.size.with_changes(since=self.since)

    def run(self) -> None:
        """Do all steps that are not done yet."""
        from django.db import connection

        from players.models import Player

        with connection.cursor() as cursor:
            for statement in MARKERS:
                cursor.execute(statement)
        if Player.objects.exists() and not self.done("base"):
            sys.exit("The database has players that this program did not make: take an empty one.")
        self.step("base", self.make_base)
        federation = self.make_people()
        self.step("indexes", self.drop_indexes)
        self.play(federation)
        self.step("made indexes", self.make_indexes, atomic=False)
        self.step("extras", lambda: self.make_extras(federation))
        self.step("kept days emptied", self.empty_kept_days)
        self.step("kept days", self.fill_kept_days, atomic=False)
        self.step("analysed", self.analyse, atomic=False)

    # --- Steps and slices ---------------------------------------------------------------------------------
    def done(self, step: str) -> set[int]:
        """Return the numbers of the slices of a step that are stored."""
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute("SELECT number FROM bench_slice WHERE step = %s", [step])
            return {number for (number,) in cursor.fetchall()}

    def step(self, name: str, action: Callable[[], None], *, atomic: bool = True) -> None:
        """Do a step of one transaction unless it is done.

        atomic: False for steps with several transactions, each of which may be repeated
        """
        from django.db import transaction

        if self.done(name):
            return
        started = time.monotonic()
        if atomic:
            with transaction.atomic():
                action()
                mark(name)
        else:
            action()
            mark(name)
        self.report(f"{name}: {time.monotonic() - started:.0f} s")

    def make_base(self) -> None:
        """Store the accounts, regions and clubs."""
        from scoring.demo import accounts, people

        users = accounts.make()
        regions = people.make_regions(self.size)
        hosts = people.make_hosts(self.size, regions, Random(SEED))
        accounts.give_roles(users, hosts[0].pk)

    def make_people(self):
        """Store the players that are not stored yet. Return the federation, reduced to what play needs."""
        from players.models import Category, Club, Region
        from scoring.demo import people

        from .tiers import shape_hosts

        regions = list(Region.objects.order_by("pk"))
        numbers = {region.pk: index for index, region in enumerate(regions)}
        hosts = [
            people.Host(club.pk, club.name, club.code, numbers[club.region_id], 1)
            for club in Club.objects.order_by("pk")
        ]
        shape_hosts(hosts, Random(SEED))
        ladder = {category.code: category for category in Category.objects.select_related("successor")}
        members = self.members(hosts, ladder)
        rng = Random(f"{SEED} couples")
        for host, persons in zip(hosts, members, strict=True):
            host.couples = people.pair_up(persons, rng)
        return people.Federation(regions, hosts, ladder)

    def members(self, hosts, ladder) -> list[list]:
        """Draw all players, a slice at a time, and store the slices that are not stored yet.

        Return the players of each club who play.
        """
        from django.db import connection, transaction

        from .people_rows import PeopleRows

        members: list[list] = [[] for _host in hosts]
        rows, done, weights = PeopleRows(ladder), self.done("people"), [host.weight for host in hosts]
        years: dict[frozenset[int], frozenset[int]] = {}  # one set for all players with the same licences
        for number, start in enumerate(range(0, self.size.players, BATCH)):
            stop = min(start + BATCH, self.size.players)
            rng = Random(f"{SEED} people {number}")
            homes = rng.choices(range(len(hosts)), weights, k=stop - start)
            for player, home in zip(range(start, stop), homes, strict=True):
                store = number not in done
                person, plays = rows.draw(player, hosts[home].pk, home, self.size, rng, self.until, store)
                person.licensed = years.setdefault(person.licensed, person.licensed)
                if plays:
                    members[home].append(person)
            if number not in done:
                with transaction.atomic(), connection.cursor() as cursor:
                    cursor.execute(TRUST)
                    rows.write(cursor)
                    mark("people", number)
                self.report(f"{stop:,} of {self.size.players:,} players")
        return members

    def drop_indexes(self) -> None:
        from django.db import connection

        from . import copying
        from .play_rows import LARGE

        with connection.cursor() as cursor:
            copying.drop_indexes(cursor, LARGE)

    def make_indexes(self) -> None:
        from . import copying

        copying.make_indexes(self.report)

    # --- Play ---------------------------------------------------------------------------------------------
    def slices(self) -> Iterator[tuple[int, date, date]]:
        """Yield (number, first day, last day) of each slice of days, from 1."""
        day, number = self.since, 1
        while day <= self.until:
            last = min(day + timedelta(days=self.tier.slice_days - 1), self.until)
            yield number, day, last
            day, number = last + timedelta(days=1), number + 1

    def play(self, federation) -> None:
        """Simulate and store the tournaments, in `jobs` processes."""
        from django.contrib.auth import get_user_model

        from scoring.demo import accounts

        from .tiers import Season

        done = self.done("play")
        left = [part for part in self.slices() if part[0] not in done]
        if not left:
            return
        season = Season(federation, self.size, Random(f"{SEED} season"), FIRST_PLAYER + self.size.players)
        office = get_user_model().objects.get(username=accounts.OFFICE).pk
        if not self.jobs:
            for part in left:
                self.play_slices(season, office, [part], os.getppid())
                self.report(f"slice {part[0]}")
            return
        self.in_processes("play", self.play_slices, season, office, parts=left, total=len(done) + len(left))

    def in_processes(self, step: str, work: Callable[..., None], *args, parts: list, total: int) -> None:
        """Do the parts of a step in `jobs` processes. Raises SystemExit if one of them fails.

        work: function of `args`, the parts to do one after the other, and the id of this process
        total: the number of slices of the step
        """
        from django.db import connection

        connection.close()  # every process needs its own
        gc.freeze()  # the processes share the federation's memory
        fork = multiprocessing.get_context("fork")
        workers = [
            fork.Process(target=work, args=[*args, parts[index :: self.jobs], os.getpid()])
            for index in range(self.jobs)
        ]
        for worker in workers:
            worker.start()
        self.follow(step, workers, total)
        if any(worker.exitcode for worker in workers):
            sys.exit("A process ended before its time: start again with the same arguments.")

    def play_slices(self, season, office: int, parts: list[tuple[int, date, date]], parent: int) -> None:
        """Simulate and store some slices of days. Stop early if the parent process has ended."""
        from django.db import connection, transaction

        from .play_rows import PlayRows

        for number, first, last in parts:
            if os.getppid() != parent:
                sys.exit(1)
            rng = season.rng = Random(f"{SEED} slice {number}")
            rows = PlayRows(season.federation, number, office, self.tier, self.until)
            for fixture in season.fixtures(first, last):
                rows.add(fixture, rng)
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(TRUST)
                cursor.execute("SET LOCAL synchronous_commit = off")
                rows.write(cursor)
                mark("play", number, rows.tournaments, rows.awards)
        self.report(f"a process took {peak():.0f} MB at most")

    def follow(self, step: str, workers: list, slices: int) -> None:
        """Report the progress until all worker processes have ended."""
        from django.db import connection

        started, before = time.monotonic(), None
        while any(worker.is_alive() for worker in workers):
            for worker in workers:
                worker.join(5 / len(workers))
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT count(*), sum(tournaments), sum(awards) FROM bench_slice WHERE step = %s", [step]
                )
                count, tournaments, awards = (int(value or 0) for value in cursor.fetchone())
            before = awards if before is None else before
            rate = (awards - before) / (time.monotonic() - started)
            self.report(
                f"{count} of {slices} slices, {tournaments:,} tournaments, {awards:,} awards, "
                f"{rate:,.0f} a second"
            )

    # --- The end ------------------------------------------------------------------------------------------
    def make_extras(self, federation) -> None:
        """Build the standings, and store through the product's own services what is rare."""
        from django.contrib.auth import get_user_model
        from django.db import connection

        from players.models import Player
        from scoring.demo import accounts, announced, boards, cases, go, other_systems
        from scoring.ledger.services import standings
        from scoring.ledger.systems import offers_go

        from .play_rows import LARGE

        with connection.cursor() as cursor:
            for model in [Player, *LARGE]:
                table = model._meta.db_table
                last = f"(SELECT coalesce(max(id), 1) FROM {table})"
                cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {last})")
                cursor.execute(f"ANALYZE {table}")
        standings.rebuild_at_once(self.until)
        users = {user.username: user for user in get_user_model().objects.filter(username__in=accounts.JOBS)}
        director, office, rng = users[accounts.DIRECTOR], users[accounts.OFFICE], Random(f"{SEED} extras")
        home = federation.hosts[0]
        boards.session(home, self.until, director, rng)
        other_systems.enter_factors(office)
        other_systems.play(home, director)
        player = accounts.link_player(users[accounts.PLAYER], home.pk)
        if offers_go():
            go.make(director, self.until, rng)
            go.link(player)
        announced.make(federation, self.until, office, director, rng)
        cases.make(player, self.until, director)

    def empty_kept_days(self) -> None:
        """Delete what the extras stored of kept days, and drop the indexes of the standings."""
        from django.db import connection

        from scoring.ledger.models import Standing

        from . import copying

        Standing.stored.filter(day__lt=self.until).delete()
        with connection.cursor() as cursor:
            copying.drop_indexes(cursor, [Standing])

    def fill_kept_days(self) -> None:
        """Store the standings of kept days, in `jobs` processes. A worker would write them by players."""
        from django.db.models import Max

        from players.models import Player
        from scoring.ledger.models import StandingsState
        from scoring.ledger.services import kept, standings

        states = {state.family: state for state in StandingsState.objects.all()}
        days = kept.days_since(states[standings.FAMILY], None, states)
        done = self.done("kept")
        left = [part for part in enumerate(days, 1) if part[0] not in done]
        if self.jobs:
            self.in_processes("kept", self.fill_days, sorted(states), parts=left, total=len(days))
        else:
            self.fill_days(sorted(states), left, os.getppid())
        self.make_indexes()
        last = Player.objects.aggregate(last=Max("pk"))["last"]
        StandingsState.objects.update(kept_to=last)
        standings.fill_slice()  # notes that all are stored

    def fill_days(self, families: list[str], parts: list[tuple[int, date]], parent: int) -> None:
        """Store the standings of some days. Stop early if the parent process has ended."""
        from django.db import connection, transaction

        from scoring.ledger.models import Standing
        from scoring.ledger.services import standings
        from scoring.ledger.services.sums import COLUMNS, People

        from .copying import Rows, or_null

        columns = ["player_id", "family", *COLUMNS]
        for number, day in parts:
            if os.getppid() != parent:
                sys.exit(1)
            rows, people = Rows(Standing, " ".join(columns)), People()
            for family in families:
                for row in standings.computed(day, people, family):
                    rows.add(*(or_null(getattr(row, column)) for column in columns))
            with transaction.atomic(), connection.cursor() as cursor:
                rows.write(cursor)
                mark("kept", number)

    def analyse(self) -> None:
        from django.db import connection

        with connection.cursor() as cursor:
            # Nothing can be vacuumed inside a transaction, such as that of a test.
            cursor.execute("ANALYZE" if connection.in_atomic_block else "VACUUM ANALYZE")


def mark(step: str, number: int = 0, tournaments: int = 0, awards: int = 0) -> None:
    """Note that a step or slice is stored, in the caller's transaction."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO bench_slice VALUES (%s, %s, %s, %s)", [step, number, tournaments, awards])


def database_size() -> tuple[int, list[tuple[str, int]]]:
    """Return the bytes of the database, and (table, bytes with indexes) of its largest tables."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        (whole,) = cursor.fetchone()
        cursor.execute(
            """SELECT relname, pg_total_relation_size(oid) FROM pg_class
               WHERE relkind = 'r' ORDER BY 2 DESC LIMIT 6"""
        )
        return whole, cursor.fetchall()


def main() -> None:
    from django.db import connection

    from scoring.ledger.models import LedgerEntry
    from scoring.ledger.services import standings

    from .tiers import TIERS

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tier", choices=TIERS, default="aeb")
    parser.add_argument("--scale", type=float, default=1, help="share of the tier's clubs and players")
    parser.add_argument("--jobs", type=int, default=2, help="processes that simulate and store")
    arguments = parser.parse_args()
    if connection.vendor != "postgresql":
        sys.exit("DATABASE_URL has to name a PostgreSQL database: SQLite has no COPY.")
    logging.disable(logging.WARNING)  # statements that take long are no news here
    started = time.monotonic()

    def report(text: str) -> None:
        print(f"  {time.monotonic() - started:6.0f} s  {text}", flush=True)

    tier = TIERS[arguments.tier].scaled(arguments.scale)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        server = parent_of(cursor.fetchone()[0])
    before = server_seconds(server)
    Generator(tier, standings.today(), arguments.jobs, report).run()
    own = sum(os.times()[:4])  # with the processes that have ended
    server_own = server_seconds(server) - before
    report(f"processor time: {own:.0f} s of these processes, {server_own:.0f} s of the server")
    whole, tables = database_size()
    report(
        f"{LedgerEntry.objects.count():,} ledger entries, {whole / 1e6:,.0f} MB on disk, "
        f"{peak():.0f} MB of memory in this process"
    )
    report("largest tables: " + ", ".join(f"{name} {size / 1e6:,.0f} MB" for name, size in tables))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    os.environ.setdefault("BAZA_FAMILIES", "aeb,sbf-bronze,sbf-silver,acbl,go")
    import django

    django.setup()
    main()
