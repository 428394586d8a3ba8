"""Scoring runs: frozen inputs, claimed once, computed outside transactions, posted inside a short one.

The queue may lose, repeat or reorder messages: `score` can be called any number of times for a run, by any
number of workers, and posts once.
"""

import logging
from datetime import timedelta

from scoring.engine import ENGINE_VERSION
from scoring.engine.errors import EngineError
from scoring.ledger import evaluation as adapters
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import posting, queue
from scoring.ledger.snapshots import digest_of, evaluation_of, inputs_of, stored_digest
from tournaments.drafts import Header, header_of, rows_of
from tournaments.models import Revision

logger = logging.getLogger(__name__)

# A tournament takes well under a second. Who takes longer than the lease, or died, loses the run to another
# worker; should both come to the end, `posting.post` lets only the holder of the lease write.
LEASE = timedelta(seconds=15)


def create_run(
    revision: Revision,
    by,
    reason: str = "",
    *,
    header: Header | None = None,
    state: str = ScoringRun.State.PENDING,
) -> ScoringRun:
    """Freeze what the engine needs to know of a revision today. Raises EngineError where it refuses it.

    header: the tournament's data where they are not stored with it, because a correction still waits
    """
    evaluation = adapters.evaluate(header or header_of(revision.tournament), rows_of(revision))
    return ScoringRun.objects.create(
        tournament=revision.tournament,
        revision=revision,
        number=revision.runs.count() + 1,
        regulation=evaluation.regulation.code,
        reason=reason,
        inputs=inputs_of(evaluation),
        input_digest=digest_of(evaluation),
        engine_version=ENGINE_VERSION,
        state=state,
        created_by=by,
    )


def create_annulling(last: ScoringRun, by, reason: str) -> ScoringRun:
    """A run that takes back what a tournament gave. last: the last calculation of its last ranking"""
    return _create_after(last, by, reason, ScoringRun.Purpose.ANNUL, [], stored_digest([]))


def create_restoring(last: ScoringRun, by, reason: str) -> ScoringRun:
    """A run that gives again what `last` gave, or would have given: from its inputs, not from today's."""
    return _create_after(last, by, reason, ScoringRun.Purpose.RESTORE, last.inputs, last.input_digest)


def _create_after(
    last: ScoringRun, by, reason: str, purpose: str, inputs: list[dict], input_digest: str
) -> ScoringRun:
    """The next run of the same ranking."""
    return ScoringRun.objects.create(
        tournament_id=last.tournament_id,
        revision=last.revision,
        number=last.revision.runs.count() + 1,
        purpose=purpose,
        regulation=last.regulation,
        reason=reason,
        inputs=inputs,
        input_digest=input_digest,
        engine_version=ENGINE_VERSION,
        created_by=by,
    )


def claim(run_id: int) -> ScoringRun | None:
    """Take the run for this worker, or None when it is done, parked or in other hands."""
    return queue.claim(ScoringRun, run_id, LEASE, stage="computing")


def score(run_id: int) -> None:
    """Compute and post a run. Safe to repeat; raises what is wrong with the run itself."""
    run = claim(run_id)
    if run is None:
        return
    try:
        annuls = run.purpose == ScoringRun.Purpose.ANNUL
        posting.post(run, None if annuls else evaluation_of(run))
    except queue.LeaseLost:
        logger.warning("run %s was taken over by another worker", run_id)
    except posting.Superseded as error:
        queue.park(run, error, ScoringRun.State.OUTDATED)
    except EngineError as error:
        # The same inputs would be refused again: no use in trying twice.
        logger.error("run %s is parked: %s", run_id, error)
        queue.park(run, error, ScoringRun.State.FAILED)
    except Exception as error:
        if not queue.hand_back(run, error):
            raise


def retry_failed(run: ScoringRun) -> None:
    """Let a parked run try again, because somebody mended the cause."""
    if queue.release(ScoringRun.objects.filter(pk=run.pk)):
        queue.tell_on_commit(run)
