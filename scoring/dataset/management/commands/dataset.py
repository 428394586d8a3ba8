"""Write a dump of the public data, import one, and write the standings of a day as files."""

from datetime import date
from pathlib import Path

from django.core.management import BaseCommand, CommandError

from scoring.dataset import loading, services, writing
from scoring.dataset.archive import csv_lines
from scoring.dataset.models import Dump
from scoring.dataset.reading import BadDataset
from scoring.dataset.standings import lists_of
from scoring.ledger.conditional import standings_state
from scoring.ledger.isolation import consistent_read
from scoring.ledger.models import LedgerEntry
from scoring.transparency.services import LogDamaged


def _day(text: str) -> date:
    day = date.fromisoformat(text)
    if day.year < 1900:  # Python has no date a year before the year 1
        raise ValueError(text)
    return day


class Command(BaseCommand):
    help = "Writes a dump of all public data, imports one, or writes the standings of a day as CSV files."

    def add_arguments(self, parser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        write = acts.add_parser("write", help="write a dump now; without --to the site publishes it")
        write.add_argument("--to", type=Path, metavar="FILE", help="write it to this file only")
        load = acts.add_parser("load", help="import a dump into an empty installation")
        load.add_argument("file", type=Path, metavar="ZIP")
        standings = acts.add_parser("standings", help="write the standings of a day as CSV files")
        standings.add_argument("--to", type=Path, required=True, metavar="DIR", help="folder for the files")
        standings.add_argument(
            "--day", type=_day, metavar="YYYY-MM-DD", help="another day than that of the site"
        )

    def handle(self, *args, act, **options) -> None:
        try:
            getattr(self, act)(**options)
        except (BadDataset, loading.NotEmpty, LogDamaged, writing.NoCheckpoint) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error

    def write(self, to: Path | None, **options) -> None:
        """Write a dump to a file, or publish one."""
        if to is None:
            dump = services.ask()
            services.make(dump.pk)
            dump = Dump.objects.get(pk=dump.pk)
            if dump.state != Dump.State.DONE:
                raise CommandError(f"the dump is {dump.get_state_display()}: {dump.error}")
            self.stdout.write(f"{dump.day}: {dump.size} bytes, SHA-256 {dump.sha256}")
            return
        part = to.with_name(f".{to.name}.new")
        try:
            written = writing.write(part)
            part.replace(to)
        finally:
            part.unlink(missing_ok=True)
        self.stdout.write(f"{written.day}: {written.size} bytes, SHA-256 {written.sha256}")

    def load(self, file: Path, **options) -> None:
        """Import a dump."""
        for name, count in loading.load(file).items():
            self.stdout.write(f"{name}: {count}")

    def standings(self, to: Path, day: date | None, **options) -> None:
        """Write the lists of a day."""
        to.mkdir(parents=True, exist_ok=True)
        with consistent_read():
            for file, rows in lists_of(day or standings_state().as_of, LedgerEntry.objects.all()):
                (to / Path(file.csv).name).write_bytes(csv_lines([file.heads, *rows]))
                self.stdout.write(f"{file.csv}: {len(rows)}")
