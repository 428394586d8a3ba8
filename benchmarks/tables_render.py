# ruff: noqa: E402 (imports that need Django come after its setup)
"""Measure a table of 50 rows and 6 columns, rendered by a bare template, by stock django-tables2 and by ours.

    python benchmarks/tables_render.py [rounds]

Prints the median milliseconds of a rendering and the ratios to the bare template. Each rendering builds a new
table from the same records, as a request does.
"""

import os
import statistics
import sys
import time
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")

import django

django.setup()

import django_tables2 as tables
from django.template import engines
from django.test import RequestFactory

from ui.columns import CategoryColumn, DateColumn, PlayerColumn, PointsColumn, RankColumn
from ui.tables import BaseTable

ROWS, ROUNDS = 50, 40

BARE = """<table><thead><tr><th>Place</th><th>Player</th><th>Category</th><th>Club</th>
<th>Last</th><th>Points</th></tr></thead><tbody>
{% for r in records %}<tr><td class="num">{{ r.rank|count }}</td>
<th scope="row"><a href="{{ r.url }}">{{ r.name }}</a></th>
<td>{% category r.category %}</td><td>{{ r.club }}</td><td>{{ r.last|shortdate }}</td>
<td class="num">{{ r.points|points }}</td></tr>{% endfor %}</tbody></table>"""


@dataclass
class Record:
    """One row of the standings."""

    rank: int
    name: str
    url: str
    category: str
    club: str
    last: date
    points: int


class StockTable(tables.Table):
    """The measured table, with the classes of django-tables2."""

    rank = tables.Column(attrs={"cell": {"class": "num"}})
    name = tables.Column(linkify=lambda record: record.url)
    category = tables.Column()
    club = tables.Column()
    last = tables.DateColumn()
    points = tables.Column(attrs={"cell": {"class": "num"}})

    class Meta:
        template_name = "django_tables2/bootstrap5.html"


class OurTable(BaseTable):
    """The measured table, with this project's classes."""

    caption = "Standings"
    row_header = "name"
    rank = RankColumn()
    name = PlayerColumn()
    category = CategoryColumn()
    club = tables.Column()
    last = DateColumn()
    points = PointsColumn()

    class Meta:
        orderable = True


def records() -> list[Record]:
    """Return fifty synthetic records."""
    codes = ("3D", "2C", "1P", "MN", "MM-O")
    return [
        Record(
            number + 1,
            f"Player {number:05}",
            f"/players/{number}/",
            codes[number % 5],
            f"Club {number % 7}",
            date(2026, 1, 1) + timedelta(number),
            987_654 - 321 * number,
        )
        for number in range(ROWS)
    ]


def median_ms(render, rounds: int) -> float:
    """Return the median milliseconds of one call, after a warm-up."""
    for _ in range(5):
        render()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        render()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    data, request = records(), RequestFactory().get("/")
    bare_template = engines["django"].from_string(BARE)

    def bare() -> str:
        return bare_template.render({"records": data})

    def table(kind: type[tables.Table]) -> str:
        instance = kind(data, order_by="rank")
        tables.RequestConfig(request, paginate={"per_page": ROWS}).configure(instance)
        return instance.as_html(request)

    results = {
        "bare": median_ms(bare, rounds),
        "stock": median_ms(lambda: table(StockTable), rounds),
        "ours": median_ms(lambda: table(OurTable), rounds),
    }
    for name, milliseconds in results.items():
        print(f"{name:6} {milliseconds:7.2f} ms  {milliseconds / results['bare']:5.2f} x bare")


if __name__ == "__main__":
    main()
