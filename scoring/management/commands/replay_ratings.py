"""Compute every rating of Go players anew from the stored games."""

from datetime import date

from django.core.management import BaseCommand, CommandError

from scoring.models import RatingReplay
from scoring.services import go_ratings

SHOWN = 50


class Command(BaseCommand):
    help = "Rate all Go tournaments anew and post what differs; --check only reports it."

    def add_arguments(self, parser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="Change nothing; fail where anything differs."
        )

    def handle(self, *args, check: bool, **options) -> None:
        if check:
            found = list(go_ratings.differences(date.min, self.say))
            for each in found[:SHOWN]:
                where = f"tournament {each.tournament}, player {each.player}"
                self.stdout.write(f"{where}: {each.old} stored, {each.new.after} computed")
            if found:
                raise CommandError(f"{len(found)} ratings differ.")
            self.stdout.write("Equal.")
            return
        # Not told to the workers: this process does the work.
        run = RatingReplay.objects.create(since=date.min, reason="manage.py replay_ratings")
        go_ratings.replay(run.pk)
        run.refresh_from_db()
        self.stdout.write(f"{run.changed} ratings differed and were posted.")

    def say(self, done: int) -> None:
        """Progress, at once, even into a pipe."""
        self.stdout.write(f"  {done} tournaments")
        self.stdout.flush()
