"""`manage.py stored_files`: where the bytes of uploaded files are, moving them, orphans in the storage."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import StoredFile
from tournaments.services import stored_files
from ui.clock import today

EVERY = 1000  # files between two lines of progress


class Command(BaseCommand):
    help = "Show where the bytes of uploaded files are, move them, or delete those that belong to no upload."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the act to perform, and where to move."""
        parser.add_argument(
            "act",
            choices=["status", "move", "sweep"],
            help="status: show numbers; move: move all files, can be interrupted and repeated; "
            "sweep: delete orphans in the storage, however many",
        )
        parser.add_argument(
            "--to-database",
            action="store_true",
            help="move from the storage of BAZA_FILES back into the database",
        )

    def handle(self, act: str, to_database: bool, **options: object) -> None:
        """Perform the act."""
        if not stored_files.is_kept_apart() and act != "status":
            raise CommandError("BAZA_FILES is not set: all files are in the database.")
        try:
            if act == "move":
                self._move(to_storage=not to_database)
            elif act == "sweep":
                listed = stored_files.listing(today())
                self.stdout.write(f"orphans deleted: {stored_files.delete_orphans(listed)}")
            self._status()
        except stored_files.FilesUnavailable as error:
            raise CommandError(f"The storage does not answer as it should: {error}") from error

    def _status(self) -> None:
        in_database = StoredFile.objects.filter(key="").count()
        self.stdout.write(f"files in the database: {in_database}")
        self.stdout.write(f"files in the storage: {StoredFile.objects.count() - in_database}")
        if stored_files.is_storage_lost():
            raise stored_files.StorageLost
        if stored_files.is_kept_apart():
            orphans = stored_files.listing(None).orphans
            old = sum(stored_files.is_old(name, today()) for name in orphans)
            self.stdout.write(f"orphans in the storage: {len(orphans)}")
            self.stdout.write(f"of these two days old or more, which workers delete: {old}")

    def _move(self, to_storage: bool) -> None:
        moved, left = 0, 0

        def note(file: StoredFile, error: stored_files.Damaged | None) -> None:
            nonlocal moved, left
            if error:
                left += 1
                self.stderr.write(f"file {file.pk} stays where it is: {error}")
                return
            moved += 1
            if moved % EVERY == 0:
                self.stdout.write(f"moved: {moved}")

        stored_files.move(to_storage, note)
        self.stdout.write(f"moved: {moved}")
        if left:
            raise CommandError(f"files left where they are: {left}")
