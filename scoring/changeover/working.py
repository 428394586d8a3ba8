"""What workers do with a changeover: read, post and take back. Nothing else writes its awards.

Posting, and taking back, are one transaction each, so a worker that dies leaves nothing behind.
"""

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from players.models import Proposal
from players.services import proposals
from scoring.changeover import reconciling, staging, tasks
from scoring.changeover.models import Changeover
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.services import queue, standings
from scoring.ledger.services.posting import UNDONE_KEY

LEASE = queue.LONGEST_LEASE
Step, State = Changeover.Step, Changeover.State


class NotApplicable(Exception):
    """Nothing may be written. `code` is a key of `tasks.REFUSALS`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def perform(changeover_id: int) -> None:
    """Do what a changeover waits for. Safe to repeat: awards are posted once or not at all."""
    queue.work_on(Changeover, changeover_id, LEASE, _do)


def _do(changeover: Changeover) -> None:
    if changeover.step == Step.READ:
        read(changeover)
        return
    try:
        with transaction.atomic():
            queue.lock_held(changeover)
            if changeover.proposal_id:
                proposals.complete(changeover.proposal_id, changeover.asked_by)
            else:
                post(changeover)
    except NotApplicable as error:
        _refuse(changeover, error.code)
    except (PermissionDenied, ValidationError) as error:
        _refuse(changeover, "changed" if getattr(error, "code", "") == "changed" else "approval")
    except IntegrityError:
        _refuse(changeover, "changed")


@transaction.atomic
def _refuse(changeover: Changeover, code: str) -> None:
    """End a step that wrote nothing. Read the files again before they can be applied."""
    queue.lock_held(changeover)
    changeover.refusal = code
    if changeover.step == Step.APPLY:
        tasks.read_again(changeover)
    else:
        queue.held(changeover).update(
            state=State.DONE, step=Step.APPLY, refusal=code, lease_until=None, finished_at=queue.now()
        )


# --- Reading --------------------------------------------------------------------------------------------
def read(changeover: Changeover) -> None:
    """Store the awards of all files, compare them with the ledger and the old list, and add them up."""
    staging.read_history(changeover)
    with transaction.atomic():
        queue.lock_held(changeover)
        issues = staging.compare_with_ledger(changeover)
        changeover.issues = [item.to_json() for item in issues.done()]
        changeover.totals = reconciling.totals(changeover)
        changeover.number = changeover.totals["awards"]
        old_list = changeover.files.filter(is_list=True).first()
        if old_list:
            old_list.rows = 0
            listed = reconciling.compare_with_list(changeover, old_list)
            old_list.issues = [item.to_json() for item in listed.done()]
            old_list.save(update_fields=["rows", "issues"])
        changeover.digest = reconciling.digest(changeover)
        names = ("issues", "totals", "number", "same", "differences", "digest")
        queue.finish(changeover, **{name: getattr(changeover, name) for name in names})


# --- Posting --------------------------------------------------------------------------------------------
def apply_approved(proposal: Proposal, by) -> dict:
    """Post the awards that a second person approved. Return the result of the proposal."""
    changeover = Changeover.objects.select_for_update().get(pk=proposal.data["changeover"])
    if changeover.digest != proposal.data["digest"]:
        raise ValidationError(tasks.NOT_NOW, code="changed")
    try:
        post(changeover, by_two=True)
    except NotApplicable as error:
        raise ValidationError(tasks.REFUSALS[error.code], code=error.code) from error
    return {"awards": changeover.number}


def post(changeover: Changeover, by_two: bool = False) -> None:
    """Post all awards in the caller's transaction, and bring the standings up to date.

    The ledger's rows are inserted before the standings are locked, so that other postings wait only while
    the standings are computed. Raise NotApplicable if players or the ledger have changed since reading.
    """
    if not by_two and tasks.needs_second():
        raise NotApplicable("second")
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_ledgerentry
                      (family, kind, player_id, points, played_on, online, title, reason, source_key,
                       posted_at, posted_by_id)
               SELECT %s, 'opening', player_id, points, played_on, online, title, '', source_key, %s, %s
               FROM changeover_changeoveraward WHERE changeover_id = %s ORDER BY id""",
            [FAMILY, timezone.now(), changeover.asked_by_id, changeover.pk],
        )
        if cursor.rowcount != changeover.number:
            raise NotApplicable("changed")
        entries = _ranges(cursor, changeover)
    standings.lock_states([FAMILY])
    _check_unchanged(changeover)
    standings.rebuild_at_once()
    now = timezone.now()
    Changeover.objects.filter(pk=changeover.pk).update(
        state=State.DONE,
        error="",
        lease_until=None,
        finished_at=now,
        entries=entries,
        applied_at=now,
        applied_by=changeover.asked_by,
    )
    tasks.forget(changeover)


