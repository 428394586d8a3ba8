"""Make sanity checks and print what they report. Nothing is written to the database."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error as DatabaseError

from players.database_errors import is_timeout
from scoring.sanity.services import STATEMENT, found_by
from ui.sanity import Check, Severity, checks

PART = 500  # findings whose words are read together


class Command(BaseCommand):
    help = (
        "Make sanity checks; print code, severity, key, words and address of each finding. 1 on errors, 3 "
        "if a check took too long."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "codes", nargs="*", metavar="CODE", help="only these checks; docs/sanity.md lists all"
        )
        parser.add_argument("--list", action="store_true", help="print the codes and what they mean, and end")
        parser.add_argument(
            "--most", type=int, default=1_000, help="most findings of a check (default 1,000)"
        )

    def handle(self, *, codes: list[str], most: int, **options: Any) -> None:
        known = {check.code: check for check in checks()}
        if unknown := sorted(set(codes) - known.keys()):
            raise CommandError(f"Unknown codes: {', '.join(unknown)}", returncode=2)
        chosen = [known[code] for code in codes] or list(known.values())
        if options["list"]:
            for check in chosen:
                self._print(check.code, check.severity.name.lower(), check.title)
            return
        reported, not_made = [], []
        for check in chosen:
            try:
                if self._report(check, most):
                    reported.append(check.severity)
            except DatabaseError as error:
                if not is_timeout(error):
                    raise
                not_made.append(check.code)
        if not_made:
            text = f"A statement took longer than {STATEMENT} s, so these checks were not made: "
            raise CommandError(text + ", ".join(not_made), returncode=3)
        if Severity.ERROR in reported:
            raise SystemExit(1)

    def _report(self, check: Check, most: int) -> int:
        """Print the findings of a check. Return their number."""
        keys, number = [], 0
        for key in filter(None, found_by(check)):
            number += 1
            if number <= most:
                keys.append(key)
        for start in range(0, len(keys), PART):
            part = keys[start : start + PART]
            words = check.finder.describe(part)
            for key in part:
                if key in words:
                    self._print(check.code, check.severity.name.lower(), key, words[key].text, words[key].url)
        if number > most:
            self._print(check.code, check.severity.name.lower(), f"… {number} in all")
        return number

    def _print(self, *values: object) -> None:
        self.stdout.write("\t".join(" ".join(str(value).split()) for value in values))
