"""Measure taking over ten years of a former program, on the empty database in DATABASE_URL.

    python -m benchmarks.changeover [players [awards]]

The files have a line for each award, a file for each year, compressed. The steps are those of
`manage.py changeover` and of the pages: reading (with the comparison of every player's points with the old
list), applying and undoing. They are compared with COPY of the same rows into an empty table with the indexes
and constraints of the ledger.
"""

import gzip
import os
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

PLAYERS, AWARDS = 150_000, 4_000_000
YEARS = range(2016, 2026)
A_TOURNAMENT = 30  # awards
BAR = 600  # seconds for reading and applying

PLAYERS_SQL = """
    INSERT INTO players_player (number, given_name, surname, search_text, sort_key, hidden, email)
    SELECT (20000 + n)::text, 'Nombre', 'Apellido ' || n, 'nombre apellido ' || n, 'apellido' || n, false, ''
    FROM generate_series(0, %s) n"""


def lines(year: int, players: int, awards: int, totals: Counter[int]) -> Iterator[str]:
    """Yield the lines of a year's file. Add the hundredths of each player in the last year to `totals`."""
    yield "Número;Fecha final;Torneo;Lugar;Puntos\r\n"
    for n in range(awards):
        tournament, seat = divmod(n, A_TOURNAMENT)
        day = date(year, 1, 1) + timedelta(days=tournament % 365)
        player = (tournament * 7919 + seat * 5003) % players
        points = 10 + (n * 37) % 1500
        if year == YEARS[-1]:
            totals[player] += points
        venue = "presencial" if tournament % 10 else "en línea"
        number = f"{points // 100},{points % 100:02}"
        yield f"{20000 + player};{day:%d/%m/%Y};Pool {tournament};{venue};{number}\r\n"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.db import connection, transaction
    from django.db.models import Sum

    from players.models import Role
    from players.services import proposals
    from scoring.changeover import services, working
    from scoring.ledger.models import LedgerEntry
    from scoring.ledger.services import standings

    from .timing import line, peak, seconds

    players, awards = (*map(int, sys.argv[1:]), *(PLAYERS, AWARDS)[len(sys.argv) - 1 :])
    with connection.cursor() as cursor:
        cursor.execute(PLAYERS_SQL, [players - 1])
        cursor.execute("ANALYZE players_player")
    office = User.objects.create(username="office")
    Role.objects.create(user=office, kind=Role.Kind.OFFICE)
    totals: Counter[int] = Counter()
    files = []
    for year in YEARS:
        text = "".join(lines(year, players, awards // len(YEARS), totals))
        files.append(services.File(f"{year}.csv.gz", gzip.compress(text.encode("cp1252"), 6)))
    listed = "\n".join(f"{20000 + player};{points / 100:.2f}" for player, points in totals.items())
    old_list = services.File("list.csv", f"Número;Puntos\n{listed}".encode())
    size = sum(len(file.content) for file in files) / 2**20
    print(f"{awards:,} awards of {players:,} players in {size:.0f} MB of compressed files")

    changeover = services.receive(files, office, old_list, date(YEARS[-1], 12, 31))
    reading = seconds(lambda: working.perform(changeover.pk))
    changeover.refresh_from_db()
    line("reading and comparing", f"{reading:.1f} s")
    wrong = changeover.differences + len(changeover.issues)
    line("differences from the old list", f"{wrong}", "0", wrong == 0)

    def bare() -> None:
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE bare (LIKE ledger_ledgerentry INCLUDING ALL)")
            cursor.execute(
                """INSERT INTO bare (family, kind, player_id, points, played_on, online, title, reason,
                                     source_key, posted_at)
                   SELECT 'aeb', 'opening', player_id, points, played_on, online, title, '', source_key, now()
                   FROM changeover_changeoveraward"""
            )
            cursor.execute("DROP TABLE bare")

    with transaction.atomic():
        inserting = seconds(bare)
    services.apply(changeover.pk, office, changeover.digest)
    applying = seconds(lambda: working.perform(changeover.pk))
    changeover.refresh_from_db()
    if not changeover.is_applied:
        raise SystemExit(f"nothing was posted: {changeover.refusal} {changeover.error}")
    line("applying", f"{applying:.1f} s")
    line("applying : bare INSERT of the same rows", f"{applying / inserting:.1f}")
    line("reading and applying", f"{reading + applying:.0f} s", f"under {BAR} s", reading + applying < BAR)
    posted = LedgerEntry.objects.count()
    line("awards in the ledger", f"{posted:,}", f"{changeover.number:,}", posted == changeover.number)
    wrong = len(standings.compare(standings.today()))
    line("standings that differ from the ledger", f"{wrong}", "0", wrong == 0)

    proposal = services.propose_undoing(changeover.pk, office, "Benchmark", "None")
    committee = User.objects.create(username="committee")
    Role.objects.create(user=committee, kind=Role.Kind.COMMITTEE)
    proposals.approve(proposal.pk, committee, proposals.act_of(proposal).effect(proposal, committee).digest)
    undoing = seconds(lambda: working.perform(changeover.pk))
    line("undoing", f"{undoing:.1f} s")
    line("undoing : bare INSERT", f"{undoing / inserting:.1f}")
    left = LedgerEntry.objects.aggregate(points=Sum("points"))["points"]
    line("points left in the ledger", f"{left}", "0", left == 0)
    line("peak memory of the process", f"{peak():.0f} MB")


if __name__ == "__main__":
    main()
