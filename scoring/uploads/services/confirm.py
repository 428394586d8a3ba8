"""Confirm an upload: store its tournament and the run that scores it."""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from players.models import Club, Player
from players.services import categories
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import approval, queue, runs, standings
from scoring.strength import services as strength
from scoring.uploads.services.review import review_of
from tournaments import boards
from tournaments.drafts import store
from tournaments.models import FurtherFile, ResultUpload, Revision, Seat, Tournament
from tournaments.services import announcements, learning
from tournaments.services.drafts import player_ids_of
from tournaments.services.files import digests_of
from ui.shared import ANYTHING, changes_only, tournament_key


class NotConfirmable(Exception):
    """The upload cannot be confirmed. `codes` lists its errors and the ticks that are missing."""

    def __init__(self, codes: list[str]) -> None:
        super().__init__(", ".join(codes))
        self.codes = codes


def confirm(upload: ResultUpload, user) -> ScoringRun:
    """Store the upload's ranking and a run that scores it. Return the run.

    If the points need the approval of a second person, ask for it; otherwise enqueue the run on commit. If
    the upload is already confirmed, return its run. Raises NotConfirmable.
    """
    changed = [tournament_key(upload.corrects_id)] if upload.corrects_id else []
    with changes_only(ANYTHING, *changed), transaction.atomic():
        return _confirm(_locked(upload), user)


def _confirm(upload: ResultUpload, user) -> ScoringRun:
    if upload.state == ResultUpload.State.CONFIRMED:
        return upload.revision.runs.earliest("number")
    if upload.state != ResultUpload.State.REVIEW:
        raise NotConfirmable(["discarded"])
    # Two files of one tournament confirmed simultaneously would not detect each other. Lock the club and the
    # players, because two clubs may upload the same ranking.
    Club.objects.select_for_update(no_key=True).get(pk=upload.club_id)
    if upload.corrects_id:
        # Lock the tournament before building the draft, so that a simultaneous annulment is detected.
        Tournament.objects.select_for_update(no_key=True).get(pk=upload.corrects_id)
    categories.lock(player_ids_of(upload))
    announcements.lock(upload)
    review = review_of(upload, user)
    draft = review.draft
    if not review.ready:
        errors = [issue.code for issue in review.issues if issue.severity == "error"]
        raise NotConfirmable([*draft.unticked, *errors])
    revision = store(
        draft.header,
        draft.rows,
        user,
        corrects=upload.corrects,
        reason=upload.correction_reason,
        apply=not review.needs_approval,
    )
    if review.announced:
        announcements.link(review.announced, revision.tournament)
    learning.learn(upload, draft, user)
    boards.store_upload_boards(revision, upload, [ranked.entry for ranked in draft.ranked])
    strength.store_figures(revision)
    upload.state = ResultUpload.State.CONFIRMED
    upload.revision = revision
    upload.confirmed_at = timezone.now()
    upload.save(update_fields=["state", "revision", "confirmed_at"])
    state = ScoringRun.State.WAITING if review.needs_approval else ScoringRun.State.PENDING
    run = runs.create_run(revision, user, upload.correction_reason, header=draft.header, state=state)
    if review.needs_approval:
        approval.request(upload, run, draft.header, review.evaluation, user)
    else:
        queue.enqueue_on_commit(run)
    # No points change yet, but cached lists of tournaments and pages about this one do.
    standings.bump_on_commit()
    if _has_repeated_player(revision):
        raise NotConfirmable(["same_person"])
    return run


def _has_repeated_player(revision: Revision) -> bool:
    """Return whether one person has two seats, because two numbers were merged after the draft was built.

    A merge locks the players, and so does this function. So either this function detects the merge, or the
    merge detects the new ranking and fails.
    """
    seats = Seat.objects.filter(revision=revision, player__isnull=False).order_by()
    players = Player.objects.filter(pk__in=seats.values("player"))
    list(players.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    survivors = seats.values_list(Coalesce("player__merged_into", "player"), flat=True)
    return len(survivors) != len(set(survivors))


def _locked(upload: ResultUpload) -> ResultUpload:
    """Lock the upload and all uploads of files with the same bytes. Return a fresh copy of the upload.

    Without the lock, two clubs could confirm the same file at the same time without either being warned. The
    rows are locked in a fixed order to avoid deadlocks.
    """
    digests = digests_of(upload)
    further = FurtherFile.objects.filter(upload=OuterRef("pk"), sha256__in=digests)
    twins = Q(pk=upload.pk) | Q(sha256__in=digests) | Exists(further)
    locked = ResultUpload.objects.select_for_update().filter(twins).order_by("pk")
    list(locked.values_list("pk"))
    return ResultUpload.objects.get(pk=upload.pk)
