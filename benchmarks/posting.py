"""Measure posting a tournament of 120 players to the ledger of a large federation, against bare inserts.

    DATABASE_URL=postgresql://... python -m benchmarks.posting [rounds]

Four transactions take turns, each with a tournament and players of its own:
* copy: the same rows as "bare" by COPY: into the ledger, and for the totals into a temporary table, from
  which one statement writes them;
* bare: three multi-row INSERTs of prepared values, for 120 ledger rows and (ON CONFLICT DO UPDATE) their 120
  standings and 120 year totals, with the same indexes and triggers;
* post: `scoring.ledger.services.posting.post`, which also locks, looks for earlier awards, sums each player's
  points of twelve months in the ledger, looks up categories and licences, and marks the run done and the
  tournament published;
* score: everything the worker does for a run: claim it, read and score its inputs, post.
"""

import os
import sys
from random import Random

PLAYERS, ROUNDS, BAR = 120, 40, 3

LEDGER = """INSERT INTO ledger_ledgerentry (family, kind, player_id, points, played_on, online,
            tournament_id, run_id, contestant_id, title, reason, source_key, posted_at) VALUES """
STANDING = """INSERT INTO ledger_standing (family, day, player_id, category_id, licensed, points,
              points_in_person, points_online, tournaments) VALUES """
YEAR = """INSERT INTO ledger_yeartotal (year, day, player_id, category_id, licensed, points,
          points_in_person, points_online, tournaments) VALUES """
ON_CONFLICT = """ ON CONFLICT (player_id, {key}, day) DO UPDATE SET category_id = EXCLUDED.category_id,
    licensed = EXCLUDED.licensed, points = EXCLUDED.points, points_in_person = EXCLUDED.points_in_person,
    points_online = EXCLUDED.points_online, tournaments = EXCLUDED.tournaments"""


def insert(cursor, into: str, rows: list[tuple], conflict: str = "") -> None:
    """Execute one INSERT of several rows.

    into: the statement up to VALUES
    conflict: the clause ON CONFLICT
    """
    values = "(" + ", ".join(["%s"] * len(rows[0])) + ")"
    parameters = [value for row in rows for value in row]
    cursor.execute(into + ", ".join([values] * len(rows)) + conflict, parameters)


COLUMNS = ("category_id", "licensed", "points", "points_in_person", "points_online", "tournaments")


def current_totals(run, day) -> tuple[dict[int, tuple], dict[int, tuple]]:
    """Return the stored totals of the run's players: the standings, and the year totals of the year of `day`.

    Both are dictionaries of player id -> values of COLUMNS.
    """
    from scoring.ledger.models import Standing, YearTotal

    players = run.revision.seats.values("player_id")
    standings, years = (
        {player: rest for player, *rest in rows.filter(player__in=players).values_list("player_id", *COLUMNS)}
        for rows in (Standing.objects.filter(family="aeb"), YearTotal.objects.filter(year=day.year))
    )
    # Players without a year total start from zero.
    return standings, {
        player: years.get(player, [*values[:2], 0, 0, 0, 0]) for player, values in standings.items()
    }


def prepared_rows(run, entries, standing, year, today) -> tuple[list[tuple], list[tuple], list[tuple]]:
    """Return the rows that posting these entries writes: ledger, standings and year totals.

    standing, year: what `current_totals` returns
    """
    from django.utils import timezone

    now = timezone.now()
    rows = [
        (
            *("aeb", "award", e.player_id, e.points, today, False),
            *(run.tournament_id, run.pk, e.contestant_id, "", "", "", now),
        )
        for e in entries
    ]

    def totals(key, before: dict[int, tuple]) -> list[tuple]:
        return [
            (key, today, e.player_id, category, licensed)
            + (points + e.points, here + e.points, online, played + 1)
            for e in entries
            for category, licensed, points, here, online, played in [before[e.player_id]]
        ]

    return rows, totals("aeb", standing), totals(today.year, year)


