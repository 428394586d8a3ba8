"""Handle review pages that were opened before the draft changed and are submitted afterwards.

The user may have pressed the browser's Back button, or have the page open in two windows. If all later
changes were made in the same browser session, what the user changed on the page is applied to the current
draft. Otherwise the page is stale and nothing is stored.
"""

import re

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext

from scoring.uploads.forms.details import DetailsForm
from scoring.uploads.people_to_match import FIELD
from tournaments.models import ResultUpload
from tournaments.services import uploads
from tournaments.services.drafts import Draft

# session key of the changes made in the session, as [upload, version before, version after]
STEPS = "upload_steps"
MAX_STEPS = 60


def remember(request: HttpRequest, upload: ResultUpload) -> None:
    """Record in the browser session that the last change of the upload was made in this session."""
    if upload.step and upload.step[0] != upload.step[1]:
        steps = [*request.session.get(STEPS, []), [str(upload.pk), *upload.step]]
        request.session[STEPS] = steps[-MAX_STEPS:]
    upload.step = None


def is_stale(request: HttpRequest, upload: ResultUpload) -> bool:
    """Return whether a submitted page is out of date, so that its input cannot be stored.

    It is out of date if somebody else, or another browser session, has changed the draft since the page was
    opened. It is also out of date if both are true: the user typed player numbers, and the ranking's lines
    now have other people than when the page was opened.
    """
    version = request.POST.get("seen", "")
    if version in ("", uploads.version_of(upload)):
        return False
    return not _is_own_change(request, upload, version) or bool(misplaced_numbers(request.POST, upload))


def stale_message() -> str:
    return gettext(
        "This upload has changed since the page was opened, so nothing is saved yet. What was typed "
        "here stays on the page: check it and save again."
    )


def misplaced_numbers(sent: QueryDict, upload: ResultUpload) -> list[str]:
    """Return the player numbers that the user typed on a page whose lines now belong to other people.

    The people may have changed since the page was opened. If they have not, the list is empty.
    """
    if sent.get("rows", "") in ("", uploads.people_version_of(upload)):
        return []
    boxes = [match for name in sent if (match := FIELD.fullmatch(name)) and match[1] == "number"]
    return [sent[box[0]] for box in boxes if sent[box[0]] not in ("", sent.get(f"was_{box[2]}"))]


def _is_own_change(request: HttpRequest, upload: ResultUpload, version: str) -> bool:
    """Return whether this browser's session made all changes of the upload since `version`."""
    reached = {uploads.version_of(upload)}
    for pk, before, after in reversed(request.session.get(STEPS, [])):
        if pk == str(upload.pk) and after in reached:
            reached.add(before)
    return version in reached


def rebase(sent: QueryDict, form: DetailsForm, upload: ResultUpload, draft: Draft) -> QueryDict:
    """Return a copy of the submitted data that applies to the current draft only what the user changed.

    The draft may have changed since the page was opened. In the copy:

    - fields of the tournament's data that the user did not change have the draft's current values;
    - fields about people that the user did not change are removed;
    - all fields about people are removed if the lines of the ranking have other people now;
    - the ticks are the draft's current ones, with the user's changes.

    form: the form with the current data of the tournament
    """
    data = sent.copy()
    if "club" in sent:
        for name, text in form.shown():
            if name not in sent or sent.get(f"was-{name}") == sent[name]:
                data[name] = text
    data.setlist("accept", sorted(_ticks(sent, draft)))
    same_people = sent.get("rows", "") in ("", uploads.people_version_of(upload))
    for name in sent:
        match = FIELD.fullmatch(name)
        if match and not (same_people and _is_changed(sent, match)):
            del data[name]
    return data


def _is_changed(sent: QueryDict, match: re.Match[str]) -> bool:
    """Return whether the user changed a field about a person after the page was opened.

    match: the match of `FIELD` with the field's name
    """
    kind, key = match.groups()
    if kind == "country":
        return sent[match[0]] != sent.get(f"had_{key}")
    if kind == "name":
        return sent[match[0]] != sent.get(f"called_{key}")
    if kind == "number":
        return sent[match[0]] != sent.get(f"was_{key}")
    # What is checked initially may have been decided, or undone, since the page was opened.
    return sent[match[0]] != sent.get(f"picked_{key}")


def _ticks(sent: QueryDict, draft: Draft) -> set[str]:
    """Return the draft's current ticks, with the changes that the user made on the page.

    Ticks that the user added are ignored if the warnings have changed since the page was opened.
    """
    before, after = set(sent.getlist("ticked")), set(sent.getlist("accept"))
    added = after - before if sent.get("warned") == uploads.warnings_version(draft) else set()
    return set(draft.accepted) - (before - after) | added
