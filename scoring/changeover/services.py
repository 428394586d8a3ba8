"""Receive the files of a changeover, ask for applying or undoing it, and discard it."""

import gzip
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.access import require, roles_of
from players.models import Proposal
from players.services.proposals import propose
from scoring.changeover import acts, tasks
from scoring.changeover.models import Changeover, ChangeoverFile
from scoring.changeover.queries import has_errors
from scoring.ledger.services import queue

Step, State = Changeover.Step, Changeover.State
KEPT = timedelta(days=30)  # how long a changeover under review is kept, with its files


@dataclass(frozen=True, slots=True)
class File:
    """An uploaded file: its name and its bytes."""

    name: str
    content: bytes


def receive(
    history: Sequence[File], by, old_list: File | None = None, list_day: date | None = None, period: str = ""
) -> Changeover:
    """Store the files of a changeover, and let a worker read them. Return it.

    list_day, period: the day of the old list and which points it counts; required with `old_list`

    Raises ValidationError if another changeover is open, and PermissionDenied without the office role.
    """
    require(roles_of(by).office)
    changeover = Changeover(created_by=by, list_day=list_day, period=period or Changeover.Period.YEAR)
    try:
        with transaction.atomic():
            changeover.save()
            _store(changeover, history, old_list)
            queue.enqueue_on_commit(changeover)
    except IntegrityError:
        raise ValidationError(
            _("Another changeover is open: apply or discard it first."), code="open"
        ) from None
    return changeover


def _store(changeover: Changeover, history: Sequence[File], old_list: File | None) -> None:
    for position, file in enumerate([*history, *([old_list] if old_list else [])], 1):
        is_compressed = file.content[:2] in (b"\x1f\x8b", b"PK")
        ChangeoverFile.objects.create(
            changeover=changeover,
            position=position,
            name=file.name,
            content=file.content if is_compressed else gzip.compress(file.content, 5),
            size=len(file.content),
            sha256=hashlib.sha256(file.content).hexdigest(),
            is_list=file is old_list,
        )


def apply(
    changeover_id: int,
    by,
    digest: str,
    *,
    accept_differences: bool = False,
    reason: str = "",
    evidence: str = "",
) -> Changeover | Proposal:
    """Let a worker post all awards, or propose it if it needs a second person. Return which of the two.

    digest: `Changeover.digest` as shown
    accept_differences: whether to apply it although points differ from the old list
    reason, evidence: required if it needs a second person

    Raises ValidationError with a sentence that says why it cannot be applied.
    """
    require(roles_of(by).office)
    with transaction.atomic():
        changeover = Changeover.objects.select_for_update().get(pk=changeover_id)
        _check_review(changeover, digest)
        if changeover.differences and not accept_differences:
            raise ValidationError(
                _("Tick that you know the differences from the old list."), code="differences"
            )
        changeover.differences_accepted = accept_differences
        changeover.save(update_fields=["differences_accepted"])
        if not tasks.needs_second():
            return tasks.begin(changeover, Step.APPLY, by)
        if not (reason.strip() and evidence.strip()):
            text = _("Say why, and in which document it stands: a second person decides by that.")
            raise ValidationError(text, code="reason")
        data = {"changeover": changeover.pk, "digest": digest, "awards": changeover.number}
        return propose(acts.ApplyAct.kind, by, data, key=str(changeover.pk), reason=reason, evidence=evidence)


def _check_review(changeover: Changeover, digest: str) -> None:
    if not changeover.is_under_review or changeover.digest != digest:
        raise ValidationError(tasks.NOT_NOW, code="changed")
    if has_errors(changeover):
        raise ValidationError(_("The files have errors: correct them and upload them again."), code="errors")
    if not changeover.number:
        raise ValidationError(_("There is nothing to post: the ledger has all these awards."), code="empty")


def propose_undoing(changeover_id: int, by, reason: str, evidence: str) -> Proposal:
    """Propose to take back all awards of an applied changeover. Raises ValidationError if it cannot be."""
    require(roles_of(by).office)
    changeover = Changeover.objects.get(pk=changeover_id)
    if not changeover.is_applied or changeover.is_under_way:
        raise ValidationError(tasks.NOT_NOW, code="changed")
    data = {"changeover": changeover.pk, "awards": changeover.number}
    return propose(acts.UndoAct.kind, by, data, key=str(changeover.pk), reason=reason, evidence=evidence)


@transaction.atomic
def discard(changeover_id: int, by) -> None:
    """Discard a changeover that was not applied, with its files.

    Raises ValidationError if a worker has it, it is applied, or it waits for a second person.
    """
    if by is not None:
        require(roles_of(by).office)
    changeover = Changeover.objects.select_for_update().get(pk=changeover_id)
    waits = Proposal.objects.filter(
        kind=acts.ApplyAct.kind, key=str(changeover.pk), state=Proposal.State.PENDING
    )
    if changeover.applied_at or changeover.discarded_at or changeover.is_under_way or waits.exists():
        raise ValidationError(tasks.NOT_NOW, code="changed")
    changeover.discarded_at = timezone.now()
    changeover.state = State.DONE
    changeover.save(update_fields=["discarded_at", "state"])
    tasks.forget(changeover)


def discard_forgotten(day: date) -> None:
    """Discard what was under review for longer than `KEPT`, since it holds personal data."""
    old = Changeover.objects.filter(
        applied_at=None,
        discarded_at=None,
        created_at__lt=timezone.now() - KEPT,
        state__in=[State.DONE, State.FAILED],
    )
    for pk in old.values_list("pk", flat=True):
        try:
            discard(pk, None)
        except ValidationError:
            continue  # it waits for a second person, who decides
