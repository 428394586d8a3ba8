"""Step 1 of an upload: send a file, or start a ranking typed by hand. Also the templates to download."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from players.access import require, roles_of, uploadable_clubs
from scoring.ledger import systems
from scoring.ledger.evaluation import FAMILY
from scoring.ratings.models import GoUpload
from scoring.ratings.services import register
from scoring.uploads.forms.details import HeaderForm, TypedForm, UploadForm
from scoring.uploads.forms.go import details_of as go_details
from scoring.uploads.views.access import announced_of, correctable
from tournaments.formats.sandbox import read_results_safely
from tournaments.formats.templates import template_csv, template_xlsx
from tournaments.formats.types import Issue, ParsedResult
from tournaments.models import ResultUpload, Tournament, Upload
from tournaments.services import announcements, uploads
from tournaments.services.files import Sent, repeated
from tournaments.services.issues import describe
from tournaments.services.stored import stored_entries, stored_guests
from ui import exports
from ui.formatting import language
from ui.repeating import repeatable

TEMPLATES = {"csv": template_csv, "xlsx": template_xlsx}
LABELS = (_("File"), _("Review"), _("Confirm"), _("Receipt"))
# For each kind of upload, the URL names of the steps after the first.
STEPS: dict[type[Upload], tuple[str, str, str]] = {
    ResultUpload: ("upload_review", "upload_confirm", "upload_receipt"),
    GoUpload: ("go_upload_review", "go_upload_confirm", "go_upload_receipt"),
}


def steps(
    current: str, upload: ResultUpload | GoUpload | None = None, reached: int = 2
) -> list[dict[str, Any]]:
    """Return the four steps of an upload, with URLs for those that the user can go to now.

    current: the URL name of the current step
    reached: the last step, counted from 1, that a draft has reached: 3 if it can be confirmed
    """
    review, confirm, receipt = STEPS[type(upload) if upload else ResultUpload]
    urls = {"upload_start": reverse("upload_start")}
    if upload:
        urls["upload_start"] = start_url(upload)
        confirmed = upload.state == upload.State.CONFIRMED
        names = [receipt] if confirmed else [review, confirm][: reached - 1]
        urls |= {name: reverse(name, args=[upload.pk]) for name in names}
    return [
        {"label": label, "current": name == current, "url": urls.get(name, "")}
        for label, name in zip(LABELS, ("upload_start", review, confirm, receipt), strict=True)
    ]


def start_url(upload: ResultUpload | GoUpload) -> str:
    """Return the URL of step 1 for another file in place of this upload."""
    if not upload.corrects_id:
        return reverse("upload_start")
    if isinstance(upload, GoUpload):
        return reverse("go_upload_correct", args=[upload.corrects_id])
    return f"{reverse('upload_start')}?corrige={upload.corrects_id}"


def crumbs(*labels: str) -> list[dict[str, str]]:
    """Return the breadcrumbs of a page: the list of uploads, then the labels."""
    return [
        {"label": gettext("Home"), "url": reverse("home")},
        {"label": gettext("Uploads"), "url": reverse("uploads")},
        *({"label": label, "url": ""} for label in labels),
    ]


def back_to_review(
    request: HttpRequest, upload: ResultUpload, text: str, level: int = messages.ERROR
) -> HttpResponse:
    """Redirect to the review page of an upload, with a message."""
    messages.add_message(request, level, text)
    return redirect("upload_review", upload.pk)


def for_a_club(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a first step: without any club, the office is led to the clubs instead of refused."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        if roles_of(request.user).office and not uploadable_clubs(request.user).exists():
            messages.info(request, gettext("A result belongs to a club: add the first club, then upload."))
            return redirect("office_clubs")
        return view(request, *args, **kwargs)

    return wrapper


@repeatable  # at worst there are two drafts of the same file, of which the review tells
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@for_a_club
def start(request: HttpRequest) -> HttpResponse:
    """Step 1: upload a file and enter the data that are not in it.

    The URL's `?corrige=` is the id of a tournament to correct, `?anunciado=` that of an announced tournament.
    """
    corrects, form = _start_form(request, UploadForm, request.FILES)
    if request.method == "POST" and form.is_valid():
        received: list[Upload] = _receive_go(request, form) if form.go_files else []
        if form.bridge_files:
            received.append(_receive_bridge(request, form, corrects))
        if len(received) > 1:
            names = ", ".join(upload.file_name for upload in received)
            text = gettext("These files are uploads of their own, each in the list below: %(names)s.")
            messages.success(request, text % {"names": names})
        return redirect(received[0] if len(received) == 1 else "uploads")
    return render(request, "uploads/start.html", _start_context(form, corrects, crumbs(gettext("New"))))


def _sent(files: Iterable[UploadedFile]) -> list[Sent]:
    return [Sent(file.name, file.read()) for file in files]


def _receive_bridge(request: HttpRequest, form: UploadForm, corrects: Tournament | None) -> ResultUpload:
    """Make an upload of the files with results of bridge."""
    first, *further = sent = _sent(form.bridge_files)
    upload = uploads.receive(
        request.user,
        form.cleaned_data["club"],
        *first,
        _details(form, corrects),
        corrects,
        form.reason,
        form.announcement,
        wait=False,
        further=further,
    )
    if names := repeated(sent):
        text = gettext("Sent twice, and counted once: %(names)s.")
        messages.info(request, text % {"names": ", ".join(names)})
    return upload


def _receive_go(request: HttpRequest, form: UploadForm) -> list[GoUpload]:
    """Make an upload of each Go tournament. Of several files of one tournament, only one is kept.

    If there are other uploads, those that were refused are left out, with a message that says why.
    """
    details = {} if form.bridge_files else go_details(form.cleaned_data)
    kept, left_out = register.receive_several(request.user, _sent(form.go_files), details)
    for upload, whole in left_out:
        text = gettext(
            "%(name)s is of the same tournament as %(other)s, which tells as much or more, so it was "
            "left out."
        )
        messages.info(request, text % {"name": upload.file_name, "other": whole.file_name})
    refused = [upload for upload in kept if upload.state == upload.State.REFUSED]
    unread = [(file.name, item) for file, item in form.unread]
    if form.bridge_files or len(kept) > 1:
        unread += [(upload.file_name, register.result_of(upload).issues[0]) for upload in refused]
    for name, item in unread:
        text = gettext("%(name)s was left out. %(reason)s")
        messages.warning(request, text % {"name": name, "reason": _explanation(item)})
    if form.bridge_files or len(kept) > len(refused):
        kept = [upload for upload in kept if upload not in refused]
    return kept


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@for_a_club
def typed(request: HttpRequest) -> HttpResponse:
    """Step 1 without a file: start a ranking from pasted rows, from the ranking to correct, or empty."""
    corrects, form = _start_form(request, TypedForm)
    if request.method == "POST" and form.is_valid():
        pasted = form.cleaned_data.get("paste", "")
        ranking = _initial_ranking(pasted, form.cleaned_data["format"], corrects)
        if ranking.has_errors and not ranking.entries:
            # The text stays on the page, because a draft would only store its rows.
            form.add_error(
                "paste", [_explanation(item) for item in ranking.issues if item.severity == "error"]
            )
        else:
            club, header = form.cleaned_data["club"], _details(form, corrects)
            newest = corrects.revisions.order_by("-number").first() if corrects else None
            upload = uploads.receive_typed(
                request.user,
                club,
                header,
                ranking,
                corrects,
                form.reason,
                form.announcement,
                choices=stored_guests(newest),
            )
            return redirect("upload_review" if pasted.strip() else "upload_edit", upload.pk)
    return render(request, "uploads/typed.html", _start_context(form, corrects, crumbs(gettext("By hand"))))


def _start_form(request: HttpRequest, form_class: type, *files):
    """Return the tournament to correct (or None) and the form of step 1.

    Raises PermissionDenied if the user may not upload for any club.
    """
    corrects = correctable(request.user, request.GET.get("corrige"))
    clubs = uploadable_clubs(request.user)
    require(clubs.exists())
    initial = {} if form_class is UploadForm else {"venue": Tournament.Venue.IN_PERSON, "event_type": "pool"}
    day = None
    if last := ResultUpload.objects.filter(created_by=request.user).order_by("-created_at").first():
        initial["club"] = last.club_id
    announced = None if corrects else announced_of(clubs, request.GET.get("anunciado"))
    if announced:
        clubs, day = clubs.filter(pk=announced.club_id), announced.end_date
        initial |= {"club": announced.club_id}
        if form_class is TypedForm:
            initial = announcements.details_of(announced)
    if corrects:
        clubs = clubs.filter(pk=corrects.club_id)
        initial = uploads.details_of(corrects)
        day = corrects.end_date
    initial |= _initial_system(request)
    data = (request.POST, *files) if request.method == "POST" else ()
    form = form_class(*data, clubs=clubs, initial=initial, correcting=bool(corrects), day=day)
    form.announcement = announced
    return corrects, form


def _initial_system(request: HttpRequest) -> dict[str, str]:
    """Return the points system in the URL's `?sistema=` as initial form data; {} if it is not offered."""
    family = request.GET.get("sistema")
    return {"family": family} if family in [system.family for system in systems.offered()] else {}


