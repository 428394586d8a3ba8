"""Step 1 of an upload (a file, or a ranking typed by hand), the templates and the list."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from players.access import require, uploadable_clubs
from scoring.ledger import systems
from scoring.ledger.evaluation import FAMILY
from scoring.uploads.forms.details import HeaderForm, TypedForm, UploadForm
from scoring.uploads.views.access import correctable
from tournaments.formats.sandbox import read_results_safely
from tournaments.formats.templates import template_csv, template_xlsx
from tournaments.formats.types import Entry, ParsedResult, Person
from tournaments.models import ResultUpload, Tournament
from tournaments.services import uploads
from ui import exports
from ui.formatting import language

STEPS = [
    (_("File"), "upload_start"),
    (_("Review"), "upload_review"),
    (_("Confirm"), "upload_confirm"),
    (_("Receipt"), "upload_receipt"),
]
TEMPLATES = {
    "csv": (template_csv, "text/csv; charset=utf-8"),
    "xlsx": (template_xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}


def steps(current: str, upload: ResultUpload | None = None) -> list[dict[str, Any]]:
    """The four steps with their links, as far as this upload can go to them."""
    open_to = {"upload_start"}
    if upload:
        confirmed = upload.state == upload.State.CONFIRMED
        open_to.add("upload_receipt" if confirmed else "upload_review")
        if upload.state == upload.State.REVIEW:
            open_to.add("upload_confirm")
    return [
        {"label": label, "current": name == current, "url": _step_url(name, upload, open_to)}
        for label, name in STEPS
    ]


def _step_url(name: str, upload: ResultUpload | None, open_to: set[str]) -> str:
    if name not in open_to:
        return ""
    if name != "upload_start":
        return reverse(name, args=[upload.pk])
    corrects = upload.corrects_id if upload else None
    return reverse(name) + (f"?corrige={corrects}" if corrects else "")


def crumbs(*labels: str) -> list[dict[str, str]]:
    """Breadcrumbs below the list of uploads."""
    return [
        {"label": gettext("Home"), "url": reverse("home")},
        {"label": gettext("Uploads"), "url": reverse("uploads")},
        *({"label": label, "url": ""} for label in labels),
    ]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    """Step 1: the file and what it does not say; `?corrige=` corrects a tournament."""
    corrects, form = _first_form(request, UploadForm, request.FILES)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        upload = uploads.receive(
            request.user,
            form.cleaned_data["club"],
            file.name,
            file.read(),
            _details(form, corrects),
            corrects,
            form.reason,
        )
        return redirect("upload_review", upload.pk)
    return render(request, "uploads/start.html", _first_context(form, corrects, crumbs(gettext("New"))))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def typed(request: HttpRequest) -> HttpResponse:
    """Step 1 without a file: pasted rows, the present ranking of a correction, or none yet."""
    corrects, form = _first_form(request, TypedForm)
    if request.method == "POST" and form.is_valid():
        pasted = form.cleaned_data.get("paste", "")
        upload = uploads.receive_typed(
            request.user,
            form.cleaned_data["club"],
            _details(form, corrects),
            _parsed(pasted, form.cleaned_data["format"], corrects),
            corrects,
            form.reason,
        )
        return redirect("upload_review" if pasted.strip() else "upload_edit", upload.pk)
    return render(request, "uploads/typed.html", _first_context(form, corrects, crumbs(gettext("By hand"))))


def _first_form(request: HttpRequest, form_class: type, *files):
    """The form of step 1 and the tournament it corrects, if any; 403 for who uploads for no club."""
    corrects = correctable(request.user, request.GET.get("corrige"))
    clubs = uploadable_clubs(request.user)
    require(clubs.exists())
    initial = {"venue": Tournament.Venue.IN_PERSON, "event_type": "pool"}
    day = None
    if corrects:
        clubs = clubs.filter(pk=corrects.club_id)
        initial = uploads.details_of(corrects)
        day = corrects.end_date
    initial |= asked_system(request)
    data = (request.POST, *files) if request.method == "POST" else ()
    return corrects, form_class(*data, clubs=clubs, initial=initial, correcting=bool(corrects), day=day)


def asked_system(request: HttpRequest) -> dict[str, str]:
    """The points system of the address (`?sistema=`) as a form's first value; nothing for an unknown one."""
    asked = request.GET.get("sistema")
    return {"family": asked} if asked in [each.family for each in systems.offered()] else {}


