"""Measure the adjustment of a whole session for the strength of opponents, from board results to figures.

    python -m benchmarks.strength_session [rounds]

The session has 1,000 contestants with 26 boards each against random opponents. The first measurement is the
computation (matchpoints, matrix, two iterations, fixed point), which a process does once for a published
ranking and caches. The second is its page over HTTP (SQLite, one gunicorn process), the first time and
cached. It is compared with a bare page: fifty rows of the same ranking from the ORM in a plain template.
"""

import os
import sys
import tempfile
import time
from datetime import date
from random import Random

import django

from tests.servers import free_port, stop, wait_until

from .client import Connection, rate
from .pages import answers, start
from .timing import alternate, line, medians

CONTESTANTS, BOARDS, SECONDS = 1000, 26, 2


def session(rng: Random) -> list[tuple]:
    """Return a random session's results as (board, North-South contestant, East-West contestant, score)."""
    rows = []
    for board in range(1, BOARDS + 1):
        order = rng.sample(range(1, CONTESTANTS + 1), CONTESTANTS)
        rows += [(board, *order[k : k + 2], 10 * rng.randrange(-60, 60)) for k in range(0, CONTESTANTS, 2)]
    return rows


def figures(played: list[tuple], rounds: int) -> None:
    """Measure how long it takes to compute the adjusted results, without database and page.

    played: the board results that `session` returned
    """
    from scoring.engine.boards import TravellerLine, percentages
    from scoring.strength.figures import StoredResult, adjust_session
    from tournaments.boards import MATCHPOINTS

    rows = [StoredResult("", *row, None, None, None, None) for row in played]
    lines = [TravellerLine(board, score) for board, _ns, _ew, score in played]
    print(f"A session of {CONTESTANTS:,} contestants, {len(rows):,} results, {rounds} rounds")
    times = alternate(
        rounds,
        boards=lambda: percentages(lines),
        whole=lambda: adjust_session(MATCHPOINTS, rows, {}),
    )
    line("matchpoints of the boards", f"{times['boards'] * 1e3:.0f} ms")
    line("boards to figures", f"{times['whole'] * 1e3:.0f} ms")


def store(played: list[tuple]) -> tuple[str, int]:
    """Store the session in a new database; return the path of its page and the id of its revision."""
    from django.core.management import call_command
    from django.db import transaction

    from scoring.strength.queries import address
    from scoring.strength.services import store_figures
    from tests import factories
    from tournaments.boards import MATCHPOINTS, BoardRow, store_boards

    call_command("migrate", verbosity=0)
    with transaction.atomic():
        pairs = factories.pairs(factories.players(2 * CONTESTANTS, category="2P"))
        tournament = factories.scored(*pairs, end_date=date(2026, 3, 14))
        rows = [BoardRow(board, "", ns, ew, score) for board, ns, ew, score in played]
        store_boards(tournament.published, MATCHPOINTS, rows)
        store_figures(tournament.published)
    return address(tournament), tournament.published_id


def timed(port: int, path: str) -> tuple[float, bytes]:
    """Request a page. Return how many seconds that took, and the page."""
    started = time.perf_counter()
    status, _headers, body = Connection(port).get(path)
    if status != 200:
        raise RuntimeError(f"{path} answered {status}")
    return time.perf_counter() - started, body


def pages(port: int, page: str, bare: str, rounds: int) -> None:
    """Measure the session's page and print the results.

    The first request, which computes the figures, is measured alone. Then these are requested in turn: the
    bare page, the session's page, and the session's page in two other orders.

    page: the path of the session's page
    bare: the path of the bare page, a plain template with fifty rows of the same ranking, for comparison
    """
    plain = timed(port, bare)[1]
    first, body = timed(port, page)
    rows, dots = body.count(b"<tr"), body.count(b"<circle")
    print(f"Its page: {len(body):,} bytes, {rows} table rows, {dots} dots; bare page {len(plain):,} bytes")
    line("the first time in a process", f"{first * 1e3:.0f} ms")
    kinds = {
        "bare page": bare,
        "first page": page,
        "sorted by adjusted result": f"{page}?orden=-adjusted",
        "last page, sorted by places gained": f"{page}?orden=moved&pagina=20",
    }
    rates: dict[str, list[float]] = {name: [] for name in kinds}
    for _round in range(rounds):
        for name, path in kinds.items():
            rates[name].append(rate(port, path, SECONDS, 200))
    median_rates = medians(rates)
    for name, median_rate in median_rates.items():
        line(name, f"{median_rate:,.0f} /s")
    for name in list(kinds)[1:]:
        line(f"{name} : bare page (time)", f"{median_rates['bare page'] / median_rates[name]:.1f}")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    played = session(Random(11))
    with tempfile.TemporaryDirectory(prefix="baza-strength-") as folder:
        database = f"sqlite:///{folder}/session.sqlite3"
        os.environ.update(
            BAZA_VAR=folder, DATABASE_URL=database, DJANGO_SETTINGS_MODULE="benchmarks.settings"
        )
        django.setup()
        figures(played, rounds)
        page, revision = store(played)
        port = free_port()
        server = start(database, port)
        try:
            wait_until(lambda: answers(port), "the web server to answer")
            pages(port, page, f"/bench/ranking/{revision}/", rounds)
        finally:
            stop(server)


if __name__ == "__main__":
    main()
