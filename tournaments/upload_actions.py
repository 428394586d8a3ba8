"""The buttons of every kind of upload: read the file again, discard the upload, restore it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext

from tournaments.models import Upload
from tournaments.services import pipeline


def button_context(upload: Upload, may_change: bool) -> dict[str, bool]:
    """Return the context of `tournaments/_state.html`, the template with the buttons of an upload.

    may_change: whether the user may change the upload
    """
    return {
        "may_read_again": may_change and pipeline.may_read_again(upload),
        "may_recover": may_change and pipeline.may_recover(upload),
    }


def discard(request: HttpRequest, upload: Upload, done: str, refused: str) -> bool:
    """Discard an upload and show a message. Return False if its state does not allow this.

    done, refused: the messages to show if it was discarded and if it was not
    """
    try:
        pipeline.discard(upload)
    except pipeline.NotUnderReview:
        messages.error(request, refused)
        return False
    messages.success(request, done)
    return True


def press(request: HttpRequest, upload: Upload) -> bool:
    """Perform the action of the pressed button and show a message.

    Return False if the pressed button is not one of this module.
    """
    actions: dict[str | None, Any] = {
        "read-again": (pipeline.read_again, gettext("The file was read again.")),
        "recover": (pipeline.recover, gettext("The draft is back.")),
    }
    action = actions.get(request.POST.get("action"))
    if action is None:
        return False
    change, done = action
    try:
        change(upload)
    except pipeline.NotUnderReview:
        messages.error(request, gettext("This upload has changed in the meantime: look at it again."))
    except pipeline.FileGone:
        messages.error(request, gettext("The file is no longer kept: upload it once more."))
    else:
        messages.success(request, done)
    return True
