"""Fill an empty database with an invented federation."""

import time
from datetime import date

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from players.models import Player
from scoring.demo import accounts, build
from scoring.demo.people import LADDER_START, SIZES
from scoring.ledger.services import standings
from scoring.transparency import services as transparency

PLAYERS_PER_CLUB = 20  # required, because the sample files need more than half of a club's players
NUMBERS = ["regions", "clubs", "players", "pool_pairs"]


class Command(BaseCommand):
    help = "Fill an empty database with an invented federation. A database with players is left as it is."

    def add_arguments(self, parser) -> None:
        parser.add_argument("--size", choices=SIZES, default="demo", help="Size; demo has 800 players.")
        parser.add_argument("--seed", type=int, default=1, help="Seed of the random numbers.")
        parser.add_argument("--since", type=date.fromisoformat, help="First day of play, YYYY-MM-DD.")
        parser.add_argument("--until", type=date.fromisoformat, help="Last day of play; by default today.")
        for name in NUMBERS:
            parser.add_argument(f"--{name.replace('_', '-')}", type=int, help="Overrides the size's number.")
        parser.add_argument("--pools-a-week", type=float, help="Average number of pools per club and week.")

    def handle(self, *args, size: str, seed: int, since: date | None, until: date | None, **options) -> None:
        if settings.PRODUCTION:
            raise CommandError(
                "The demo has accounts with a known password: not on a production installation."
            )
        if Player.objects.exists():
            self.stdout.write("The database has players already: nothing was added.")
            return
        numbers = {name: options[name] for name in [*NUMBERS, "pools_a_week"]}
        federation = SIZES[size].with_changes(since=since, **numbers)
        until = until or standings.today()
        if not LADDER_START <= federation.since <= until <= standings.today():
            raise CommandError(
                f"The days must be between {LADDER_START}, the first under these rules, and today, in order."
            )
        if min(federation.regions, federation.clubs, federation.players, federation.pool_pairs) < 1:
            raise CommandError("Every number must be at least 1.")
        if federation.players < PLAYERS_PER_CLUB * federation.clubs:
            raise CommandError(
                f"A club needs {PLAYERS_PER_CLUB} players to have a pool: more players, or fewer clubs."
            )
        started = time.monotonic()
        counts = build.make(federation, seed, until, self.report)
        self.report("transparency log")
        transparency.append()
        self.stdout.write(f"Made {counts.tournaments} tournaments in {time.monotonic() - started:.0f} s.")
        self.stdout.write("\n".join(accounts.summary()))

    def report(self, line: str) -> None:
        """Print a line and flush, so that progress shows immediately even through a pipe."""
        self.stdout.write(f"  {line}")
        self.stdout.flush()
