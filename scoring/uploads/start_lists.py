"""Files and lists that are added on the review: who played, further sessions, hands."""

from collections.abc import Sequence

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext

from tournaments.formats.sandbox import read_start_list_safely
from tournaments.formats.types import LINES_PER_FILE, Issue, ParsedResult
from tournaments.models import ResultUpload
from tournaments.services import scorings, uploads
from tournaments.services.drafts import Draft
from tournaments.services.files import MOST, Sent, files_of
from tournaments.services.issues import describe, issue, where

# Names of the fields: a pasted list, its file, and files of any kind.
TEXT, FILE, MORE = "start_list", "start_list_file", "more_files"
REMOVE = "remove_file"  # the name of the buttons that remove a file; their value is its position
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


def change_files(request: HttpRequest, upload: ResultUpload) -> bool:
    """Add the sent files and lists to the upload, or remove a file, and show a message about it.

    Return whether the page has to be shown again because a file could not be used.
    """
    upload.refresh_from_db()
    if position := request.POST.get(REMOVE, ""):
        return _remove(request, upload, position)
    sent = [Sent(file.name, file.read()) for name in (FILE, MORE) for file in request.FILES.getlist(name)]
    if not request.FILES.getlist(FILE) and (text := pasted(request)).strip():
        sent.append(Sent(gettext("pasted list") + ".csv", text.encode()))
    if not sent:
        return False
    if any(len(item.data) > settings.UPLOAD_LIMIT for item in sent):
        _show_errors(request, [issue("upload_too_large", limit=settings.UPLOAD_LIMIT // 2**20)])
        return True
    if not uploads.may_change_files(upload):
        return _add_names(request, upload, sent[0])
    try:
        errors = uploads.add_files(upload, sent)
    except uploads.TooManyFiles:
        messages.error(request, gettext("At most %(limit)s files belong to one upload.") % {"limit": MOST})
        return True
    if errors:
        _show_errors(request, errors, [part.name for part in sent])
        return True
    step, upload.step = upload.step, None
    upload.refresh_from_db()
    upload.step = step
    if uploads.has_open_layouts(upload):
        return False  # the page that follows asks for the columns
    _show_added(request, upload, sent)
    return False


def _remove(request: HttpRequest, upload: ResultUpload, position: str) -> bool:
    name = next((item.name for item in files_of(upload) if str(item.position) == position), "")
    errors = uploads.remove_file(upload, int(position) if position.isdecimal() else 0)
    if errors:
        _show_errors(request, errors)
        return True
    messages.success(request, gettext("“%(name)s” was removed.") % {"name": name})
    return False


def _show_added(request: HttpRequest, upload: ResultUpload, sent: list[Sent]) -> None:
    parsed = ParsedResult.from_json(upload.parsed)
    names = {item.name for item in sent}
    lists = {
        place for place, part in enumerate(parsed.files, 1) if part.role == "names" and part.name in names
    }
    filled = sum(
        any((person.line or 0) // LINES_PER_FILE in lists for person in entry.people)
        for entry in parsed.entries
    )
    if filled:
        text = ngettext(
            "The names of %(count)s pair were added.", "The names of %(count)s pairs were added.", filled
        )
        messages.success(request, text % {"count": filled})
    else:
        text = gettext("Added and read again with the others: %(names)s.")
        messages.success(request, text % {"names": ", ".join(sorted(names))})


def _add_names(request: HttpRequest, upload: ResultUpload, sent: Sent) -> bool:
    """Put the people of a list into a ranking that was typed or edited by hand."""
    parsed = read_start_list_safely(*sent)
    if parsed.has_errors:
        _show_errors(request, [item for item in parsed.issues if item.severity == "error"])
        return True
    placed = uploads.add_names(upload, parsed.rows)
    if placed.several:
        several = issue("joined_list_several", value=_listed(placed.several), name=sent.name)
        described = describe(several)
        messages.warning(request, f"{described.message} {described.remedy}")
        if not placed.filled:
            return True
    if not placed.filled:
        text = gettext("No pair of the start list is in the ranking: compare the numbers of the pairs.")
        messages.error(request, text)
        return True
    text = ngettext(
        "The names of %(count)s pair were added.", "The names of %(count)s pairs were added.", placed.filled
    )
    messages.success(request, text % {"count": placed.filled})
    if placed.unknown:
        text = gettext("These pairs of the start list are not in the ranking: %(numbers)s.")
        messages.warning(request, text % {"numbers": _listed(placed.unknown)})
    return False


def _listed(numbers: Sequence[str]) -> str:
    return ", ".join(numbers[:MAX_NAMED]) + (" …" if len(numbers) > MAX_NAMED else "")


def _show_errors(request: HttpRequest, issues: list[Issue], files: list[str] = ()) -> None:
    """Show why files were not added: the reasons of at most two issues."""
    parts = [gettext("Nothing was added.")]
    for item in issues[:2]:
        described = describe(item)
        place = where(item, files=files)
        parts += [f"{place}:" if place else "", described.message, described.remedy]
    messages.error(request, " ".join(part for part in parts if part))
