"""A review page opened before the draft changed: whose change it was, and what was touched on the page.

The browser's Back button brings such pages, and so does a second window.
"""

import re

from django.http import HttpRequest, QueryDict

from scoring.uploads.forms.details import DetailsForm
from scoring.uploads.people_to_match import FIELD
from tournaments.models import ResultUpload
from tournaments.services import uploads
from tournaments.services.drafts import Draft
from tournaments.services.people import seat_of

STEPS = "upload_steps"  # of a session: its own changes, as [upload, version before, version after]
MOST_STEPS = 60


def remember(request: HttpRequest, upload: ResultUpload) -> None:
    """Keep in the session that it made the last change of this upload."""
    if upload.step and upload.step[0] != upload.step[1]:
        steps = [*request.session.get(STEPS, []), [str(upload.pk), *upload.step]]
        request.session[STEPS] = steps[-MOST_STEPS:]
    upload.step = None


def is_stale(request: HttpRequest, upload: ResultUpload) -> bool:
    """Whether the page sent cannot be joined with what changed since it was opened.

    Changes of its own session alone are no obstacle, unless numbers were typed for people who moved.
    """
    seen = request.POST.get("seen", "")
    if seen in ("", uploads.version_of(upload)):
        return False
    return not _is_own(request, upload, seen) or bool(numbers_without_a_line(request.POST, upload))


def numbers_without_a_line(sent: QueryDict, upload: ResultUpload) -> list[str]:
    """Numbers typed on a page whose lines have other people now: there they could be somebody else's."""
    if sent.get("rows", "") in ("", uploads.people_version_of(upload)):
        return []
    boxes = [match for name in sent if (match := FIELD.fullmatch(name)) and match[1] == "number"]
    return [sent[box[0]] for box in boxes if sent[box[0]] not in ("", sent.get(f"was_{box[2]}"))]


def _is_own(request: HttpRequest, upload: ResultUpload, seen: str) -> bool:
    """Whether this session alone made what changed between the version `seen` and the present one."""
    reached = {uploads.version_of(upload)}
    for pk, before, after in reversed(request.session.get(STEPS, [])):
        if pk == str(upload.pk) and after in reached:
            reached.add(before)
    return seen in reached


def rebased(sent: QueryDict, form: DetailsForm, upload: ResultUpload, draft: Draft) -> QueryDict:
    """What the page sends, as if it had been opened now: what was not touched on it is as the draft has it.

    form: the tournament's data as they are now. Other people on the lines take all boxes about people away.
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
        if match and not (same_people and _is_touched(sent, match, draft)):
            del data[name]
    return data


def _is_touched(sent: QueryDict, match: re.Match[str], draft: Draft) -> bool:
    """Whether a field about a person says anything that the present draft does not know."""
    kind, key = match.groups()
    if kind == "number":
        return sent[match[0]] != sent.get(f"was_{key}")
    # What was chosen beforehand is taken, unless the person has been decided since.
    return seat_of(key) not in draft.choices or sent[match[0]] != sent.get(f"picked_{key}")


def _ticks(sent: QueryDict, draft: Draft) -> set[str]:
    """The ticks as they are now, with what was ticked and unticked on the page.

    What was ticked there counts only while the warnings are those that the page showed.
    """
    had, has = set(sent.getlist("ticked")), set(sent.getlist("accept"))
    ticked = has - had if sent.get("warned") == uploads.warnings_version(draft) else set()
    return set(draft.accepted) - (had - has) | ticked
