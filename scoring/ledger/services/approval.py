"""Approval of tournaments: the points of some event types count only after a second person approved them.

A confirmed ranking of such a type is stored as usual, with its run in the state WAITING, which workers
ignore. A correction does not change the tournament's own data until it is approved.

Approval lets the workers score the run. If the ranking is returned or withdrawn instead, it is deleted and
its upload becomes a draft again. Nothing is lost, because the ranking never counted.
"""

from collections.abc import Iterable
from dataclasses import asdict

from django.conf import settings
from django.contrib.auth.models import User

from players.access import roles_of
from players.models import Proposal
from players.services import proposals
from players.services.journal import hold_message, preparer_hold_message
from scoring.ledger.correcting import ANNULMENT_ACT, POINTS_ACT, window_of
from scoring.ledger.evaluation import Evaluation, regulation_for
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import queue, standings
from scoring.ledger.wording import approvers
from scoring.regulations.filing import Filing
from tournaments.drafts import Header, apply_header, header_of
from tournaments.models import (
    Announcement,
    BoardResult,
    Contestant,
    Deal,
    ResultUpload,
    Revision,
    Seat,
    SeparateEvent,
    Tournament,
)

KIND = POINTS_ACT
WAITING = ScoringRun.State.WAITING


def needed(header: Header, evaluation: Evaluation, corrects: Tournament | None) -> bool:
    """Return whether the points of a ranking need the approval of a second person.

    A correction needs it even if no points change, because other people may receive them. A late correction
    needs it, whatever the type.

    corrects: the tournament that the ranking corrects, if any
    """
    return bool(_types_to_approve(header, evaluation, corrects)) or is_late(corrects)


def is_late(corrects: Tournament | None) -> bool:
    """Return whether the days in which a club corrects the tournament alone are over.

    False for types of tournament that a club never corrects alone.
    """
    return corrects is not None and window_of(corrects).late


def regional(header: Header, evaluation: Evaluation, corrects: Tournament | None) -> bool:
    """Return whether the administrator of the region may approve the points of a ranking.

    False for late corrections of a type that a club files alone: the federation decides about them.

    corrects: the tournament that the ranking corrects, if any
    """
    types = _types_to_approve(header, evaluation, corrects)
    return bool(types) and all(event_type in filing.regional for filing, event_type in types)


def _types_to_approve(
    header: Header, evaluation: Evaluation, corrects: Tournament | None
) -> list[tuple[Filing, str]]:
    """Return those event types for which a second person has to approve the ranking, as (filing, event type).

    The ranking's own event type is checked. For a correction, the event type of the corrected tournament is
    checked too. `filing` is the `Filing` of the event type's regulation.
    """
    types = [(evaluation.regulation.filing, header.event_type)]
    if corrects is not None:
        types.append((regulation_for(header_of(corrects)).filing, corrects.event_type))
    return [(filing, event_type) for filing, event_type in types if filing.needs_approval(event_type)]


def given_beforehand(
    announcement: Announcement, header: Header, evaluation: Evaluation, filed_by: Iterable[User]
) -> bool:
    """Return whether a tournament's points need no approval because the tournament was announced.

    They need none if whoever announced it could approve the points now, and format, venue and number of
    boards are as announced; fewer boards may have been played. Announcements are made before the tournament
    ends, so nobody approves a result that they know. An announcement approves one result: the next one, after
    the first was annulled, needs approval. Club, day and type fit already (`announcements.result_of`).

    filed_by: who uploaded and who confirms the result: neither is the second person
    """
    account, people = announcement.announced_by, list(filed_by)
    regional_type = header.event_type in evaluation.regulation.filing.regional
    region = announcement.club.region_id if regional_type else None
    as_announced = (
        (header.format, header.venue) == (announcement.format, announcement.venue)
        and announcement.boards is not None
        and max(header.boards, header.boards_scheduled) <= announcement.boards
    )
    return (
        as_announced
        and account.is_active
        and account.pk not in {person.pk for person in people}
        and roles_of(account).approves(region)
        and not announcement.uploads.filter(state=ResultUpload.State.CONFIRMED).exists()
        and not hold_message(account)
        and not any(preparer_hold_message(account, person) for person in people)
    )


