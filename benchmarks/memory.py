"""Measure the memory of a web process and of a worker over many requests and postings.

    DATABASE_URL=postgresql://... python -m benchmarks.memory [requests]

`generate.py` fills the database. One gunicorn process with four threads answers requests for the pages of
many different players, tournaments, clubs, receipts and categories. Now and then a posting raises the version
of the standings, so that cached figures are computed again. A Celery worker with one process scores the
tournaments that are confirmed. The memory is the resident set of the process that does the work (VmRSS), read
every hundredth of the way.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.servers import clean_environment, free_port, redis_server, stop, wait_until

from .client import Connection
from .timing import line
from .turns import Poster

REQUESTS, POST_EVERY = 10_000, 100
PATIENCE = 300  # seconds until a program must respond, which takes long on a busy machine
WEB, WORKER, GROWTH = 200, 250, 5  # MB


def paths() -> list[str]:
    """Return the addresses of many public pages, in random order."""
    from django.urls import reverse

    from players.models import Category, Club
    from scoring.ledger.models import LedgerEntry, Standing
    from tournaments.models import Tournament

    standing = Standing.objects.filter(family="aeb").select_related("player").order_by("?")[:600]
    entries = LedgerEntry.objects.filter(kind="award").select_related("player").order_by("-pk")[:400]
    tournaments = Tournament.objects.order_by("-end_date", "-pk")[:600]
    pages = [reverse(name) for name in ("home", "standings", "tournaments", "players", "clubs", "calendar")]
    pages += [
        reverse("standing", args=[code.lower()]) for code in Category.objects.values_list("code", flat=True)
    ]
    pages += [row.player.get_absolute_url() for row in standing]
    pages += [tournament.get_absolute_url() for tournament in tournaments]
    pages += [reverse("award", args=[entry.player.number, entry.pk]) for entry in entries]
    pages += [club.get_absolute_url() for club in Club.objects.order_by("?")[:300]]
    pages += [f"{reverse('players')}?pagina={page}" for page in range(1, 60)]
    pages += [f"{reverse('search')}?q={text}" for text in ("garc", "mar+lop", "regional", "club", "zzz")]
    Random(5).shuffle(pages)
    return pages


def resident(process: int) -> float:
    """Return the resident set of a process in MB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmRSS:")[1].split("kB")[0]) / 1024


def child_of(process: int) -> int | None:
    """Return the process id of the latest child of a process."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return int(children[-1]) if children else None


def start(command: list[str], **values: str) -> subprocess.Popen:
    """Start a program of the project on the database in DATABASE_URL, without its output."""
    environment = clean_environment(
        DATABASE_URL=os.environ["DATABASE_URL"],
        BAZA_VAR=os.environ.get("BAZA_VAR", "var"),
        BAZA_FAMILIES=os.environ.get("BAZA_FAMILIES", "aeb"),
        DJANGO_SETTINGS_MODULE="federation.settings",
        **values,
    )
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def answers(port: int) -> bool:
    try:
        return Connection(port).get("/salud/")[0] == 200
    except OSError:
        return False


def browse(port: int, count: int, post: Callable[[], object], note: Callable[[], object]) -> int:
    """Request `count` pages one after the other. Return how many answered with another status than 200.

    post: function to call every POST_EVERY requests
    note: function to call every hundredth of the way
    """
    connection, pages, wrong = Connection(port), paths(), 0
    for number in range(count):
        status, _headers, _body = connection.get(pages[number % len(pages)])
        wrong += status != 200
        if number % POST_EVERY == POST_EVERY - 1:
            post()
        if number % max(1, count // 100) == 0:
            note()
    return wrong


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    poster, port = Poster(), free_port()
    web_sizes: list[float] = []
    worker_sizes: list[float] = []
    with redis_server() as redis, tempfile.TemporaryDirectory(prefix="baza-memory-"):
        gunicorn = ["gunicorn", "-c", "federation/gunicorn_conf.py", "federation.wsgi"]
        web = start(gunicorn, REDIS_URL=redis.url, WEB_CONCURRENCY="1", PORT=str(port))
        worker = start(["celery", "-A", "federation", "worker", "--concurrency", "1"], REDIS_URL=redis.url)
        try:
            wait_until(lambda: answers(port), "the web server", PATIENCE)
            wait_until(lambda: child_of(worker.pid), "the worker", PATIENCE)

            def note() -> None:
                web_sizes.append(resident(child_of(web.pid)))
                worker_sizes.append(resident(child_of(worker.pid)))

            wrong = browse(port, count, poster.leave, note)
            wait_until(poster.all_done, "the worker to post the last tournament", PATIENCE)
        finally:
            stop(web)
            stop(worker)
    load = os.getloadavg()[0]
    print(f"Memory over {count:,} requests and {poster.number} tournaments, load {load:.1f}")
    line("requests not answered with 200", str(wrong), "none", wrong == 0)
    for name, sizes, bar in (("web process", web_sizes, WEB), ("worker process", worker_sizes, WORKER)):
        half, end = sizes[len(sizes) // 2], sizes[-1]
        most = max(sizes)
        line(f"{name}, most", f"{most:.0f} MB", f"under {bar} MB", most < bar)
        line(
            f"{name}, growth over the last half",
            f"{end - half:.1f} MB",
            f"at most {GROWTH} MB",
            end - half <= GROWTH,
        )


if __name__ == "__main__":
    main()
