"""Measure uploads of every size, and five directors at once, on the embedded server (`manage.py up`, SQLite).

    python -m benchmarks.sizes [rounds]

* the reader's child: reading a small CSV file in the sandbox, whose fork server is warm, compared with the
  start of a bare Python;
* over HTTP, from sending the bytes to the review shown: a Bridgemate database of 24 pairs, 120 pairs with
  travellers, and a national simultaneous of 2,000 pairs with 26,000 results, 16 MB, which is read while a
  page shows the progress;
* five directors who upload, review and confirm the ranking of twelve pairs at the same moment: from sending
  the file, and from confirming, to the points on the page of a player.
"""

import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from tests.servers import wait_until

from . import preview
from .browser import Browser
from .timing import alternate, line

ROUNDS, DIRECTORS, PAIRS = 5, 5, 12
CHILD_BAR, POINTS_BAR = 3.0, 2.0
NATIONAL, BOARDS = 2_000, 26


def child(rounds: int) -> None:
    """Compare reading a small file in a child of the fork server with the start of a bare Python."""
    from tests.tournaments.formats import makers
    from tournaments.formats.sandbox import read_results_safely

    table = makers.csv_table(makers.PAIRS_TABLE)
    times = alternate(
        5 * rounds,
        child=lambda: read_results_safely("martes.csv", table),
        bare=lambda: subprocess.run([sys.executable, "-c", "pass"], check=True),
    )
    ratio = times["child"] / times["bare"]
    print(f"The reader's child, {5 * rounds} rounds")
    line("a small CSV file in the sandbox", f"{times['child'] * 1e3:.1f} ms")
    line("times the start of a bare Python", f"{ratio:.2f}", f"at most {CHILD_BAR:.0f}", ratio <= CHILD_BAR)


def many_members(count: int) -> list:
    """Create further members of the director's club, with licences. Return all of them."""
    from players.models import Licence, Player, Role

    club = Role.objects.get(kind="director").club
    made = Player.objects.bulk_create(
        Player(number=str(9_000_000 + n), given_name="Alba", surname=f"Inventada {n}", club=club)
        for n in range(count)
    )
    span = {"valid_from": date(2020, 1, 1), "valid_to": date(2099, 12, 31)}
    Licence.objects.bulk_create(Licence(player=player, **span) for player in made)
    return made


def send(browser: Browser, file_name: str, data: bytes, title: str, day: date, boards: int) -> float:
    """Return the seconds from sending a file to its review, of which the page shows the people."""
    browser.get("/resultados/subir/")
    form = browser.form("file")
    values = {
        "name": title,
        "event_type": "regional",
        "format": "pairs",
        "venue": "in_person",
        "ranking": "one",
    }
    days = {"start_date": day.isoformat(), "end_date": day.isoformat()}
    numbers = {"boards": str(boards), "boards_scheduled": str(boards)}
    started = time.perf_counter()
    browser.submit(form, ("file", file_name, data), **values, **days, **numbers)
    address = browser.url
    wait_until(lambda: 'id="people"' in browser.page or browser.get(address) is None, "the review")
    return time.perf_counter() - started


def sizes(base: str, members: list, rounds: int) -> None:
    """Measure bytes to review of files of three sizes."""
    from tests.tournaments.formats import makers
    from tests.tournaments.formats.bridgemates import mitchell

    people = [makers.Player(player.number, player.full_name) for player in members]
    files: dict[str, tuple[str, Callable[[int], bytes], int, float]] = {
        "24 pairs, Bridgemate": ("martes.bws", lambda _number: mitchell(12, 2).data(), 2, 1.0),
        "120 pairs, USEBIO with travellers": (
            "regional.xml",
            lambda n: makers.national(120, 27, people[n : 240 + n]).data(),
            27,
            1.0,
        ),
        "2,000 pairs, USEBIO with travellers": (
            "nacional.xml",
            lambda n: makers.national(NATIONAL, BOARDS, people[n : 2 * NATIONAL + n]).data(),
            BOARDS,
            10.0,
        ),
    }
    browser = preview.sign_in(base)
    print(f"From bytes to the review, median and worst of {rounds} rounds after a first one")
    for position, (name, (file_name, make, boards, bar)) in enumerate(files.items()):
        times = []
        for number in range(rounds + 1):
            day = date.today() - timedelta(days=20 * position + number + 1)
            times.append(send(browser, file_name, make(number), f"Prueba {position}-{number}", day, boards))
        median, worst = statistics.median(times[1:]), max(times[1:])
        line(name, f"{median:.2f} / {worst:.2f} s", f"under {bar:.0f} s", median < bar)


def at_once(base: str, members: list, rounds: int) -> None:
    """Measure five directors who take a file to points at the same moment."""
    from random import Random

    from scoring.demo.files import csv_bytes
    from scoring.demo.session import Entrant, play_session

    browsers = [preview.sign_in(base) for _director in range(DIRECTORS)]
    sent: list[float] = []
    confirmed: list[float] = []

    def direct(director: int, number: int, barrier: threading.Barrier) -> None:
        seats = members[2 * PAIRS * director : 2 * PAIRS * (director + 1)]
        people = [Entrant(player.number, player.full_name) for player in seats]
        pairs = list(zip(people[::2], people[1::2], strict=True))
        data = csv_bytes(play_session(pairs, [0.0] * PAIRS, 24, Random(100 * director + number)))
        title, browser = f"A la vez {director}-{number}", browsers[director]
        day = date.today() - timedelta(days=100 + number)
        barrier.wait()
        started = time.perf_counter()
        send(browser, f"{title}.csv", data, title, day, 24)
        to_points = preview.time_confirmation(browser, title, people[0].number)
        if number:  # in the first round the server is cold
            confirmed.append(to_points)
            sent.append(time.perf_counter() - started)

    for number in range(rounds + 1):
        barrier = threading.Barrier(DIRECTORS)
        threads = [
            threading.Thread(target=direct, args=[director, number, barrier]) for director in range(DIRECTORS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if len(confirmed) != rounds * DIRECTORS:
        raise RuntimeError(f"{len(confirmed)} of {rounds * DIRECTORS} uploads got their points")
    print(f"{DIRECTORS} directors at once, {PAIRS} pairs each, {rounds} rounds")
    for name, times in (("sending the file", sent), ("confirming", confirmed)):
        p95 = statistics.quantiles(times, n=20)[-1]
        label = f"from {name} to the points, median and p95"
        line(
            label,
            f"{statistics.median(times):.2f} / {p95:.2f} s",
            f"p95 under {POINTS_BAR:.0f} s",
            p95 < POINTS_BAR,
        )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory(prefix="baza-sizes-") as folder:
        preview.federation(Path(folder))
        members = many_members(2 * NATIONAL + rounds + 1)
        with preview.embedded_server(Path(folder)) as base:
            child(rounds)
            at_once(base, members, rounds)
            sizes(base, members, rounds)


if __name__ == "__main__":
    main()
