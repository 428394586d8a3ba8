"""The workers' tasks about imported lists: ask for one, stop it, wait for it, and say how far it is.

`scoring.office.lists.writing` carries them out.
"""

import time

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from players.models import Proposal
from scoring.ledger.models.work import UNDER_WAY
from scoring.ledger.services import queue
from scoring.office.models import ListTask, OfficeImport
from ui.formatting import format_whole
from ui.progress import Progress

State, Verb = ListTask.State, ListTask.Verb
# The state of a list while it belongs to a task.
STATES = {Verb.APPLY: OfficeImport.State.APPLYING, Verb.UNDO: OfficeImport.State.UNDOING}
# Why a worker sent a list back: sentences by `ListTask.refusal`. Nothing was written.
REFUSALS = {
    "errors": gettext_lazy("The list has errors by now."),
    "changed": gettext_lazy("The list would do something else by now than what you were shown."),
    "warnings": gettext_lazy("The list has new warnings, which have to be ticked."),
    "second": gettext_lazy("By now a second person has to approve it."),
    "approval": gettext_lazy("Whoever approved it may not do so by now, or whoever prepared it."),
}


WAIT_SECONDS = 2.0  # how long a page waits for a worker to compare a list; short lists take less


def ask_to_compare(batch: OfficeImport, by) -> ListTask:
    """Let a worker read a list that the caller has locked, if it is not read yet, and compare it.

    A list that waits for a second person is compared in the language in which it was proposed, so that its
    digest is the same if nothing changed.
    """
    language = get_language() or settings.LANGUAGE_CODE
    if batch.state == OfficeImport.State.WAITING:
        language = batch.compared.get("language", settings.LANGUAGE_CODE)
    batch.parts.update(compared={})
    task = ListTask.objects.create(
        batch=batch, verb=Verb.COMPARE, by=by, number=batch.rows.count(), language=language
    )
    queue.enqueue_on_commit(task)
    return task


def wait(batch: OfficeImport) -> None:
    """Wait briefly for a worker to compare the list, so that the page of a short one shows its review."""
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline and is_under_way(batch):
        time.sleep(0.05)


def is_open(batch: OfficeImport) -> bool:
    """Return whether a task of the list is not over. One that failed is not either."""
    return batch.tasks.filter(state__in=ListTask.OPEN).exists()


def is_under_way(batch: OfficeImport) -> bool:
    """Return whether a task of the list waits for a worker, or one is carrying it out."""
    return batch.tasks.filter(state__in=UNDER_WAY).exists()


def ask(
    batch: OfficeImport,
    verb: str,
    by,
    digest: str,
    number: int,
    *,
    proposal: Proposal | None = None,
    reason: str = "",
    language: str = "",
) -> ListTask:
    """Let a worker apply or undo a list that the caller has locked. Return the task.

    by, digest, number, proposal, reason: see `ListTask`
    language: the one in which the digest was computed; by default the active one
    """
    batch.state = STATES[verb]
    batch.save(update_fields=["state"])
    batch.parts.update(compared={})  # the worker compares them again
    task = ListTask.objects.create(
        batch=batch,
        verb=verb,
        by=by,
        digest=digest,
        number=number,
        proposal=proposal,
        reason=reason,
        language=language or get_language() or settings.LANGUAGE_CODE,
    )
    queue.enqueue_on_commit(task)
    return task


def stop(batch_id, by) -> ListTask | None:
    """Stop the open task of a list, in the caller's transaction. Return it; None if it cannot be stopped.

    A task that a worker carries out goes on, and so does one that is half done, unless it has failed.
    """
    free = ListTask.objects.filter(Q(state=State.PENDING, begun_at=None) | Q(state=State.FAILED))
    task = free.filter(batch=batch_id).select_for_update().first()
    if task:
        task.state, task.stopped_by, task.finished_at = State.STOPPED, by, timezone.now()
        task.save(update_fields=["state", "stopped_by", "finished_at"])
    return task


def release(task: ListTask) -> None:
    """Set the list back to the state that it had before the task. The caller ends the task."""
    if task.verb == Verb.COMPARE:
        return
    batch = OfficeImport.objects.filter(pk=task.batch_id, state=STATES[task.verb])
    if task.verb == Verb.APPLY:
        batch.update(state=OfficeImport.State.WAITING if task.proposal_id else OfficeImport.State.REVIEW)
    else:
        # The comparison may be out of date. It is made again when somebody opens the page for undoing.
        batch.update(state=OfficeImport.State.APPLIED, compared={})


def latest(batch: OfficeImport) -> ListTask | None:
    """Return the newest task of a list, in any state."""
    return batch.tasks.select_related("by", "stopped_by").first()


def latest_act(batch: OfficeImport) -> ListTask | None:
    """Return the newest task that was to apply or undo the list."""
    return batch.tasks.exclude(verb=Verb.COMPARE).select_related("by", "stopped_by").first()


def open_task_of(proposal: Proposal) -> ListTask | None:
    """Return the task that carries out an approved proposal, until it is over."""
    return ListTask.objects.filter(proposal=proposal, state__in=ListTask.OPEN).first()


def progress_of(task: ListTask, url: str, page_url: str) -> Progress:
    """Return how far an open task is: how many lines are compared, then how many are written.

    url, page_url: see `Progress`
    """
    return Progress(
        stage=_stage(task),
        since=task.created_at,
        until=task.finished_at,
        finished=not task.is_under_way,
        url=url,
        page_url=page_url,
        done=task.done,
        total=task.number if task.number and (task.begun_at or task.verb == Verb.COMPARE) else None,
    )


def _stage(task: ListTask) -> str:
    if task.state == State.FAILED:
        return _("Stopped after several attempts")
    if task.state == State.PENDING:
        return _("Waiting its turn")
    if not task.begun_at:
        return _("Comparing it with the register") if task.number else _("Reading the file")
    if task.verb == Verb.APPLY:
        text = ngettext("Applying %(number)s line", "Applying %(number)s lines", task.number)
    else:
        text = ngettext("Undoing %(number)s line", "Undoing %(number)s lines", task.number)
    return text % {"number": format_whole(task.number, get_language() or "")}


def refusal_words(task: ListTask | None) -> str:
    """Return why a task was not done; "" if it was done, or is not over, or there is none."""
    if task is None or task.state not in (State.RETURNED, State.STOPPED):
        return ""
    if task.state == State.RETURNED:
        return str(REFUSALS[task.refusal])
    name = task.stopped_by.get_username() if task.stopped_by else ""
    if task.begun_at:
        return _("%(name)s stopped it half-way.") % {"name": name}
    return _("%(name)s stopped it before it began.") % {"name": name}
