"""Create scoring runs with their inputs, compute their results and post the results.

Results are computed outside of transactions and posted in a short one. The broker may lose, repeat or reorder
messages: any number of workers may call `score` for a run any number of times, and it is posted once.
"""

import logging
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User

from scoring.engine import ENGINE_VERSION
from scoring.engine.errors import EngineError
from scoring.ledger import evaluation as adapters
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import posting, queue
from scoring.ledger.snapshots import digest_of, evaluation_of, inputs_of, stored_digest
from tournaments.drafts import Header, header_of, rows_of
from tournaments.models import Revision
from ui.shared import ANYTHING, changes_only, tournament_key

logger = logging.getLogger(__name__)

# A tournament takes well under a second. A worker that dies or exceeds the lease loses the run to another; if
# both finish, `posting.post` lets only the holder of the lease write.
LEASE = timedelta(seconds=8)


def create_run(
    revision: Revision,
    by: User | None,
    reason: str = "",
    *,
    header: Header | None = None,
    state: str = ScoringRun.State.PENDING,
) -> ScoringRun:
    """Create a run that scores a revision, and store the engine's inputs with it.

    Raise EngineError if the engine refuses the inputs.

    header: data of a correction that waits for approval and is not yet stored with the tournament
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


def create_annulling(last: ScoringRun, by: User | None, reason: str) -> ScoringRun:
    """Create a run that reverses a tournament's awards.

    last: the latest run of the tournament's latest revision
    """
    return _create_after(last, by, reason, ScoringRun.Purpose.ANNUL, [], stored_digest([]))


def create_restoring(last: ScoringRun, by: User | None, reason: str) -> ScoringRun:
    """Create a run that posts the awards of `last` again, from its stored inputs."""
    return _create_after(last, by, reason, ScoringRun.Purpose.RESTORE, last.inputs, last.input_digest)


def _create_after(
    last: ScoringRun,
    by: User | None,
    reason: str,
    purpose: str,
    inputs: list[dict[str, Any]],
    input_digest: str,
) -> ScoringRun:
    """Create a run of the same revision as `last`, with the next number."""
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
    """Claim the run for this worker. Return None if the run is done, parked or held by another worker."""
    return queue.claim(ScoringRun, run_id, LEASE)


def score(run_id: int) -> None:
    """Compute the points of a run and post them. A run that is already done is left alone.

    If the engine refuses the inputs, the run is parked. After a timeout or a temporary database failure, it
    waits for the next attempt. Any other error is raised again, so that the worker logs it.
    """
    run = claim(run_id)
    if run is None:
        return
    try:
        annuls = run.purpose == ScoringRun.Purpose.ANNUL
        evaluation = None if annuls else evaluation_of(run)
        with changes_only(ANYTHING, tournament_key(run.tournament_id)):
            posting.post(run, evaluation)
    except queue.LeaseLost:
        logger.warning("run %s was taken over by another worker", run_id)
    except posting.Superseded as error:
        queue.park(run, error, ScoringRun.State.OUTDATED)
    except EngineError as error:
        # Park at once: the engine would refuse the same inputs again.
        logger.error("run %s is parked: %s", run_id, error)
        queue.park(run, error, ScoringRun.State.FAILED)
    except Exception as error:
        if not queue.hand_back(run, error):
            raise


def retry_failed(run: ScoringRun) -> None:
    """Let workers retry a parked run."""
    if queue.release(ScoringRun.objects.filter(pk=run.pk)):
        queue.enqueue_on_commit(run)
