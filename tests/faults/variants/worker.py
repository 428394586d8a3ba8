"""Workers that die or misbehave on purpose: `celery -A tests.faults.variants.worker worker`.

The variable BAZA_FAULT names the variant; BAZA_FAULT_FOLDER is a folder in which they note what they did.
"""

import os
import resource
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import django
from celery import signals

from federation.celery import app
from federation.sweeping import Sweeping

django.setup()

from django.db import connection, transaction  # noqa: E402  (models need Django set up)
from django.db.backends.postgresql.base import DatabaseWrapper  # noqa: E402
from django.db.backends.signals import connection_created  # noqa: E402

from scoring.ledger import work  # noqa: E402
from scoring.ledger.models import LedgerEntry, ScoringRun  # noqa: E402
from scoring.ledger.services import posting, runs, standings  # noqa: E402
from scoring.ledger.snapshots import evaluation_of  # noqa: E402

__all__ = ["app"]
FOLDER = Path(os.environ["BAZA_FAULT_FOLDER"])


def before_evaluating(do: Callable[[ScoringRun], object]) -> None:
    """Call a function after a run was claimed and before its points are computed."""

    def evaluate(run: ScoringRun):
        do(run)
        return evaluation_of(run)

    runs.evaluation_of = evaluate


# --- Slow and poisonous work ----------------------------------------------------------------------------
def slow() -> None:
    """Take 0.3 seconds between claiming a run and posting it, without any lock."""
    before_evaluating(lambda run: time.sleep(0.3))


def longer_than_the_broker_waits() -> None:
    """Take 6 seconds for some runs, while the broker delivers a message again after one."""
    app.conf.broker_transport_options |= {"visibility_timeout": 1, "unacked_restore_interval": 0.5}
    before_evaluating(lambda run: time.sleep(6 if run.pk % 15 == 0 else 0))


POISON = {"Pool 005", "Pool 010"}  # the second also kills the process


def poison() -> None:
    """Need more memory for two tournaments than the process may have."""

    def limit(**_signal) -> None:
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + 200_000_000,) * 2)

    def fill(run: ScoringRun) -> None:
        name = run.tournament.name
        if name not in POISON:
            return
        try:
            list(map(bytearray, [10_000_000] * 100))
        except MemoryError:
            if name == max(POISON):
                os.kill(os.getpid(), signal.SIGKILL)  # as the kernel does
            raise

    signals.worker_process_init.connect(limit, weak=False)
    before_evaluating(fill)


# --- Dying at each boundary between two statements ------------------------------------------------------
class Dying:
    """Kills the process once at each boundary: before every statement, and before and after every COMMIT.

    Each death happens to another run, so that none is parked for three dead workers.
    """

    def __init__(self) -> None:
        self.run: int | None = None
        self.boundaries = count()
        signals.task_prerun.connect(self._begin, weak=False)
        signals.task_postrun.connect(self._end, weak=False)
        connection_created.connect(self._watch, weak=False)
        commit = DatabaseWrapper._commit

        def dying_commit(wrapper: DatabaseWrapper):
            self.die("before COMMIT")
            result = commit(wrapper)
            self.die("after COMMIT")
            return result

        DatabaseWrapper._commit = dying_commit

    def _begin(self, args, **_signal) -> None:
        self.run, self.boundaries = args[1], count(1)

    def _end(self, **_signal) -> None:
        self.die("before the message is acknowledged")
        self.run = None

    def _watch(self, connection, **_signal) -> None:
        connection.execute_wrappers.append(self._execute)

    def _execute(self, execute, sql, params, many, context):
        self.die(sql.split("(")[0][:40].replace("/", " "))
        return execute(sql, params, many, context)

    def die(self, what: str) -> None:
        """Kill this process, unless that happened at this boundary or to this run before."""
        if self.run is None:
            return
        notes = [FOLDER / f"death at {next(self.boundaries):02} {what}", FOLDER / f"death of {self.run}"]
        if not any(note.exists() for note in notes):
            for note in notes:
                note.touch()
            os.kill(os.getpid(), signal.SIGKILL)


# --- Workers without what protects the ledger -----------------------------------------------------------
def without_sweeper() -> None:
    """Do not look for work whose message was lost."""
    app.steps["worker"].discard(Sweeping)


def repeating() -> None:
    """Score a run as often as its message arrives."""
    _perform(transaction.atomic(_post_without_looking))


def celery_defaults() -> None:
    """Work as Celery's documentation shows it: default settings, and each row saved by itself."""
    without_sweeper()
    app.conf.update(
        task_acks_late=False,
        task_reject_on_worker_lost=False,
        worker_prefetch_multiplier=4,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_transport_options={},
        visibility_timeout=None,
    )
    _perform(_post_without_looking)


def _perform(function: Callable[[int], object]) -> None:
    label = ScoringRun._meta.label_lower
    work.KINDS[label] = replace(work.KINDS[label], perform=function)


def _post_without_looking(run_id: int) -> None:
    """Post the points of a run, whatever its state."""
    run = ScoringRun.objects.select_related("tournament", "revision").get(pk=run_id)
    evaluation = evaluation_of(run)
    entries: list[LedgerEntry] = posting.award_entries(run, evaluation)
    for entry in entries:
        entry.save()
    run.tournament.published = run.revision
    run.tournament.save(update_fields=["published"])
    with transaction.atomic():
        standings.refresh({entry.player_id for entry in entries}, {evaluation.family}, entries[0].played_on)
    posting.finish(run, evaluation)


VARIANTS: dict[str, Callable[[], object]] = {
    "slow": slow,
    "longer than the broker waits": longer_than_the_broker_waits,
    "poison": poison,
    "dying": Dying,
    "without sweeper": without_sweeper,
    "repeating": repeating,
    "celery defaults": celery_defaults,
}
VARIANTS[os.environ["BAZA_FAULT"]]()
connection.close()