def _check_unchanged(changeover: Changeover) -> None:
    """Raise NotApplicable if a player was merged or erased since reading, or an award was posted by a list.

    Merges and postings lock the standings, as the caller does, so this stays true until it commits.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT 1 FROM players_player player
               WHERE (player.merged_into_id IS NOT NULL OR player.erased_on IS NOT NULL)
                 AND EXISTS (SELECT 1 FROM changeover_changeoveraward award
                             WHERE award.changeover_id = %s AND award.player_id = player.id) LIMIT 1""",
            [changeover.pk],
        )
        if cursor.fetchone():
            raise NotApplicable("changed")
    if staging.is_posted_otherwise(changeover):
        raise NotApplicable("changed")


def _ranges(cursor, changeover: Changeover) -> list[list[int]]:  # type: ignore[no-untyped-def]
    """Return the ids of the entries just posted, as ranges: other postings may have ids in between."""
    cursor.execute(
        """SELECT min(id), max(id) FROM (
               SELECT entry.id, entry.id - row_number() OVER (ORDER BY entry.id) AS stretch
               FROM ledger_ledgerentry entry
               JOIN changeover_changeoveraward award ON award.source_key = entry.source_key
               WHERE award.changeover_id = %s) posted
           GROUP BY stretch ORDER BY 1""",
        [changeover.pk],
    )
    return [list(row) for row in cursor.fetchall()]


# --- Taking back ----------------------------------------------------------------------------------------
def undo_approved(proposal: Proposal, by) -> dict:
    """Take back the awards of a changeover as a second person approved. Return the proposal's result."""
    changeover = Changeover.objects.select_for_update().get(pk=proposal.data["changeover"])
    if not changeover.is_applied:
        raise ValidationError(tasks.NOT_NOW, code="changed")
    taken_back = _reverse(changeover, proposal.reason, by)
    left = sum(last - first + 1 for first, last in changeover.entries) - taken_back
    standings.rebuild_at_once()
    now = timezone.now()
    Changeover.objects.filter(pk=changeover.pk).update(
        state=State.DONE,
        error="",
        lease_until=None,
        finished_at=now,
        undone_at=now,
        undone_by=by,
        undo_reason=proposal.reason[:300],
        left_alone=left,
    )
    return {"awards": taken_back, "left": left}


def _reverse(changeover: Changeover, reason: str, by) -> int:
    """Reverse the entries that are not reversed yet. Return how many."""
    standings.lock_states([FAMILY])
    number = 0
    with connection.cursor() as cursor:
        for first, last in changeover.entries:
            cursor.execute(
                """INSERT INTO ledger_ledgerentry
                          (family, kind, player_id, points, played_on, online, title, reason, source_key,
                           posted_at, posted_by_id, reverses_id)
                   SELECT entry.family, 'reversal', entry.player_id, -entry.points, entry.played_on,
                          entry.online, '', %s, %s || entry.id, %s, %s, entry.id
                   FROM ledger_ledgerentry entry
                   LEFT JOIN ledger_ledgerentry reversal ON reversal.reverses_id = entry.id
                   WHERE entry.id BETWEEN %s AND %s AND reversal.id IS NULL""",
                [reason[:300], UNDONE_KEY, timezone.now(), by.pk, first, last],
            )
            number += cursor.rowcount
    return number
