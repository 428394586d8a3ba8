"""Measure how long confirming and posting wait while a list of licences is applied and undone.

    DATABASE_URL=postgresql://... python -m benchmarks.lists

`generate.py` fills the database. The list gives every player a further licence of this year. A process of its
own applies it, and undoes it, as a worker does, while this process confirms and posts a small tournament
twice a second. The seconds of both include waiting for locks. Afterwards the standings are compared with the
ledger.

For comparison: the same tournaments with nothing beside them, and the list written in one transaction.
"""

import os

from .timing import line
from .turns import QUIET, WAIT, Poster

EVERY = 0.5  # seconds between two tournaments
WORKER = """
import django; django.setup()
from scoring.ledger.models.work import UNDER_WAY
from scoring.office.lists import imports, writing
from scoring.office.models import ListTask
imports.KINDS["licences"].whole = {whole}
while task := ListTask.objects.filter(state__in=UNDER_WAY).first():
    writing.perform(task.pk)
"""


def receive(by, year: int):
    """Return a list that gives every player a licence of this year, compared with the register."""
    from players.models import Player
    from scoring.office.lists import imports

    numbers = Player.objects.filter(merged_into=None, erased_on=None).order_by("pk")
    rows = [f"{number};{year};bench;no" for number in numbers.values_list("number", flat=True)]
    heads = "Número;Temporada;Federación extranjera;Equivalente"
    batch = imports.receive("licences", "bench.csv", "\r\n".join([heads, *rows]).encode(), by)
    work()
    batch.refresh_from_db()
    return batch


def work() -> None:
    """Do what the workers were asked to do, in this process."""
    exec(WORKER.format(whole=False), {})


def ask_to_undo(batch, by) -> None:
    """Let a worker compare an applied list, and then ask for undoing it."""
    from scoring.ledger.services import standings
    from scoring.office.lists import imports

    imports.weigh_if_needed(batch, by)
    work()
    batch.refresh_from_db()
    undoing = imports.undoing_of(batch, standings.today(), by)
    imports.undo(batch.pk, undoing.digest, by, "measured")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.db import connection

    from players.models import Player, Role
    from scoring.ledger.services import standings
    from scoring.office.lists import imports

    connection.cursor().execute("SET lock_timeout = 0")  # to see the longest wait
    by, _new = User.objects.get_or_create(username="bench-lists")
    Role.objects.get_or_create(user=by, kind=Role.Kind.OFFICE)
    poster = Poster("Torneo junto a una lista", every=EVERY)
    quiet = [poster.post() for _number in range(QUIET)]
    print(f"A list of {Player.objects.count():,} licences, load {os.getloadavg()[0]:.1f}")
    line(
        "confirming and posting alone, median and longest",
        f"{sorted(quiet)[len(quiet) // 2]:.2f}, {max(quiet):.2f} s",
    )
    longest = {}
    for way, whole in (("in parts", False), ("in one transaction", True)):
        batch = receive(by, poster.day.year)
        imports.apply(batch.pk, batch.compared["digest"], by)
        for act in ("applying", "undoing"):
            if act == "undoing":
                batch.refresh_from_db()
                ask_to_undo(batch, by)
            taken, times = poster.beside(WORKER.format(whole=whole))
            longest[way, act] = max(times)
            line(f"{act} {way}", f"{taken:.1f} s")
            line("tournaments beside it, median", f"{sorted(times)[len(times) // 2]:.2f} s")
            if whole:
                line("tournaments beside it, longest", f"{max(times):.2f} s")
            else:
                line(
                    "tournaments beside it, longest",
                    f"{max(times):.2f} s",
                    f"under {WAIT:.0f} s",
                    max(times) < WAIT,
                )
    for act in ("applying", "undoing"):
        ratio = longest["in one transaction", act] / longest["in parts", act]
        line(f"longest wait while {act}: one transaction : parts", f"{ratio:.0f}")
    wrong = len(standings.compare(standings.today()))
    line("standings that differ from the ledger", str(wrong), "none", wrong == 0)


if __name__ == "__main__":
    main()
