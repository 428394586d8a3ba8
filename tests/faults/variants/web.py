"""Web processes that die or fail on purpose: `gunicorn tests.faults.variants.web`.

The variable BAZA_FAULT names the variant; BAZA_FAULT_FOLDER is a folder in which they note what they did.
"""

import os
import signal
from collections.abc import Callable
from pathlib import Path

from federation.wsgi import application

from django.db import transaction  # isort: skip  (models need Django set up)

from scoring.ledger.services import queue  # isort: skip

__all__ = ["application"]
FOLDER = Path(os.environ["BAZA_FAULT_FOLDER"])
TIMES = 5


def happens(what: str) -> bool:
    """Note that something happens now. Return False if it has happened often enough."""
    for number in range(TIMES):
        try:
            (FOLDER / f"{what} {number}").touch(exist_ok=False)
        except FileExistsError:
            continue
        return True
    return False


def dying() -> None:
    """Kill the process after the COMMIT of a confirmation, before its message is sent."""
    enqueue = queue.enqueue

    def die(*arguments) -> None:
        if happens("died before sending"):
            os.kill(os.getpid(), signal.SIGKILL)
        enqueue(*arguments)

    queue.enqueue = die


def raising() -> None:
    """Let something fail after the COMMIT of a confirmation, before its message is sent."""
    enqueue_on_commit = queue.enqueue_on_commit

    def fail() -> None:
        raise RuntimeError("a fault of the test")

    def enqueue_after_failure(row) -> None:
        if happens("failed before sending"):
            transaction.on_commit(fail)
        enqueue_on_commit(row)

    queue.enqueue_on_commit = enqueue_after_failure


VARIANTS: dict[str, Callable[[], object]] = {"dying": dying, "raising": raising}
VARIANTS[os.environ["BAZA_FAULT"]]()
