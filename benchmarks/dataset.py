"""Measure writing the dump of all public data, as `manage.py dataset write` does every night.

    DATABASE_URL=postgresql://... python -m benchmarks.dataset

`generate.py` fills the database; the limits are those of the whole tier `aeb`, ten years. The transparency
log is brought up to date before. For comparison, the rows of awards and rankings, nearly all of the dump, are
read with the database's own cursor and written by a `csv.writer` into a zip file, without JSON.
"""

import csv
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from scoring.dataset.schema import AWARDS, RANKINGS

SECONDS, MEGABYTES = 120, 300
BARE = {
    AWARDS.csv: """SELECT leaf.id, entry.*, player.number, pseudonym.code FROM transparency_leaf leaf
        JOIN ledger_ledgerentry entry ON entry.id = leaf.entry_id
        JOIN players_player player ON player.id = entry.player_id
        JOIN transparency_pseudonym pseudonym ON pseudonym.player_id = player.id ORDER BY leaf.id""",
    RANKINGS.csv: """SELECT contestant.*, seat.position, player.number FROM tournaments_seat seat
        JOIN tournaments_contestant contestant ON contestant.id = seat.contestant_id
        LEFT JOIN players_player player ON player.id = seat.player_id
        ORDER BY contestant.id, seat.position""",
}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    from scoring.transparency import services

    from .timing import line, seconds

    services.append()
    with tempfile.TemporaryDirectory(prefix="baza-bench-") as folder:
        file = Path(folder) / "dataset.zip"
        command = [sys.executable, "manage.py", "dataset", "write", "--to", str(file)]
        took = seconds(lambda: subprocess.run(command, check=True))
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        line("dump", f"{file.stat().st_size / 1e6:,.0f} MB", f"{_rows(file):,} rows")
        line("writing the dump", f"{took:.0f} s", f"at most {SECONDS} s", took <= SECONDS)
        line("peak memory", f"{memory:.0f} MB", f"at most {MEGABYTES} MB", memory <= MEGABYTES)
        bare = seconds(lambda: _write_bare(Path(folder) / "bare.zip"))
        line("dump : awards and rankings by cursor and csv.writer", f"{took / bare:.2f}")


def _rows(file: Path) -> int:
    with ZipFile(file) as archive:
        return sum(json.loads(archive.read("manifest.json"))["rows"].values())


def _write_bare(path: Path) -> None:
    from django.db import connection, transaction

    with transaction.atomic(), ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, statement in BARE.items():
            with (
                connection.connection.cursor("bare") as cursor,
                archive.open(name, "w", force_zip64=True) as raw,
                io.TextIOWrapper(raw, newline="") as text,
            ):
                cursor.itersize = 2000
                csv.writer(text).writerows(cursor.execute(statement))


if __name__ == "__main__":
    main()
