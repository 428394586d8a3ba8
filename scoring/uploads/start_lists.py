"""The start list on the review page: who plays in each pair of a file that names nobody."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext

from tournaments.formats.sandbox import read_start_list_safely
from tournaments.formats.start_list import StartList
from tournaments.formats.types import Issue
from tournaments.models import ResultUpload
from tournaments.services import scorings, uploads
from tournaments.services.drafts import Draft
from tournaments.services.issues import describe, issue

TEXT, FILE = "start_list", "start_list_file"  # names of the fields
MAX_LENGTH = 200_000
MAX_NAMED = 12  # numbers of pairs named in a message


def is_offered(upload: ResultUpload, draft: Draft) -> bool:
    """Return whether the page offers to add a start list.

    It does if nobody is named yet, and for formats whose files seldom name people.
    """
    numbered = any(entry.number for entry in draft.entries)
    return numbered and (draft.is_nameless or scorings.is_scored_here(upload.file_format))


def pasted(request: HttpRequest) -> str:
    """Return the text of a pasted list."""
    return request.POST.get(TEXT, "").replace("\x00", "")[:MAX_LENGTH]


def add_sent_list(request: HttpRequest, upload: ResultUpload) -> bool:
    """Add the people of a sent list to the ranking, and show a message about it.

    Return whether the page has to be shown again because the list could not be used.
    """
    parsed = _read(request)
    if parsed is None:
        return False
    if parsed.has_errors:
        _show_errors(request, parsed.issues)
        return True
    placed = uploads.add_names(upload, parsed.rows)
    if not placed.filled:
        text = gettext("No pair of the start list is in the ranking: compare the numbers of the pairs.")
        messages.error(request, text)
        return True
    text = ngettext(
        "The names of %(count)s pair were added.", "The names of %(count)s pairs were added.", placed.filled
    )
    messages.success(request, text % {"count": placed.filled})
    if placed.unknown:
        numbers = ", ".join(placed.unknown[:MAX_NAMED]) + (" …" if len(placed.unknown) > MAX_NAMED else "")
        text = gettext("These pairs of the start list are not in the ranking: %(numbers)s.")
        messages.warning(request, text % {"numbers": numbers})
    return False


def _read(request: HttpRequest) -> StartList | None:
    """Return the sent list, from the file if there is one; None if nothing was sent."""
    file = request.FILES.get(FILE)
    if file is None:
        text = pasted(request)
        return read_start_list_safely("", text.encode()) if text.strip() else None
    if file.size > settings.UPLOAD_LIMIT:
        limit = settings.UPLOAD_LIMIT // 2**20
        return StartList("unknown", file.name, issues=(issue("upload_too_large", limit=limit),))
    return read_start_list_safely(file.name, file.read())


def _show_errors(request: HttpRequest, issues: tuple[Issue, ...]) -> None:
    first = next(item for item in issues if item.severity == "error")
    described = describe(first)
    where = gettext("Line %(line)s.") % {"line": first.line} if first.line else ""
    parts = (gettext("The start list was not added."), where, described.message, described.remedy)
    messages.error(request, " ".join(part for part in parts if part))
