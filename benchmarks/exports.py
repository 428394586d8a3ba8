"""Measure the large lists as files: rows a second, and the memory that writing one takes.

    DATABASE_URL=postgresql://... python -m benchmarks.exports

`generate.py` fills the database. Requests are made in this process, through all middleware, without a
network; a file is read to its end and not kept. Processor time of this process and of the server counts.

For comparison: the same statements executed by the database's own cursor, whose rows a `csv.writer` writes.
Memory is what the process's resident set grows by while the file is written, after a file of each kind.
"""

import csv
import os

from .memory import resident
from .tier_pages import recording
from .timing import Clock, line, parent_of

ROUNDS = 3
EXPORTED = 20_000  # rows a second
LISTS = {"players": "/jugadores/", "standings": "/clasificaciones/2p/"}
MOST_MEMORY = 40  # megabytes that writing a file may take


class Sink:
    """A file that keeps nothing."""

    def write(self, text: str) -> None:
        pass


class Download:
    """A list written as a file, without a client that could slow it down.

    largest: the largest resident set while it was read, in megabytes
    """

    def __init__(self, client, path: str, kind: str) -> None:
        self.client, self.path, self.kind, self.largest = client, path, kind, 0.0

    def __call__(self) -> None:
        """Read the file to its end."""
        response = self.client.get(self.path, {"formato": self.kind})
        assert response.status_code == 200, (self.path, response.status_code)
        self.rows = -1
        for number, part in enumerate(response.streaming_content):
            self.rows += part.count(b"\n")
            if number % 2_000 == 0:
                self.largest = max(self.largest, resident(os.getpid()))
        self.largest = max(self.largest, resident(os.getpid()))
        response.close()


def write_bare(statements) -> None:
    """Execute the statements by the database's own cursor, and write their rows with a csv.writer."""
    from django.db import connection

    writer = csv.writer(Sink())
    connection.ensure_connection()
    with connection.connection.cursor() as cursor:
        for sql, params in statements:
            cursor.execute(sql, params or None)
            if cursor.description:
                writer.writerows(cursor)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection
    from django.test import Client

    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    connection.ensure_connection()
    clock = Clock(parent_of(connection.connection.info.backend_pid))
    for name, path in LISTS.items():
        plain, book = Download(client, path, "csv"), Download(client, path, "xlsx")
        plain(), book()  # imports and caches
        before, plain.largest, book.largest = resident(os.getpid()), 0.0, 0.0
        with recording() as recorder:
            plain()
        for _round in range(ROUNDS):
            with clock(f"{name} csv"):
                plain()
            with clock(f"{name} bare"):
                write_bare(recorder.statements)
        for _round in range(ROUNDS):
            with clock(f"{name} xlsx"):
                book()
        seconds = clock.processor()
        csv_seconds, bare, xlsx = (seconds[f"{name} {kind}"] for kind in ("csv", "bare", "xlsx"))
        rate, bar = plain.rows / csv_seconds, f"at least {EXPORTED:,}"
        label = f"{name}, {plain.rows:,} rows, CSV: rows a second"
        line(label, f"{rate:,.0f}", bar, rate >= EXPORTED)
        line("CSV : the bare statements and a csv.writer", f"{csv_seconds / bare:.1f}")
        line("XLSX: rows a second", f"{plain.rows / xlsx:,.0f}")
        grown = max(plain.largest, book.largest) - before
        line("memory", f"{grown:.0f} MB", f"at most {MOST_MEMORY} MB", grown <= MOST_MEMORY)


if __name__ == "__main__":
    main()