def copy_rows(cursor, into: str, rows: list[tuple]) -> None:
    """Write rows with COPY. `into` is an INSERT up to VALUES, of which the table and columns are taken."""
    target = into.removeprefix("INSERT INTO ").removesuffix(" VALUES ")
    with cursor.copy(f"COPY {target} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def copy_totals(cursor, into: str, rows: list[tuple], conflict: str) -> None:
    """Write rows with COPY into a temporary table, and from there with one statement."""
    table, _blank, columns = into.removeprefix("INSERT INTO ").removesuffix(" VALUES ").partition(" ")
    names = columns.strip("()")
    cursor.execute(f"CREATE TEMPORARY TABLE sent ON COMMIT DROP AS SELECT {names} FROM {table} LIMIT 0")
    copy_rows(cursor, f"INSERT INTO sent {columns} VALUES ", rows)
    cursor.execute(f"INSERT INTO {table} {columns} SELECT {names} FROM sent{conflict}")
    cursor.execute("DROP TABLE sent")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    from django.db import connection, transaction

    from scoring.ledger.models import LedgerEntry, ScoringRun, Standing
    from scoring.ledger.services import posting, runs, standings
    from scoring.ledger.snapshots import evaluation_of
    from tournaments.drafts import Header, Row, SeatRow, store

    from .timing import alternate, line

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    rng = Random(5)
    today = standings.today()
    # Each player plays once, so that no posting changes the values prepared for another. All have a standing.
    standing = Standing.objects.filter(family="aeb").order_by("pk")
    everybody = list(standing.values_list("player_id", flat=True))
    rounds = min(rounds, len(everybody) // (4 * PLAYERS) - 1)
    rng.shuffle(everybody)
    numbers = iter(range(1, 10_000))

    def new_run() -> ScoringRun:
        """Store a confirmed tournament of sixty pairs. Return its run, which is not scored yet."""
        players = [everybody.pop() for _player in range(PLAYERS)]
        header = Header(
            f"Benchmark {next(numbers)}", 1, "regional", "pairs", "in_person", today, today, 44, 44
        )
        rows = [
            Row(place, place, (SeatRow(players[2 * place - 2]), SeatRow(players[2 * place - 1])))
            for place in range(1, PLAYERS // 2 + 1)
        ]
        with transaction.atomic():
            return runs.create_run(store(header, rows, None), None)

    waiting = {name: [] for name in ("copy", "bare", "post", "score")}
    for _round in range(rounds + 1):
        for name in waiting:
            run = new_run()
            if name == "post":
                run = runs.claim(run.pk)
                waiting[name].append((run, evaluation_of(run)))
            elif name in ("copy", "bare"):
                entries = posting.award_entries(run, evaluation_of(run))
                waiting[name].append(prepared_rows(run, entries, *current_totals(run, today), today))
            else:
                waiting[name].append(run.pk)

    def bare() -> None:
        rows, months, years = waiting["bare"].pop()
        with transaction.atomic(), connection.cursor() as cursor:
            insert(cursor, LEDGER, rows)
            insert(cursor, STANDING, months, ON_CONFLICT.format(key="family"))
            insert(cursor, YEAR, years, ON_CONFLICT.format(key="year"))

    def copy() -> None:
        rows, months, years = waiting["copy"].pop()
        with transaction.atomic(), connection.cursor() as cursor:
            copy_rows(cursor, LEDGER, rows)
            for into, key, totals in ((STANDING, "family", months), (YEAR, "year", years)):
                copy_totals(cursor, into, totals, ON_CONFLICT.format(key=key))

    times = alternate(
        rounds,
        copy=copy,
        bare=bare,
        post=lambda: posting.post(*waiting["post"].pop()),
        score=lambda: runs.score(waiting["score"].pop()),
    )
    print(
        f"Posting {PLAYERS} players, {LedgerEntry.objects.count():,} ledger rows, median of {rounds} rounds"
    )
    line("bare COPY", f"{1000 * times['copy']:.1f} ms")
    line("bare inserts", f"{1000 * times['bare']:.1f} ms")
    ratio = times["post"] / times["bare"]
    line("post", f"{1000 * times['post']:.1f} ms")
    line("post : bare inserts", f"{ratio:.2f}", f"at most {BAR}", ratio <= BAR)
    line("post : bare COPY", f"{times['post'] / times['copy']:.2f}")
    line("score (claim, compute, post)", f"{1000 * times['score']:.1f} ms")
    line("score : bare inserts", f"{times['score'] / times['bare']:.2f}")
    wrong = len(standings.compare(today))
    line("standings that differ from the ledger afterwards", str(wrong), "none", wrong == 0)


if __name__ == "__main__":
    main()