def _system_links(form: HeaderForm, query: dict[str, int]) -> list[dict[str, Any]]:
    """Return the choices of points systems, each with the URL that chooses it.

    query: further parameters of the URLs
    """
    return [
        {**choice, "url": f"?{urlencode({'sistema': choice['family'], **query})}"}
        for choice in system_choices(form)
    ]


def system_choices(form: HeaderForm) -> list[dict[str, Any]]:
    """Return the points systems to choose from: those offered and the form's own.

    Return [] if there is only one.
    """
    offered = systems.offered()
    choices = offered if form.system in offered else [*offered, form.system]
    if len(choices) == 1:
        return []
    return [
        {"family": system.family, "label": system.label, "current": system == form.system}
        for system in choices
    ]


def _start_context(form: HeaderForm, corrects: Tournament | None, trail: list) -> dict[str, Any]:
    """Return the template context of the pages of step 1.

    Its item `query` is the query string for links from one of these pages to another.
    """
    correction = {"corrige": corrects.pk} if corrects else {}
    if form.announcement:
        correction = {"anunciado": form.announcement.pk}
    system = {"sistema": form.system.family} if form.system.family != FAMILY else {}
    return {
        "form": form,
        "corrects": corrects,
        "announced": form.announcement,
        "systems": _system_links(form, correction),
        "query": f"?{urlencode(system | correction)}" if system or correction else "",
        "steps": steps("upload_start"),
        "breadcrumbs": trail,
    }


