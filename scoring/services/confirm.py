"""A director's yes: from an upload under review to a tournament whose points are on their way."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from players.models import Club
from scoring.adapters import Evaluation
from scoring.models import ScoringRun
from scoring.services import posting, runs
from tournaments.drafts import Row, store
from tournaments.models import ResultUpload, Tournament
from tournaments.services.uploads import draft_of


class NotConfirmable(Exception):
    """Errors are left, or warnings nobody ticked; `codes` names them."""

    def __init__(self, codes: list[str]) -> None:
        super().__init__(", ".join(codes))
        self.codes = codes


@dataclass(frozen=True, slots=True)
class Difference:
    """A player's points of a tournament before and after a correction, in hundredths; None: not in it."""

    player_id: int
    old: int | None
    new: int | None


@transaction.atomic
def confirm(upload: ResultUpload, user) -> ScoringRun:
    """Store the ranking and its run, and tell the workers once that is committed.

    A second click finds the upload confirmed and gets the same run. Raises NotConfirmable.
    """
    upload = ResultUpload.objects.select_for_update().get(pk=upload.pk)
    if upload.state == ResultUpload.State.CONFIRMED:
        return upload.revision.runs.earliest("number")
    if upload.state != ResultUpload.State.REVIEW:
        raise NotConfirmable(["discarded"])
    # Two drafts of one file, confirmed at once, would not see each other: a club confirms one at a time.
    Club.objects.select_for_update(no_key=True).get(pk=upload.club_id)
    draft = draft_of(upload)
    if draft.blocking or draft.unticked:
        raise NotConfirmable([*draft.unticked, *(i.code for i in draft.issues if i.severity == "error")])
    revision = store(
        draft.header, draft.rows, user, corrects=upload.corrects, reason=upload.correction_reason
    )
    upload.state = ResultUpload.State.CONFIRMED
    upload.revision = revision
    upload.confirmed_at = timezone.now()
    upload.save(update_fields=["state", "revision", "confirmed_at"])
    run = runs.create_run(revision, user, reason=upload.correction_reason)
    runs.enqueue_on_commit(run)
    return run


def differences(tournament: Tournament, evaluation: Evaluation, rows: list[Row]) -> list[Difference]:
    """What a correction would change, player by player; those who keep their points are left out."""
    old = dict(posting.standing_awards(tournament).values_list("player_id", "points"))
    points = evaluation.points_by_position
    new = {
        seat.player_id: points[row.position]
        for row in rows
        for seat in row.seats
        if seat.player_id and row.position in points
    }
    return [
        Difference(player, old.get(player), new.get(player))
        for player in sorted(old.keys() | new.keys())
        if old.get(player) != new.get(player)
    ]
