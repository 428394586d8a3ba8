"""Bring the transparency log up to date and publish it as files, or make a key for it."""

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from scoring.transparency import publishing, services
from scoring.transparency.notes import COSIGNATURE, InvalidNote, Signer


class Command(BaseCommand):
    help = "Publishes the transparency log as files (C2SP tlog-tiles), or makes a key to sign it with."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        publish = acts.add_parser("publish", help="bring the log up to date and write its files")
        publish.add_argument("--to", type=Path, required=True, metavar="DIR", help="folder for the files")
        key = acts.add_parser("key", help="make a key; prints it, and the verifying key")
        key.add_argument("name", help="name of the log, such as example.org/transparencia")

    def handle(self, *args: Any, act: str, **options: Any) -> None:
        if act == "key":
            self.make_key(options["name"])
            return
        try:
            services.look_again()
            size = services.append()
            written = publishing.publish(options["to"])
        except (services.LogDamaged, *services.FAULTS, publishing.NoCheckpoint) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"cannot write to {options['to']}: {error.strerror}") from error
        self.stdout.write(f"{size} entries in the log, {written} files written")

    def make_key(self, name: str) -> None:
        try:
            signer = Signer.generate(name)
        except InvalidNote as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"BAZA_LOG_KEY={signer}")
        self.stdout.write(f"verifying key: {signer.verifier()}")
        self.stdout.write(f"verifying key as a witness: {signer.verifier(COSIGNATURE)}")
