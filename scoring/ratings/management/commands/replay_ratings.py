"""Recompute all ratings of Go players from the stored games."""

from datetime import date

from django.core.management import BaseCommand, CommandError

from scoring.ratings.models import RatedPlayer, RatingReplay
from scoring.ratings.services import replays


class Command(BaseCommand):
    help = "Rate all Go tournaments again and post the ratings that differ (verify only reports them)."

    def handle(self, *args, **options) -> None:
        # Do not enqueue the replay: this process does the work.
        run = RatingReplay.objects.create(since=date.min, reason="manage.py replay_ratings")
        replays.replay(run.pk)
        run.refresh_from_db()
        if run.state != RatingReplay.State.DONE:
            raise CommandError("A worker has taken this over.")
        replays.refresh_players(RatedPlayer.objects.values_list("pk", flat=True))
        self.stdout.write(f"{run.changed} ratings differed and were posted.")
