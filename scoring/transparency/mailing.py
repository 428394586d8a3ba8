"""Send the day's checkpoint to the committee and to whoever asked for it, so that copies exist outside."""

from collections.abc import Sequence
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from players.access import roles_of
from players.models import Role
from scoring.letters.models import Choice, Delivery, Notice
from scoring.letters.notifying import notify
from scoring.letters.registry import Audience, Kind, Text
from scoring.transparency import queries
from ui.formatting import format_whole


def send_checkpoint(day: date) -> None:
    """Notify the committee, and everybody who wants it by e-mail, of the latest checkpoint.

    day: the day for which an account gets it once
    """
    checkpoint = queries.latest_checkpoint()
    if checkpoint is None:
        return
    data = {"note": queries.published_note(checkpoint), "size": checkpoint.size}
    committee = Role.objects.filter(kind=Role.Kind.COMMITTEE).values_list("user", flat=True)
    wanting = Choice.objects.filter(kind=CHECKPOINT.code).exclude(delivery=Delivery.NONE)
    with transaction.atomic():
        notify(COMMITTEE_CHECKPOINT, committee, f"{day}", data)
        notify(CHECKPOINT, wanting.values_list("account", flat=True), f"{day}", data)


def _write(account: User, notices: Sequence[Notice]) -> dict[int, Text]:
    return {notice.pk: _text(notice) for notice in notices}


def _text(notice: Notice) -> Text:
    size = {"size": format_whole(notice.data["size"], get_language() or "")}
    return Text(
        _("Checkpoint of the transparency log, entries: %(size)s") % size,
        [
            _("Keep this message. With these lines anybody can prove later whether points were changed."),
            notice.data["note"],
        ],
        reverse("transparency"),
    )


CHECKPOINT = Kind(
    "checkpoint",
    gettext_lazy("every day, with the checkpoint of the transparency log"),
    Audience.EVERYBODY,
    _write,
    offered=lambda account: not roles_of(account).committee,
)
COMMITTEE_CHECKPOINT = Kind(
    "committee_checkpoint",
    gettext_lazy("every day, with the checkpoint of the transparency log"),
    Audience.OFFICE,
    _write,
    Delivery.ONCE,
    offered=lambda account: roles_of(account).committee,
)
