"""Note that a backup was made: the last step of the script that makes it."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from federation import backups


class Command(BaseCommand):
    help = "Note that a backup has just been made and stored. Without a note for long, an alarm is raised."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="the backup, of which the size is noted")

    def handle(self, *, file: Path | None, **_options: Any) -> None:
        size = file.stat().st_size if file and file.is_file() else 0
        if file and not size:
            raise CommandError(f"{file} is no file or is empty: nothing was noted.")
        backup = backups.note(size or None)
        self.stdout.write(f"Noted the backup of {backup}.")
