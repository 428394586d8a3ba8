"""Measure the awards per second of `manage.py verify`, in one process, on the database in DATABASE_URL.

    python -m benchmarks.verify [rounds]

`manage.py demo` has filled the database. Two actions take turns:
* bare: read the rows that an audit needs (tournaments, runs with their inputs, ledger, seats, contestants)
  table by table, with the database's own cursor, into lists of tuples, and do nothing with them;
* verify: check tournament by tournament with `scoring.audit.verify`, then the ledger entries that merges of
  players moved, and the standings against the ledger.
"""

import os
import sys

ROUNDS, BAR = 3, 10_000
BARE = (
    """SELECT id, published_id, event_type, format, venue, end_date, boards, boards_scheduled
       FROM tournaments_tournament""",
    """SELECT tournament_id, id, revision_id, regulation, state, inputs, input_digest, eligible, outcome
       FROM ledger_scoringrun""",
    """SELECT tournament_id, id, kind, family, player_id, points, played_on, online, run_id, contestant_id,
              reverses_id, source_key FROM ledger_ledgerentry""",
    """SELECT s.revision_id, s.contestant_id, c.position, c.place, c.field, s.player_id
       FROM tournaments_seat s JOIN tournaments_contestant c ON c.id = s.contestant_id""",
)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    from django.db import connection

    from scoring.audit import transfers, verify

    from .timing import alternate, line

    counts = {}

    def bare() -> None:
        with connection.cursor() as cursor:
            for statement in BARE:
                cursor.execute(statement)
                cursor.fetchall()

    def audit() -> None:
        batches = list(verify.batches())
        counts["awards"] = sum(batch.counts["awards"] for batch in batches)
        counts["wrong"] = sum(len(batch.differences) for batch in batches)
        counts["wrong"] += len(verify.compare_standings()[1]) + len(verify.unmatched_reversals())
        counts["wrong"] += len(transfers.differences())

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    times = alternate(rounds, bare=bare, verify=audit)
    awards = counts["awards"]
    print(f"Audit of {awards:,} awards, {connection.vendor}, median of {rounds} rounds")
    rate = awards / times["verify"]
    line("awards a second", f"{rate:,.0f}", f"at least {BAR:,}", rate >= BAR)
    line("bare read of the same rows", f"{times['bare']:.2f} s")
    line("verify : bare read", f"{times['verify'] / times['bare']:.1f}")
    line("differences", str(counts["wrong"]), "none", counts["wrong"] == 0)


if __name__ == "__main__":
    main()
