"""`manage.py score`: scores events from the command line, for other programs and for independent checks."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.engine.strictjson import Fields, NotJSON, read_values
from scoring.regulations.published import input_schema, output_schema

SCHEMAS = {"input": input_schema, "output": output_schema}


def answer(value: Any) -> dict[str, Any]:
    """Score one event, given as a JSON value. Return the result or, if it cannot be scored, an error."""
    try:
        fields = Fields.of(value)
        return regulations.from_fields(fields).answer(fields)
    except EngineError as error:
        return {"error": {"code": error.code, "field": error.field, "message": error.message}}


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
            data = Path(file).read_bytes() if file else sys.stdin.buffer.read()
            values = read_values(data.decode("utf-8-sig"))
        except (OSError, UnicodeDecodeError, NotJSON) as error:
            raise CommandError(f"unreadable input: {error}", returncode=2) from error
        answers = [answer(value) for value in values]
        for line in answers:
            self.stdout.write(json.dumps(line, ensure_ascii=True))
        failed = sum("error" in line for line in answers)
        if failed:
            raise CommandError(f"{failed} of {len(answers)} events not computed", returncode=1)
