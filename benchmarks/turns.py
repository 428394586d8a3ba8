"""Measure how long postings wait while a year begins, in the database of a large federation.

    DATABASE_URL=postgresql://... python -m benchmarks.turns

`generate.py` fills the database. On 1 January all licences of the old year have ended, and nearly everybody
has one of the new year. A process of its own brings the standings to that day, as a worker does in its first
sweep of the day, while this process posts a small tournament every second. The seconds of a posting include
waiting for locks. Afterwards the standings are compared with the ledger.

For comparison: the same postings with nothing beside them, and reading all licences.
"""

import os
import subprocess
import sys
import time
from datetime import date
from random import Random

from .timing import line, seconds

WAIT, EVERY, QUIET = 1.0, 1.0, 10
RENEW = """INSERT INTO players_licence (player_id, valid_from, valid_to, issuer, equivalent)
           SELECT player_id, make_date({year}, 1, 1), make_date({year}, 12, 31), '', false
           FROM players_licence WHERE valid_to = make_date({year} - 1, 12, 31) AND issuer = ''
           AND player_id % 20 <> 0 ON CONFLICT DO NOTHING"""

ROLL = """
import django; django.setup()
from datetime import date
from scoring.ledger.services import standings
standings.roll(date.fromisoformat("{day}"))
"""


class Poster:
    """Confirms and posts small tournaments of random players.

    title: with which the names of the tournaments begin
    every: seconds from one tournament to the next
    """

    def __init__(self, title: str = "Torneo medido", every: float = EVERY) -> None:
        from players.models import Club
        from scoring.ledger.models import Standing
        from scoring.ledger.services import standings

        self.rng, self.day = Random(3), standings.today()
        self.club = Club.objects.earliest("pk").pk
        self.people = list(Standing.objects.filter(family="aeb").values_list("player_id", flat=True))
        self.title, self.every, self.number = title, every, 0
        self.left: list[int] = []

    def confirm(self) -> int:
        """Store a tournament of six pairs, as confirming does. Return the id of its run."""
        from django.db import transaction

        from players.services import categories
        from scoring.ledger.services import runs
        from tournaments.drafts import Header, Row, SeatRow, store

        self.number += 1
        players = self.rng.sample(self.people, 12)
        seats = [SeatRow(player) for player in players]
        rows = [Row(k + 1, k + 1, pair) for k, pair in enumerate(zip(seats[::2], seats[1::2], strict=True))]
        name = f"{self.title} {self.number}"
        header = Header(name, self.club, "regional", "pairs", "in_person", self.day, self.day, 44, 44)
        with transaction.atomic():
            categories.lock(players)
            return runs.create_run(store(header, rows, None), None).pk

    def post(self) -> float:
        """Confirm a tournament and score it. Return the seconds of both, which take locks."""
        from scoring.ledger.models import ScoringRun
        from scoring.ledger.services import runs

        started = time.perf_counter()
        run = self.confirm()
        runs.score(run)
        taken = time.perf_counter() - started
        state, error = ScoringRun.objects.values_list("state", "error").get(pk=run)
        assert state == ScoringRun.State.DONE, error
        return taken

    def leave(self) -> None:
        """Confirm a tournament, and leave scoring it to the workers, whose sweeper finds it."""
        self.left.append(self.confirm())

    def all_done(self) -> bool:
        """Return whether all tournaments that were left to the workers are scored."""
        from scoring.ledger.models import ScoringRun

        return not ScoringRun.objects.filter(pk__in=self.left).exclude(state=ScoringRun.State.DONE).exists()

    def beside(self, code: str) -> tuple[float, list[float]]:
        """Run Python code in a process of its own, and post beside it.

        Return the seconds that it took, and those of each posting.
        """
        started, times = time.monotonic(), []
        process = subprocess.Popen([sys.executable, "-c", code])
        while process.poll() is None:
            times.append(self.post())
            time.sleep(max(0.0, self.every - times[-1]))
        if process.returncode:
            raise RuntimeError(f"{code} failed")
        return time.monotonic() - started, times


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    from django.db import connection

    from players.models import Licence, Player
    from scoring.ledger.models import StandingsState
    from scoring.ledger.services import standings

    poster = Poster()
    quiet = max(poster.post() for _number in range(QUIET))
    day = date(poster.day.year + 1, 1, 1)
    bare = seconds(lambda: list(Licence.objects.values_list("player_id", "valid_from", "valid_to")))
    print(f"The turn of a year with {Player.objects.count():,} players, load {os.getloadavg()[0]:.1f}")
    line("reading all licences", f"{bare:.1f} s")
    line("posting with nothing beside it, longest", f"{quiet:.2f} s")
    with connection.cursor() as cursor:
        cursor.execute(RENEW.format(year=day.year))
        renewed = cursor.rowcount
    taken, times = poster.beside(ROLL.format(day=day))
    line(f"advancing to {day}, {renewed:,} licences renewed", f"{taken:.1f} s")
    line("advancing : reading all licences", f"{taken / bare:.0f}")
    longest = max(times)
    line("posting beside it, longest", f"{longest:.2f} s", f"under {WAIT:.0f} s", longest < WAIT)
    state = StandingsState.objects.get(family="aeb")
    line("the standings are of", str(state.as_of), str(day), state.as_of == day)
    wrong = len(standings.compare(day))
    line("standings that differ from the ledger", str(wrong), "none", wrong == 0)


if __name__ == "__main__":
    main()
