"""Workers without what protects the ledger: the same faults must lose or double tournaments.

Otherwise the faults would prove nothing.
"""

import os
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest

from tests import servers
from tests.faults.conftest import CONTROLS
from tests.faults.harness import Fault, Run, Verdict, summary
from tests.faults.matrix import FAULTS, deliver_ten_times
from tests.faults.scene import Scene
from tests.system.conftest import Installation

PATIENCE = 25  # seconds until what is not scored counts as lost
ENOUGH = 8  # faults that must do harm with Celery's defaults
DEFAULTS = os.environ.get("CONTROLS", "1 2 4 9 10 11 12 14 17 18 23").split()


def without_unique_index(run: Run) -> None:
    """Let the ledger hold the same award twice."""
    with psycopg.connect(run.site.environment["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("DROP INDEX ledger_award_once")


def emptied_before_a_worker_came(run: Run) -> Iterator[None]:
    run.redis.client().flushall()
    yield
    for _number in range(2):
        run.start_worker()


def arriving_ten_times(run: Run) -> Iterator[None]:
    deliver_ten_times(run)
    yield


REPEATED = Fault(
    "8 without idempotency",
    "a message arrives ten times",
    "",
    arriving_ten_times,
    worker="repeating",
    prepare=without_unique_index,
)
EMPTIED = Fault(
    "11 without sweeper",
    "the queue is emptied before a worker came",
    "",
    emptied_before_a_worker_came,
    workers=0,
    worker="without sweeper",
)


@pytest.fixture
def number() -> str:
    """No fault of the list: the usual cluster."""
    return ""


@pytest.fixture
def judged(faulty_site: Installation, faulty_cluster: servers.Postgres, scene: Scene):
    """A function that runs a fault and returns its verdict."""

    def judge(fault: Fault) -> Verdict:
        verdict = Run(fault, 1, faulty_site, faulty_cluster, scene, PATIENCE).judge()
        CONTROLS.append(verdict)
        print(summary([verdict]), flush=True)
        return verdict

    return judge


def test_without_idempotency_points_are_doubled(judged):
    assert judged(REPEATED).doubled > 0


def test_without_the_sweeper_a_queue_that_was_emptied_loses_tournaments(judged):
    assert judged(EMPTIED).lost > 0


@pytest.mark.parametrize("fault", DEFAULTS)
def test_celery_defaults_under_a_fault(fault: str, judged):
    """Whether one fault does harm is chance. The next test counts them."""
    judged(
        replace(
            FAULTS[fault],
            number=f"{fault} with Celery's defaults",
            worker="celery defaults",
            expect=lambda run: [],
        )
    )


def test_celery_defaults_do_harm_under_most_faults():
    harmed = [v for v in CONTROLS if v.fault.worker == "celery defaults" and v.lost + v.doubled + v.half]
    assert len(harmed) >= min(ENOUGH, len(DEFAULTS)), [verdict.fault.number for verdict in harmed]
