"""`manage.py upload`: send a result file to a club as the script for a club's computer does."""

import os
import sys
from types import SimpleNamespace

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.api import baza_upload


class Command(BaseCommand):
    help = "Send a result file to a club, or every new file of a folder, through the interface for programs."

    def create_parser(self, *names, **options) -> CommandParser:
        """Return a parser that takes no abbreviations, and whose errors repeat no token."""
        parser = super().create_parser(*names, allow_abbrev=False, **options)
        refuse = parser.error
        parser.error = lambda message: refuse(baza_upload.without_token(message))  # type: ignore[method-assign]
        return parser

    def add_arguments(self, parser) -> None:
        address = f"http://{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
        parser.add_argument("--server", default=address, help="the address of the site")
        baza_upload.add_arguments(parser)

    def handle(self, *args, **options) -> None:
        if bool(options["file"]) == bool(options["watch"]):
            raise CommandError("Give a file or --watch.")
        sys.exit(baza_upload.run(SimpleNamespace(**options), self.stdout.write))
