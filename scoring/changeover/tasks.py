"""What a worker is asked to do with a changeover, and how far it is."""

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Proposal
from scoring.changeover.models import Changeover, ChangeoverAward
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import queue
from scoring.ledger.services.approval import being_set_up
from ui.progress import Progress

Step = Changeover.Step
# Why a worker wrote nothing: sentences by `Changeover.refusal`.
REFUSALS = {
    "changed": gettext_lazy(
        "Players or points have changed since the files were read: they are read and compared again."
    ),
    "second": gettext_lazy("By now a second person has to approve it."),
    "approval": gettext_lazy("Whoever approved it may not do so by now, or whoever prepared it."),
}
NOT_NOW = gettext_lazy("This changeover has changed in the meantime: look at it again.")


def needs_second() -> bool:
    """Return whether applying needs a second person: unless the federation is being set up without points."""
    return not being_set_up() or LedgerEntry.objects.exists()


def begin(changeover: Changeover, step: str, by, proposal: Proposal | None = None) -> Changeover:
    """Give a locked changeover to a worker."""
    queue.restart(changeover)
    changeover.step, changeover.refusal, changeover.proposal = step, "", proposal
    changeover.asked_by, changeover.asked_at = by, timezone.now()
    changeover.save()
    queue.enqueue_on_commit(changeover)
    return changeover


def read_again(changeover: Changeover) -> None:
    """Let a worker read and compare a locked changeover again. Its files are still kept."""
    changeover.files.update(is_read=False, rows=0, issues=[])
    changeover.done = 0
    refusal = changeover.refusal
    begin(changeover, Step.READ, changeover.created_by)
    Changeover.objects.filter(pk=changeover.pk).update(refusal=refusal)


def forget(changeover: Changeover) -> None:
    """Delete the rows and the bytes of the files, which are no longer needed."""
    ChangeoverAward.objects.filter(changeover_id=changeover.pk).delete()
    changeover.files.update(content=b"")


def progress_of(changeover: Changeover, url: str, page_url: str) -> Progress:
    """Return how far a worker is. How many awards are posted is unknown: all of them are written at once."""
    stages = {
        Changeover.Step.READ: _("Reading the files"),
        Changeover.Step.APPLY: _("Posting the awards"),
        Changeover.Step.UNDO: _("Taking the awards back"),
    }
    waiting = changeover.state == Changeover.State.PENDING
    return Progress(
        stage=_("Waiting its turn") if waiting else stages[Changeover.Step(changeover.step)],
        since=changeover.asked_at or changeover.created_at,
        until=changeover.finished_at,
        finished=not changeover.is_under_way,
        url=url,
        page_url=page_url,
        done=changeover.done if changeover.step == Changeover.Step.READ else 0,
    )
