"""Measure the upload of a file of 120 pairs to the embedded server (SQLite, worker in the web process).

    python -m benchmarks.preview [rounds]

Times over HTTP: from sending the file to receiving its preview (both requests of the redirect), and from
confirming to a player's page that shows the tournament. Each round uploads two new files: one is CSV, the
other USEBIO with 27 boards and 1,620 traveller lines. Their players have two months of history in a demo
federation.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random

from tests.servers import clean_environment, free_port, stop, wait_until

from .browser import Browser
from .timing import line

ROUNDS, PAIRS, BOARDS = 5, 120, 27
PREVIEW_BAR, VISIBLE_BAR = 1.0, 2.0
PASSWORD = "benchmark-of-the-demo"  # noqa: S105


def federation(var: Path) -> None:
    """Create a demo federation whose first club has several hundred members."""
    os.environ.update(
        BAZA_VAR=str(var), BAZA_DEMO_PASSWORD=PASSWORD, DJANGO_SETTINGS_MODULE="federation.settings"
    )
    os.environ.pop("DATABASE_URL", None)
    import django

    django.setup()
    from django.core.management import call_command

    from scoring.ledger.services.standings import today

    call_command("migrate", verbosity=0)
    since = today() - timedelta(days=60)
    with open(os.devnull, "w") as nothing:
        call_command("demo", players=1200, clubs=3, regions=1, pool_pairs=30, since=since, stdout=nothing)


def files(rounds: int) -> list[tuple[str, bytes, str]]:
    """Return result files, CSV and USEBIO in turn: two for each round.

    Each is (file name, content, federation number of one of its players).
    """
    from players.models import Role
    from scoring.demo.files import csv_bytes, usebio_bytes
    from scoring.demo.session import Entrant, play_session
    from scoring.ledger.services.standings import today

    club, day = Role.objects.get(kind="director").club, today()
    members = club.players.with_licence(day).filter(licensed=True, hidden=False).order_by("pk")[: 2 * PAIRS]
    people = [Entrant(player.number, player.full_name) for player in members]
    pairs = list(zip(people[::2], people[1::2], strict=True))
    result = []
    for number in range(rounds):
        played_on = day - timedelta(days=2 * number + 1)
        session = play_session(pairs, [0.0] * PAIRS, BOARDS, Random(number))
        result.append((f"ranking-{number}.csv", csv_bytes(session), people[0].number))
        again = play_session(pairs, [0.0] * PAIRS, BOARDS, Random(1000 + number))
        data = usebio_bytes(again, "Torneo", club.name, club.code, played_on, identifier=f"bench-{number}")
        result.append((f"ranking-{number}.xml", data, people[0].number))
    return result


def sign_in(base: str) -> Browser:
    browser = Browser(base)
    browser.get("/resultados/subir/")
    browser.submit(browser.form("password"), login="director", password=PASSWORD)
    return browser


def time_preview(browser: Browser, file_name: str, data: bytes, title: str, day) -> float:
    """Return the seconds from sending the file to receiving its preview."""
    browser.get("/resultados/subir/")
    form = browser.form("file")
    started = time.perf_counter()
    page = browser.submit(
        form,
        ("file", file_name, data),
        name=title,
        event_type="regional",
        format="pairs",
        venue="in_person",
        end_date=day.isoformat(),
        start_date=day.isoformat(),
        boards=str(BOARDS),
        boards_scheduled=str(BOARDS),
        ranking="one",
    )
    elapsed = time.perf_counter() - started
    if "/revisar/" not in browser.url or page.count("/jugadores/") < 100:
        raise RuntimeError(f"no preview at {browser.url}")
    return elapsed


def time_confirmation(browser: Browser, title: str, number: str) -> float:
    """Return the seconds from confirming to a player's page that shows the tournament."""
    browser.get(browser.url.replace("/revisar/", "/confirmar/"))
    form = browser.form("csrfmiddlewaretoken")
    started = time.perf_counter()
    browser.submit(form)
    wait_until(lambda: title in browser.get(f"/jugadores/{number}/"), "the points on the player's page")
    return time.perf_counter() - started


def measure(base: str, rounds: int) -> None:
    from scoring.ledger.services.standings import today

    browser = sign_in(base)
    times: dict[str, list[float]] = {}
    for index, (file_name, data, number) in enumerate(files(rounds + 1)):
        title, day = f"Prueba {index:03}", today() - timedelta(days=index)
        kind = "CSV" if file_name.endswith("csv") else "USEBIO"
        to_preview = time_preview(browser, file_name, data, title, day)
        to_points = time_confirmation(browser, title, number)
        if index > 1:  # skip the first of each kind: the server is cold
            times.setdefault(f"{kind}: file sent to preview shown", []).append(to_preview)
            times.setdefault(f"{kind}: confirmed to points on the player's page", []).append(to_points)
    print(f"{PAIRS} pairs through the embedded server, SQLite; median and worst of {rounds} rounds")
    for name, values in times.items():
        bar = PREVIEW_BAR if "preview" in name else VISIBLE_BAR
        median, worst = statistics.median(values), max(values)
        line(name, f"{median:.2f} / {worst:.2f} s", f"under {bar:.0f} s", median < bar)


@contextmanager
def embedded_server(folder: Path) -> Iterator[str]:
    """Run the embedded server on the demo federation of a folder. Yield its URL, with a final slash."""
    port, log_file = free_port(), folder / "log"
    with open(log_file, "w") as log:
        server = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(port)],
            env=clean_environment(BAZA_VAR=str(folder), BAZA_DEMO_PASSWORD=PASSWORD),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        wait_until(lambda: "Ctrl-C" in log_file.read_text(), "the embedded server")
        yield f"http://127.0.0.1:{port}/"
    finally:
        stop(server)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory(prefix="baza-preview-") as folder:
        federation(Path(folder))
        with embedded_server(Path(folder)) as base:
            measure(base, rounds)


if __name__ == "__main__":
    main()
