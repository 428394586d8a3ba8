"""`manage.py score`: scores events from the command line, for other programs and for independent checks."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from scoring.engine.strictjson import NotJSON, read_bytes
from scoring.regulations.answers import answer, lines_of
from scoring.regulations.published import input_schema, output_schema

SCHEMAS = {"input": input_schema, "output": output_schema}


def schema_text(name: str) -> str:
    """Return the published JSON schema of the input or of the output."""
    return json.dumps(SCHEMAS[name](), ensure_ascii=False, indent=2)


class Command(BaseCommand):
    help = "Scores events given as JSON with the engine alone; no database is read or written."
    # The engine needs none of what the checks look at, and scripts call this often.
    requires_system_checks = []

    def add_arguments(self, parser):
        parser.add_argument(
            "file", nargs="?", help="one JSON object or JSON Lines; standard input if left out"
        )

        parser.add_argument(
            "--schema", choices=SCHEMAS, help="print the JSON schema of the input or of the output instead"
        )

    def handle(self, *args, file=None, schema=None, **options):
        if schema:
            self.stdout.write(schema_text(schema))
            return
        try:
            values = read_bytes(Path(file).read_bytes() if file else sys.stdin.buffer.read())
        except (OSError, NotJSON) as error:
            raise CommandError(f"unreadable input: {error}", returncode=2) from error
        answers = [answer(value) for value in values]
        self.stdout.write(lines_of(answers), ending="")
        failed = sum("error" in line for line in answers)
        if failed:
            raise CommandError(f"{failed} of {len(answers)} events not computed", returncode=1)
