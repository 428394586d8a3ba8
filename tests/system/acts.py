"""What a test lets a real installation do, in a process of its own: `python -m tests.system.acts VERB …`.

Each verb prints one JSON value. The process has the installation's environment: its database, its queue.
"""

import json
import sys

import django

django.setup()

from django.db import transaction  # noqa: E402  (models need Django set up)

from players.models import Player  # noqa: E402
from scoring.models import LedgerEntry, ScoringRun  # noqa: E402
from scoring.services import runs, standings  # noqa: E402
from scoring.tasks import score_run  # noqa: E402
from tests import factories as make  # noqa: E402


def confirm(count: str) -> list[int]:
    """Store tournaments of four pairs and tell the workers, as a director's confirmation does: run ids."""
    with transaction.atomic():
        people = list(Player.objects.order_by("pk")[:8]) or make.players(8, category="2C")
        made = []
        for _ in range(int(count)):
            run = runs.create_run(make.revision(*make.pairs(people), of=people[0].club), None)
            runs.enqueue_on_commit(run)
            made.append(run.pk)
    return made


def deliver(run_id: str, times: str) -> int:
    """Send the same message several times."""
    for _ in range(int(times)):
        score_run.delay(int(run_id))
    return int(times)


def audit() -> list[str]:
    """What is wrong with ledger and standings, computed again from the stored inputs."""
    wrong = []
    for run in ScoringRun.objects.order_by("pk"):
        if run.state != ScoringRun.State.DONE:
            wrong.append(f"run {run.pk} is {run.state}: {run.error}")
            continue
        points = runs.evaluation_of(run).points_by_position
        expected = sorted(
            (seat.player_id, points[seat.contestant.position])
            for seat in run.revision.seats.select_related("contestant")
        )
        posted = sorted(LedgerEntry.objects.filter(run=run).values_list("player_id", "points"))
        if posted != expected:
            wrong.append(f"run {run.pk} posted {posted}, not {expected}")
    return wrong + [str(each) for each in standings.rebuild(standings.today())]


if __name__ == "__main__":
    verb = {"confirm": confirm, "deliver": deliver, "audit": audit}[sys.argv[1]]
    print(json.dumps(verb(*sys.argv[2:])))