def _details(form, corrects: Tournament | None) -> dict[str, Any]:
    """Return the form's values.

    If the form has no field for the points system, a correction keeps its system.
    """
    details = form.details()
    if corrects and "family" not in details:
        details |= {"family": corrects.family, "params": corrects.params}
    return details


def _initial_ranking(pasted: str, kind: str, corrects: Tournament | None) -> ParsedResult:
    """Return the rows with which a typed ranking starts: of the tournament to correct, or pasted."""
    if corrects:
        newest = corrects.revisions.order_by("-number").first()
        return ParsedResult(uploads.TYPED, "", entries=stored_entries(newest))
    if not pasted.strip():
        return ParsedResult(uploads.TYPED, "")
    return replace(read_results_safely("", pasted.encode(), kind), format_name=uploads.TYPED)


def _explanation(item: Issue) -> str:
    """Return the message and remedy of an issue as one text, to show as the error of a field."""
    description = describe(item)
    return f"{description.message} {description.remedy}".strip()


@require_GET
def template(request: HttpRequest, extension: str) -> HttpResponse:
    """Download the template of the result table in the user's language."""
    if extension not in TEMPLATES:
        raise Http404
    lang = language(get_language())
    name = "resultados" if lang == "es" else "results"
    content = TEMPLATES[extension](lang)
    response = HttpResponse(content, content_type=exports.CONTENT_TYPES[extension])
    return exports.attached(response, f"{name}.{extension}")
