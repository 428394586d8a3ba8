"""Tournaments of a type that a club does not file alone: confirmed, they wait for a second person.

What waits is stored like any confirmed ranking, with its run in the state WAITING: no worker takes that one.
A correction that waits leaves the tournament's own data as they were. Approving lets the workers score the
run; returning or withdrawing removes what was stored, of which nothing ever counted, and makes the upload a
draft again.
"""

from dataclasses import asdict

from django.db.models import Max

from players.models import Proposal
from players.services import proposals
from scoring.ledger.approvers import approvers, is_regional
from scoring.ledger.evaluation import Evaluation
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.awards import effective_awards
from scoring.ledger.services import queue, standings
from tournaments.drafts import Header, apply_header
from tournaments.models import (
    BoardResult,
    Contestant,
    ResultUpload,
    Revision,
    Seat,
    SeparateEvent,
    Tournament,
)

KIND = "tournament"
Waiting = ScoringRun.State.WAITING


def needed(header: Header, evaluation: Evaluation, corrects: Tournament | None) -> bool:
    """Whether these points wait for a second person.

    A correction does where it makes the tournament one of such a type, or gives its first place more.
    """
    filing = evaluation.regulation.filing
    if not filing.needs_approval(header.event_type):
        return False
    if corrects is None or corrects.published_id is None:
        return True
    if (corrects.family, corrects.event_type) != (header.family, header.event_type):
        return True
    before = effective_awards(corrects).aggregate(most=Max("points"))["most"] or 0
    return first_points(evaluation) > before


def first_points(evaluation: Evaluation) -> int:
    """Hundredths of the first place; 0 where nothing counts."""
    return max(evaluation.points_by_position.values(), default=0)


def approvers_of(run: ScoringRun) -> str:
    """Who decides about a run that waits."""
    upload = ResultUpload.objects.only("pk").get(revision=run.revision_id)
    return approvers(proposal_of(upload).data["regional"])


def waiting_run(tournament: Tournament) -> ScoringRun | None:
    """The run of a tournament that waits for approval."""
    return tournament.runs.filter(state=Waiting).select_related("revision__upload").first()


def proposal_of(upload: ResultUpload) -> Proposal | None:
    """The act that an upload waits for, or the last one that was decided about it."""
    found = Proposal.objects.filter(kind=KIND, key=str(upload.pk)).select_related("decided_by")
    return found.order_by("-pk").first()


def returned(upload: ResultUpload) -> Proposal | None:
    """The decision by which a confirmed upload became a draft again."""
    decided = proposal_of(upload)
    return decided if decided and decided.state == Proposal.State.RETURNED else None


def ask(upload: ResultUpload, run: ScoringRun, header: Header, evaluation: Evaluation, by) -> Proposal:
    """Ask a second person to approve a run that waits."""
    club = upload.club
    data = {
        "run": run.pk,
        "header": {**asdict(header), "params": dict(header.params)},
        "club": club.name,
        "region": club.region_id,
        "regional": is_regional(evaluation.regulation.code, header.event_type),
        "uploaded_by": upload.created_by_id,
    }
    return proposals.propose(KIND, by, data, key=str(upload.pk), reason=upload.correction_reason)


def release(run_id: int, header: Header) -> ScoringRun:
    """Let the workers score an approved run; the data of a correction become the tournament's."""
    run = ScoringRun.objects.select_for_update(of=("self",)).select_related("revision").get(pk=run_id)
    if run.revision.number > 1:
        apply_header(Tournament.objects.select_for_update(no_key=True).get(pk=run.tournament_id), header)
    run.state, run.enqueued_at = ScoringRun.State.PENDING, None
    run.save(update_fields=["state", "enqueued_at"])
    queue.tell_on_commit(run)
    standings.bump_on_commit()
    return run


def undo(run: ScoringRun) -> None:
    """Remove a ranking that waited and never counted; its upload is a draft again."""
    revision, tournament = run.revision, run.tournament
    ResultUpload.objects.filter(revision=revision).update(
        state=ResultUpload.State.REVIEW, revision=None, confirmed_at=None
    )
    run.delete()
    BoardResult.objects.filter(revision=revision).delete()
    Seat.objects.filter(revision=revision).delete()
    Contestant.objects.filter(revision=revision).delete()
    Revision.objects.filter(pk=revision.pk).delete()
    if revision.number == 1:
        # Drafts that were begun as its correction, or compared with it, are of a tournament of their own.
        ResultUpload.objects.filter(corrects=tournament).update(corrects=None, correction_reason="")
        SeparateEvent.objects.filter(tournament=tournament).delete()
        tournament.delete()
    standings.bump_on_commit()
