"""Compute the standings and the totals of years again from the ledger."""

from datetime import date

from django.core.management import BaseCommand

from scoring.ledger.services import standings


class Command(BaseCommand):
    help = "Compute every standing and year from the ledger, mend what differs and print it."

    def add_arguments(self, parser) -> None:
        parser.add_argument("--day", type=date.fromisoformat, help="As of this day; today if not given.")

    def handle(self, *args, day: date | None, **options) -> None:
        differences = standings.rebuild(day or standings.today())
        for row in differences:
            stored, computed = (each and each.points for each in (row.stored, row.computed))
            span = getattr(row.computed or row.stored, "year", "12 months")
            self.stdout.write(f"{row.player_id}\t{span}\t{stored}\t{computed}")
        self.stdout.write(f"{len(differences)} differences, all mended.")
