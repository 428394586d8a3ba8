"""Measure the transparency log on the database in DATABASE_URL: building it, proofs, and posting beside it.

    python -m benchmarks.log [pairs]

* building: all runs and entries are appended to an empty log. Compared with the bare hashing of the same
  leaves in memory, their hashes and those of the nodes above; and with reading, hashing and writing the rows.
  The tree alone, the same leaves grown in memory as `append` does, is compared with the bare hashing, too;
* proof: the leaf's data and its proof of inclusion, read from the stored tree;
* posting: a tournament is scored while a process appends to the log (on), and while it waits (off), in turns.
"""

import os
import subprocess
import sys
from collections import defaultdict
from datetime import timedelta
from hashlib import sha256
from random import Random

PAIRS, PROOFS = 20, 200
BUILD, PROOF_MS, SLOWER = 4, 10, 1.05
APPENDING = """
import django
django.setup()
from time import sleep
from scoring.transparency import services
while True:
    services.append_if_due()
    sleep(0.05)
"""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    from scoring.transparency import queries, services
    from scoring.transparency.models import LogState

    from .timing import line, peak, seconds

    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    built = LogState.objects.filter(size__gt=0).exists()
    took = seconds(services.append)
    size = queries.log_size()
    print(f"Transparency log of {size:,} leaves")
    memory = peak()
    bare, tree, sample = _bare_seconds(size)
    line("the tree in memory : bare hashing", f"{tree / bare:.2f}", f"at most {BUILD}", tree <= BUILD * bare)
    if not built:
        ratio = took / bare
        line("built", f"{took:.0f} s")
        line("bare hashing of the same leaves", f"{bare:.0f} s", f"{sample:,} hashed")
        line("built : bare hashing", f"{ratio:.2f}", f"at most {BUILD}", ratio <= BUILD)
        pipe = _pipe_seconds(size)
        line("built : reading, hashing and writing the same rows", f"{took / pipe:.2f}")
        line("peak memory", f"{memory:.0f} MB")
    proof = 1000 * _proof_seconds(size)
    line("leaf and proof of inclusion", f"{proof:.1f} ms", f"under {PROOF_MS} ms", proof < PROOF_MS)
    times = _posting(pairs)
    slower = times["on"] / times["off"]
    line("posting, log off", f"{1000 * times['off']:.1f} ms")
    line("posting, log on", f"{1000 * times['on']:.1f} ms")
    line("posting, log on : off", f"{slower:.3f}", f"at most {SLOWER}", slower <= SLOWER)


def _bare_seconds(size: int) -> tuple[float, float, int]:
    """Return the seconds of hashing the whole tree and of growing it, and how many leaves were measured."""
    from scoring.transparency import leaves, services
    from scoring.transparency.models import Leaf
    from scoring.transparency.tree import fold, grown, leaf_hash

    from .timing import seconds

    sample = min(size, 1_000_000)
    data = leaves.data_of(Leaf.objects.filter(pk__lt=sample))

    def grow() -> None:
        levels: dict[int, list[bytes]] = defaultdict(list)
        for first in range(0, sample, services.SLICE):
            part = [leaf_hash(leaf or b"") for leaf in data[first : first + services.SLICE]]
            above = list(grown(first, lambda level, at, count: levels[level][at : at + count], part))
            levels[0] += part
            for level, _number, hash_ in above:
                levels[level].append(hash_)

    bare = seconds(lambda: fold([leaf_hash(leaf or b"") for leaf in data]))
    return bare * size / sample, seconds(grow) * size / sample, sample


def _pipe_seconds(size: int) -> float:
    """Return the seconds of the least that a stored tree needs, measured with a part of its rows.

    The rows of entries are read with the database's own cursor, hashed as they come, and written by COPY into
    a table with the same indexes.
    """
    from django.db import connection

    from .timing import seconds

    sample = min(size, 1_000_000)
    read = """SELECT id, family, kind, player_id, points, played_on, online, run_id, tournament_id,
              reverses_id, posted_at FROM ledger_ledgerentry ORDER BY id LIMIT %s"""

    def pipe() -> None:
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE bare_leaf (LIKE transparency_leaf INCLUDING INDEXES)")
            cursor.execute(read, [sample])
            rows = cursor.fetchall()
            with cursor.copy("COPY bare_leaf (id, hash, entry_id) FROM STDIN") as copy:
                for number, row in enumerate(rows):
                    copy.write_row((number, sha256(repr(row).encode()).digest(), row[0]))
            cursor.execute("DROP TABLE bare_leaf")

    return seconds(pipe) * size / sample


def _proof_seconds(size: int) -> float:
    from scoring.transparency import queries
    from scoring.transparency.models import Leaf

    from .timing import alternate

    rng = Random(13)

    def prove() -> None:
        assert queries.inclusion_of(Leaf.objects.get(pk=rng.randrange(size)))

    return alternate(PROOFS, prove=prove)["prove"]


def _posting(pairs: int) -> dict[str, float]:
    from django.db import transaction
    from django.utils import timezone

    from scoring.ledger.models import Standing
    from scoring.ledger.services import runs, standings
    from scoring.transparency import services
    from scoring.transparency.models import LogState
    from tournaments.drafts import Header, Row, SeatRow, store

    from .posting import PLAYERS
    from .timing import alternate

    today = standings.today()
    everybody = list(Standing.objects.filter(family="aeb").order_by("pk").values_list("player_id", flat=True))
    Random(7).shuffle(everybody)
    header = Header("Benchmark", 1, "regional", "pairs", "in_person", today, today, 44, 44)

    def new_run() -> int:
        players = [everybody.pop() for _player in range(PLAYERS)]
        seats = [SeatRow(player) for player in players]
        rows = [
            Row(place + 1, place + 1, tuple(seats[2 * place : 2 * place + 2]))
            for place in range(PLAYERS // 2)
        ]
        with transaction.atomic():
            return runs.create_run(store(header, rows, None), None).pk

    waiting = [new_run() for _number in range(2 * pairs + 2)]

    def score(wait: timedelta) -> None:
        LogState.objects.update(due_at=timezone.now() + wait)
        runs.score(waiting.pop())

    command = [sys.executable, "-c", APPENDING]
    with subprocess.Popen(command) as process:
        try:
            return alternate(pairs, off=lambda: score(services.EVERY), on=lambda: score(timedelta(0)))
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