def first_points(evaluation: Evaluation) -> int:
    """Return the points of the first place, in hundredths; 0 if the tournament does not count."""
    return max(evaluation.points_by_position.values(), default=0)


def approvers_of(run: ScoringRun) -> str:
    """Return a phrase naming who may approve a waiting run."""
    upload = ResultUpload.objects.only("pk").get(revision=run.revision_id)
    proposal = proposal_of(upload)
    assert proposal is not None  # `request` creates a proposal for every waiting run
    return approvers(proposal.data["regional"])


def waiting_run(tournament: Tournament) -> ScoringRun | None:
    """Return the tournament's run that waits for approval, if any."""
    return tournament.runs.filter(state=WAITING).select_related("revision__upload").first()


def waiting_annulment(tournament: Tournament) -> Proposal | None:
    """Return the proposal to annul or restore the tournament that waits for a decision, if any."""
    return proposals.waiting_for(ANNULMENT_ACT, str(tournament.pk)).first()


def proposal_of(upload: ResultUpload) -> Proposal | None:
    """Return the latest proposal about an upload, decided or not."""
    return (
        Proposal.objects.filter(kind=KIND, key=str(upload.pk))
        .select_related("decided_by")
        .order_by("-pk")
        .first()
    )


def returned_proposal(upload: ResultUpload) -> Proposal | None:
    """Return an upload's latest proposal if a second person returned it to the director, else None."""
    proposal = proposal_of(upload)
    return proposal if proposal and proposal.state == Proposal.State.RETURNED else None


def request(
    upload: ResultUpload, run: ScoringRun, header: Header, evaluation: Evaluation, by: User
) -> Proposal:
    """Propose a waiting run for approval by a second person."""
    club = upload.club
    return proposals.propose(
        KIND,
        by,
        {
            "run": run.pk,
            "header": {**asdict(header), "params": dict(header.params)},
            "club": club.name,
            "region": club.region_id,
            "regional": regional(header, evaluation, upload.corrects),
            "uploaded_by": upload.created_by_id,
        },
        key=str(upload.pk),
        reason=upload.correction_reason,
    )


def release(run_id: int, header: Header) -> ScoringRun:
    """Let the workers score an approved run. For a correction, first store its data with the tournament.

    header: the data of the tournament as corrected
    """
    run = ScoringRun.objects.select_for_update(of=("self",)).select_related("revision").get(pk=run_id)
    if run.revision.number > 1:
        apply_header(Tournament.objects.select_for_update(no_key=True).get(pk=run.tournament_id), header)
    run.state, run.enqueued_at = ScoringRun.State.PENDING, None
    run.save(update_fields=["state", "enqueued_at"])
    queue.enqueue_on_commit(run)
    standings.bump_on_commit()
    return run


def discard(run: ScoringRun) -> None:
    """Delete a ranking that was not approved, and make its upload a draft again."""
    revision, tournament = run.revision, run.tournament
    ResultUpload.objects.filter(revision=revision).update(
        state=ResultUpload.State.REVIEW, revision=None, confirmed_at=None
    )
    run.delete()
    Deal.objects.filter(revision=revision).delete()
    BoardResult.objects.filter(revision=revision).delete()
    Seat.objects.filter(revision=revision).delete()
    Contestant.objects.filter(revision=revision).delete()
    Revision.objects.filter(pk=revision.pk).delete()
    if revision.number == 1:
        # Drafts that correct the tournament, or were compared with it, become tournaments of their own.
        ResultUpload.objects.filter(corrects=tournament).update(corrects=None, correction_reason="")
        SeparateEvent.objects.filter(tournament=tournament).delete()
        tournament.delete()
    standings.bump_on_commit()


def being_set_up() -> bool:
    """Return whether the setting `FEDERATION_SETUP` is on and no tournament was ever confirmed.

    While this is so, players' first categories and first points need no second person. The set-up ends
    permanently with the first confirmed tournament: if that tournament is returned and deleted, its proposal
    still remains, because proposals are never deleted.
    """
    return settings.FEDERATION_SETUP and not (
        Tournament.objects.exists() or Proposal.objects.filter(kind=KIND).exists()
    )
