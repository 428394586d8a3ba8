"""A director's yes: from an upload under review to a tournament whose points are on their way."""

from django.db import transaction
from django.db.models import Q
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
from tournaments.models import ResultUpload, Revision, Seat, Tournament
from tournaments.services.drafts import player_ids_of


class NotConfirmable(Exception):
    """Errors are left, or warnings nobody ticked; `codes` names them."""

    def __init__(self, codes: list[str]) -> None:
        super().__init__(", ".join(codes))
        self.codes = codes


@transaction.atomic
def confirm(upload: ResultUpload, user) -> ScoringRun:
    """Store the ranking and its run, and tell the workers once that is committed, or ask a second person.

    A second click finds the upload confirmed and gets the same run. Raises NotConfirmable.
    """
    upload = _locked(upload)
    if upload.state == ResultUpload.State.CONFIRMED:
        return upload.revision.runs.earliest("number")
    if upload.state != ResultUpload.State.REVIEW:
        raise NotConfirmable(["discarded"])
    # Two files of one tournament, confirmed at once, would not see each other: a club confirms one at a time,
    # and so does everybody who has a player in common, because two clubs may give the same ranking.
    Club.objects.select_for_update(no_key=True).get(pk=upload.club_id)
    if upload.corrects_id:
        # Nor would a correction see that the tournament is being annulled: the draft is looked at after that.
        Tournament.objects.select_for_update(no_key=True).get(pk=upload.corrects_id)
    categories.lock(player_ids_of(upload))
    found = review_of(upload)
    draft = found.draft
    if not found.ready:
        raise NotConfirmable([*draft.unticked, *(i.code for i in found.issues if i.severity == "error")])
    waits = found.waits
    revision = store(
        draft.header,
        draft.rows,
        user,
        corrects=upload.corrects,
        reason=upload.correction_reason,
        apply=not waits,
    )
    boards.store_upload_boards(revision, upload, [each.entry for each in draft.ranked])
    strength.store_figures(revision)
    upload.state = ResultUpload.State.CONFIRMED
    upload.revision = revision
    upload.confirmed_at = timezone.now()
    upload.save(update_fields=["state", "revision", "confirmed_at"])
    state = ScoringRun.State.WAITING if waits else ScoringRun.State.PENDING
    run = runs.create_run(revision, user, upload.correction_reason, header=draft.header, state=state)
    if waits:
        approval.request(upload, run, draft.header, found.evaluation, user)
    else:
        queue.enqueue_on_commit(run)
    # Nobody's points differ yet, but lists of tournaments and pages that name this one do.
    standings.bump_on_commit()
    if _seated_twice(revision):
        raise NotConfirmable(["same_person"])
    return run


def _seated_twice(revision: Revision) -> bool:
    """Whether two seats are one person's, whose numbers were merged after the draft was read.

    A merging locks both numbers, and so does this until the ranking is there: either this sees the merging,
    or the merging sees this ranking and is refused.
    """
    seats = Seat.objects.filter(revision=revision, player__isnull=False).order_by()
    seated = Player.objects.filter(pk__in=seats.values("player"))
    list(seated.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    people = seats.values_list(Coalesce("player__merged_into", "player"), flat=True)
    return len(people) != len(set(people))


def _locked(upload: ResultUpload) -> ResultUpload:
    """The upload's row, fresh and locked, and with it every other upload of the same bytes.

    The same file may wait in two clubs: confirmed at once, neither would see the other. All rows are taken in
    one order, so that nobody waits in a circle.
    """
    twins = Q(pk=upload.pk)
    if upload.sha256:
        twins |= Q(sha256=upload.sha256)
    locked = ResultUpload.objects.select_for_update().filter(twins).order_by("pk")
    list(locked.values_list("pk"))
    return ResultUpload.objects.get(pk=upload.pk)