def system_links(form: HeaderForm, **kept: int) -> list[dict[str, Any]]:
    """The points systems with links that choose one before the form is filled in.

    kept: what else stays in the address
    """
    return [
        {**choice, "url": f"?{urlencode({'sistema': choice['family'], **kept})}"}
        for choice in system_choices(form)
    ]


def system_choices(form: HeaderForm) -> list[dict[str, Any]]:
    """The points systems to choose from; none where there is but one. A tournament keeps its own."""
    offered = systems.offered()
    choices = offered if form.system in offered else [*offered, form.system]
    if len(choices) == 1:
        return []
    return [
        {"family": system.family, "label": system.label, "current": system == form.system}
        for system in choices
    ]


def _first_context(form: HeaderForm, corrects: Tournament | None, trail: list) -> dict[str, Any]:
    """What the pages of step 1 show; `query` leads from one of them to the other."""
    kept = {"corrige": corrects.pk} if corrects else {}
    chosen = {"sistema": form.system.family} if form.system.family != FAMILY else {}
    return {
        "form": form,
        "corrects": corrects,
        "systems": system_links(form, **kept),
        "query": f"?{urlencode(chosen | kept)}" if chosen or kept else "",
        "steps": steps("upload_start"),
        "breadcrumbs": trail,
    }


def _details(form, corrects: Tournament | None) -> dict[str, Any]:
    """The form's values; a correction keeps its points system where the form does not ask for one."""
    details = form.details()
    if corrects and "family" not in details:
        details |= {"family": corrects.family, "params": corrects.params}
    return details


def _parsed(pasted: str, kind: str, corrects: Tournament | None) -> ParsedResult:
    """The rows that a typed ranking starts from."""
    if corrects:
        return ParsedResult(uploads.TYPED, "", entries=_entries_of(corrects))
    if not pasted.strip():
        return ParsedResult(uploads.TYPED, "")
    read = read_results_safely("", pasted.encode(), kind)
    return replace(read, format_name=uploads.TYPED)


def _entries_of(tournament: Tournament) -> tuple[Entry, ...]:
    """The present ranking of a stored tournament, as if it had been typed."""
    revision = tournament.revisions.order_by("-number").first()
    if revision is None:
        return ()
    seats = revision.seats.select_related("player").order_by("contestant_id", "position")
    people: dict[int, list[Person]] = {}
    for seat in seats:
        # Names are left out where there is a number: a hidden player's is not the director's to read.
        person = Person(seat.player.number, "") if seat.player else Person(None, seat.guest_name)
        people.setdefault(seat.contestant_id, []).append(person)
    return tuple(
        Entry(
            line=row,
            number=each.label or None,
            place=str(each.place),
            score=None if each.score is None else f"{each.score.normalize():f}",
            percentage=None if each.percentage is None else f"{each.percentage.normalize():f}",
            direction=each.field or None,
            section=None,
            team=each.team_name or None,
            people=tuple(people.get(each.pk, ())),
            boards=each.boards,
        )
        for row, each in enumerate(revision.contestants.order_by("position"), start=1)
    )


@require_GET
def template(request: HttpRequest, extension: str) -> HttpResponse:
    """The documented table, empty but for an example, in the reader's language."""
    if extension not in TEMPLATES:
        raise Http404
    write, content_type = TEMPLATES[extension]
    lang = language(get_language())
    name = "resultados" if lang == "es" else "results"
    return exports.attached(HttpResponse(write(lang), content_type=content_type), f"{name}.{extension}")
