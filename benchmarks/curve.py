"""Measure what grows with the ledger, at several sizes, and draw it: cost against number of awards.

    python -m benchmarks.curve [--largest 1000000] [--jobs 2]

For each size `generate.py` fills a PostgreSQL database of its own with a share of the tier "acbl": three
years of play, of which the last one is complete. Then a process measures, each several times:

posting         a tournament of 15 pairs: `scoring.ledger.services.posting.post`
standings       the first page of a category, for the first reader after a posting
player          the page of the first player of that category, for the first reader after a posting
tournament      the page of the latest tournament with boards, likewise
candidates      the fewest points that suffice to move up, of all categories
past day        the first page of a category 100 days ago, nothing cached of it
freeze          freezing the lists of the last year's category change
export          the list of all players as CSV

Each is divided by the same simple query in the same process (`BASE`), so that a busy machine changes the
ratios less than the seconds. Writes docs/images/cost-by-size.svg, and a table to the terminal. The default
goes up to a million awards; 27,000,000 is the whole tier.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random

from .timing import line, seconds

WHOLE = 27_000_000  # awards of the tier
SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, WHOLE]
PICTURE = Path(__file__).resolve().parent.parent / "docs/images/cost-by-size.svg"
CODE, ROUNDS, PAIRS = "2c", 5, 15
BASE = "SELECT number, surname FROM players_player ORDER BY sort_key, id LIMIT 50"
NAMES = ["posting", "standings", "player", "tournament", "candidates", "past day", "freeze", "export"]
FLAT = ["posting", "standings", "player", "tournament"]  # that must not grow with the ledger
GROWTH = 4  # how many times the cost of the smallest size they may cost at the largest
COLOURS = ["#0b3d91", "#b3261e", "#1b7f4b", "#8a5a00", "#6a3fa0", "#00707a", "#c2185b", "#455a64"]


# --- One size -----------------------------------------------------------------------------------------------
def medians_of(rounds: int, actions: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the median seconds of actions that take turns. The first turn is not counted."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _round in range(rounds + 1):
        for name, action in actions.items():
            times[name].append(seconds(action))
    return {name: statistics.median(values[1:]) for name, values in times.items()}


def measure() -> dict[str, float]:
    """Measure everything on the generated database in DATABASE_URL. Return {name: seconds}, and the size."""
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    from scoring.ledger.conditional import standings_state
    from scoring.ledger.models import LedgerEntry, Standing
    from scoring.ledger.services import standings
    from scoring.promotions.queries.ranked import cuts_of
    from tournaments.models import Tournament
    from ui import memo

    from .campaign import frozen_campaign, set_up
    from .tier_pages import raise_version

    settings.ALLOWED_HOSTS = ["testserver"]
    client, today = Client(), standings.today()
    page = reverse("standing", args=[CODE])
    player = Standing.objects.filter(family="aeb", category__code=CODE.upper(), player__hidden=False)
    player_page = player.order_by("-points").first().player.get_absolute_url()
    latest = Tournament.objects.exclude(published__boards_scored="").latest("end_date", "pk")

    def first_after_posting(path: str, query: dict[str, str] | None = None) -> float:
        raise_version()
        return seconds(lambda: client.get(path, query))

    def past_day() -> None:
        memo.forget()
        client.get(page, {"a": (today - timedelta(days=100)).isoformat()})

    def candidates() -> None:
        raise_version()
        cuts_of(standings_state())

    def export() -> None:
        sum(map(len, client.get(reverse("players"), {"formato": "csv"}).streaming_content))

    def base() -> None:
        with connection.cursor() as cursor:
            cursor.execute(BASE)
            cursor.fetchall()

    setup = set_up(today.year - 1)
    times = medians_of(
        ROUNDS,
        {
            "base": base,
            "standings": lambda: first_after_posting(page),
            "player": lambda: first_after_posting(player_page),
            "tournament": lambda: first_after_posting(latest.get_absolute_url()),
            "candidates": candidates,
            "past day": past_day,
            "export": export,
        },
    )
    times["posting"] = posting_time(Random(7))
    times["freeze"] = seconds(lambda: frozen_campaign(setup, today))
    return {**times, "awards": LedgerEntry.objects.count()}


def posting_time(rng: Random) -> float:
    """Return the median seconds of posting a tournament of pairs."""
    from django.db import transaction

    from scoring.ledger.models import Standing
    from scoring.ledger.services import posting, runs, standings
    from scoring.ledger.snapshots import evaluation_of
    from tournaments.drafts import Header, Row, SeatRow, store

    today, times = standings.today(), []
    people = list(Standing.objects.filter(family="aeb").values_list("player_id", flat=True))
    for number in range(ROUNDS + 1):
        seats = [SeatRow(player) for player in rng.sample(people, min(2 * PAIRS, len(people) // 2 * 2))]
        rows = [Row(k + 1, k + 1, pair) for k, pair in enumerate(zip(seats[::2], seats[1::2], strict=True))]
        header = Header(f"Curva {number}", 1, "regional", "pairs", "in_person", today, today, 44, 44)
        with transaction.atomic():
            run = runs.create_run(store(header, rows, None), None)
        run = runs.claim(run.pk)
        evaluation = evaluation_of(run)
        times.append(seconds(lambda: posting.post(run, evaluation)))  # noqa: B023
    return statistics.median(times[1:])


# --- The picture --------------------------------------------------------------------------------------------
def picture(rows: list[dict[str, float]]) -> str:
    """Return the plot as SVG: a line for each measurement, both axes logarithmic."""
    width, height, left, right, top, bottom = 860, 520, 70, 150, 30, 60
    sizes = [row["awards"] for row in rows]
    values = [1e3 * row[name] for row in rows for name in NAMES]
    x_low, x_high = math.floor(math.log10(min(sizes))), math.ceil(math.log10(max(sizes)))
    y_low, y_high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def x_of(size: float) -> float:
        return left + (math.log10(size) - x_low) / max(1, x_high - x_low) * (width - left - right)

    def y_of(value: float) -> float:
        return top + (y_high - math.log10(value)) / max(1, y_high - y_low) * (height - top - bottom)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="14" role="img" aria-label="Milliseconds against the number of awards">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for power in range(x_low, x_high + 1):
        x = x_of(10**power)
        parts.append(f'<path d="M{x:.1f} {top}V{height - bottom}" stroke="#ddd"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{height - bottom + 20}" text-anchor="middle">{10**power:,}</text>'
        )
    for power in range(y_low, y_high + 1):
        y = y_of(10**power)
        parts.append(f'<path d="M{left} {y:.1f}H{width - right}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 5:.1f}" text-anchor="end">{10.0**power:g}</text>')
    parts.append(f'<text x="{left}" y="{top - 10}">milliseconds</text>')
    parts.append(f'<text x="{width - right}" y="{height - 14}" text-anchor="end">ledger entries</text>')
    labels = iter(_apart([y_of(1e3 * rows[-1][name]) for name in NAMES]))
    for name, colour in zip(NAMES, COLOURS, strict=True):
        points = [(x_of(row["awards"]), y_of(1e3 * row[name])) for row in rows]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        parts.append(
            f'<text x="{points[-1][0] + 10:.1f}" y="{next(labels) + 5:.1f}" fill="{colour}">{name}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _apart(places: list[float], distance: float = 17) -> list[float]:
    """Return the places of labels, moved so far down that none covers another."""
    moved, last = list(places), -math.inf
    for index in sorted(range(len(places)), key=places.__getitem__):
        last = moved[index] = max(places[index], last + distance)
    return moved


# --- All sizes ----------------------------------------------------------------------------------------------
def at_size(size: int, jobs: int, migrated: dict[str, str]) -> dict[str, float]:
    """Generate a federation of about this many awards, measure, and return the results.

    migrated: the environment of a migrated, empty database, which is copied
    """
    import psycopg

    cluster, _slash, template = migrated["DATABASE_URL"].rpartition("/")
    environment = {**migrated, "DATABASE_URL": f"{cluster}/curve"}
    with psycopg.connect(f"{cluster}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE curve TEMPLATE {template}")
        command = [
            sys.executable,
            "-m",
            "benchmarks.generate",
            "--tier",
            "acbl",
            "--scale",
            str(size / WHOLE),
        ]
        subprocess.run([*command, "--jobs", str(jobs)], env=environment, check=True)
        command = [sys.executable, "-m", "benchmarks.curve", "--measure"]
        output = subprocess.run(
            command, env=environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout
        connection.execute("DROP DATABASE curve WITH (FORCE)")
    return json.loads(output.splitlines()[-1])


def print_table(rows: list[dict[str, float]]) -> None:
    """Print milliseconds, and in brackets how many times the simple query of the same run."""
    print("| ledger entries | " + " | ".join(NAMES) + " |\n" + "|---" * (len(NAMES) + 1) + "|")
    for row in rows:
        cells = (f"{1e3 * row[name]:,.0f} ms ({row[name] / row['base']:,.0f})" for name in NAMES)
        print(f"| {row['awards']:,} | " + " | ".join(cells) + " |")
    for name in FLAT:
        first, last = (row[name] / row["base"] for row in (rows[0], rows[-1]))
        line(
            f"{name}: largest size : smallest",
            f"{last / first:.1f}",
            f"at most {GROWTH}",
            last / first <= GROWTH,
        )


def main() -> None:
    from .__main__ import Database

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--largest", type=int, default=1_000_000, help="awards of the largest size")
    parser.add_argument("--jobs", type=int, default=2, help="processes that generate")
    parser.add_argument("--measure", action="store_true", help="measure the database in DATABASE_URL")
    arguments = parser.parse_args()
    if arguments.measure:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
        print(json.dumps(measure()))
        return
    with Database() as environment:
        sizes = [size for size in SIZES if size <= arguments.largest]
        rows = [at_size(size, arguments.jobs, environment) for size in sizes]
    print(f"Cost against size, PostgreSQL, median of {ROUNDS}, load {os.getloadavg()[0]:.1f}")
    print_table(rows)
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(rows))


if __name__ == "__main__":
    main()
