"""Submitted review pages that were opened before the draft changed.

Such pages come from the browser's Back button or from a second window. If the session itself made all later
changes, the page's own changes are applied to the current draft; otherwise the page is stale.
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
    """Record in the session that it made the last change of the upload."""
    if upload.step and upload.step[0] != upload.step[1]:
        steps = [*request.session.get(STEPS, []), [str(upload.pk), *upload.step]]
        request.session[STEPS] = steps[-MAX_STEPS:]
    upload.step = None


def is_stale(request: HttpRequest, upload: ResultUpload) -> bool:
    """Return whether the draft has changed since the page was opened, so that the page cannot be applied.

    Changes made in the same browser session do not make the page stale, unless player numbers were
    typed on lines that now have other people.
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
    """Return the player numbers typed on a page, if its lines now have other people, else an empty list."""
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
    """Return the submitted data with only the user's changes applied to the current draft.

    Fields of the tournament that the user did not change get their current values. Unchanged
    fields about people are removed; all of them are, if other people are on the lines now.

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
    """Return whether a field about a person differs from what the page showed at first."""
    kind, key = match.groups()
    if kind == "number":
        return sent[match[0]] != sent.get(f"was_{key}")
    # What is checked initially may have been decided, or undone, since the page was opened.
    return sent[match[0]] != sent.get(f"picked_{key}")


def _ticks(sent: QueryDict, draft: Draft) -> set[str]:
    """Return the current ticks with the page's changes.

    Ignore new ticks if the warnings are no longer those that the page showed.
    """
    before, after = set(sent.getlist("ticked")), set(sent.getlist("accept"))
    added = after - before if sent.get("warned") == uploads.warnings_version(draft) else set()
    return set(draft.accepted) - (before - after) | added
