"""Recompute the standings and year totals from the ledger."""

from datetime import date
from typing import Any

from django.core.management import BaseCommand, CommandParser

from players.models import Player
from scoring.ledger.services import standings
from ui.chunks import chunks


class Command(BaseCommand):
    help = "Recompute all standings and year totals from the ledger, repair differences and print them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--day", type=date.fromisoformat, help="As of this day; today if not given.")

    def handle(self, *args: Any, day: date | None, **options: Any) -> None:
        mismatches = standings.rebuild(day or standings.today())
        numbers: dict[int, str] = {}
        for ids in chunks({row.player_id for row in mismatches}):
            numbers |= dict(Player.objects.filter(pk__in=ids).values_list("pk", "number"))
        if mismatches:
            self.stdout.write("number\tperiod\tstored\tcomputed")
        for row in mismatches:
            stored, computed = (total and total.points for total in (row.stored, row.computed))
            row_of_day: Any = row.computed or row.stored
            span = getattr(row_of_day, "year", f"12 months up to {row_of_day.day}")
            self.stdout.write(f"{numbers[row.player_id]}\t{span}\t{stored}\t{computed}")
        self.stdout.write(f"{len(mismatches)} differences, all repaired.")
