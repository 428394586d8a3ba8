"""The page of one's personal data: hide the name, get a copy, ask for a correction or for erasure."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import roles_of
from players.ages import is_minor
from players.models import Player, Proposal
from players.office_only import for_office
from players.services import privacy
from players.services.limits import TooSoon
from scoring.cases.models import Case
from scoring.cases.services import open_case
from scoring.privacy import copies
from scoring.privacy.erasure_act import KIND, ask, effects
from scoring.privacy.forms import CorrectionForm, ErasureForm
from scoring.privacy.log import decisions_of
from scoring.privacy.models import DataCopy
from scoring.privacy.person import Person, of_account
from ui.addresses import WAITING_MESSAGE, crumbs, office_crumbs
from ui.clock import today
from ui.exports import attached
from ui.form_errors import errors_on
from ui.progress import Progress, answer

State = DataCopy.State


def _own_player(request: HttpRequest) -> Player:
    """Return the account's player, or raise Http404 if it has none."""
    player = getattr(request.user, "player", None)
    if player is None:
        raise Http404
    return player


@login_required
@require_safe
def choices(request: HttpRequest) -> HttpResponse:
    """Show what others see of the person, and everything that the person can decide about it."""
    person = of_account(request.user)
    copy = copies.latest(request.user)
    context = {
        "player": person.player,
        "minor": bool(person.player) and is_minor(person.player.birth_year, today()),
        "log": decisions_of(person.player, request.user) if person.player else [],
        "copy": copy,
        "progress": _progress(copy) if copy and copy.is_under_way else None,
        "correction_form": CorrectionForm(),
        "waiting": _waiting_erasure(person),
        "breadcrumbs": crumbs((_("Privacy"), None)),
    }
    return render(request, "privacy/choices.html", context)


def _waiting_erasure(person: Person) -> Proposal | None:
    if person.player is None:
        return None
    rows = Proposal.objects.filter(kind=KIND, key=str(person.player.pk), state=Proposal.State.PENDING)
    return rows.first()


@login_required
@require_POST
def hide(request: HttpRequest) -> HttpResponse:
    """Hide the name of the signed-in player, or show it, as the button says."""
    player = _own_player(request)
    hidden = request.POST.get("hidden") == "1"
    try:
        privacy.set_hidden(player.pk, hidden, request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("privacy_choices")
    text = _("Your name is hidden everywhere.") if hidden else _("Your name is shown again.")
    messages.success(request, text)
    return redirect("privacy_choices")


@login_required
@require_POST
def ask_copy(request: HttpRequest) -> HttpResponse:
    """Ask for a copy of all data of the signed-in person."""
    try:
        copies.ask(request.user)
    except TooSoon as error:
        text = ngettext(
            "There were many copies lately: ask again in a minute.",
            "There were many copies lately: ask again in %(minutes)s minutes.",
            error.minutes,
        )
        messages.error(request, text % {"minutes": error.minutes})
    return redirect("privacy_choices")


@login_required
@require_safe
def copy_progress(request: HttpRequest) -> HttpResponse:
    """Return how far the copy is, as an HTML fragment."""
    copy = copies.latest(request.user)
    if copy is None:
        raise Http404
    return answer(request, _progress(copy))


def _progress(copy: DataCopy) -> Progress:
    return Progress(
        stage=_("Your data are being collected"),
        since=copy.created_at,
        until=copy.finished_at,
        finished=not copy.is_under_way,
        url=reverse("data_copy_progress"),
        page_url=reverse("privacy_choices"),
        done=copy.done,
        total=copy.total,
    )


@login_required
@require_safe
def download_copy(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a copy of all data as a zip file, to its owner alone."""
    copy = get_object_or_404(DataCopy, pk=pk, account=request.user, state=State.DONE)
    response = HttpResponse(bytes(copy.content), content_type="application/zip")
    return attached(response, f"baza-{request.user.get_username()}-{copy.created_at:%Y-%m-%d}.zip")


@login_required
@require_POST
def correct(request: HttpRequest) -> HttpResponse:
    """Open a case about the person's data, which only the office reads."""
    player, form = _own_player(request), CorrectionForm(request.POST)
    if form.is_valid():
        try:
            with errors_on(form):
                case = open_case(player, request.user, Case.Kind.PERSONAL, form.cleaned_data["text"])
                messages.success(request, _("Sent to the office. You see the answer on this page."))
                return redirect(case)
        except TooSoon:
            form.add_error(None, _("There were many cases lately: try again later."))
    context = {"form": form, "breadcrumbs": _crumbs(_("Correction"))}
    return render(request, "privacy/correct.html", context, status=422)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest) -> HttpResponse:
    """Say what an erasure does, and ask the office for it (POST)."""
    player, form = _own_player(request), ErasureForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            ask(player, request.user, form.cleaned_data["reason"])
            messages.success(request, _("The office has your request. It decides within a month."))
            return redirect("privacy_choices")
    context = {"form": form, "effects": effects(), "breadcrumbs": _crumbs(_("Erasure"))}
    return render(request, "privacy/erase.html", context, status=422 if request.method == "POST" else 200)


def _crumbs(label: str) -> list[dict]:
    return crumbs((_("Privacy"), reverse("privacy_choices")), (label, None))


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def office_erase(request: HttpRequest, number: str) -> HttpResponse:
    """Prepare the erasure of somebody who asked for it in writing; another person of the office approves."""
    player = get_object_or_404(Player.objects.select_related("merged_into"), number=number).current
    form = ErasureForm(request.POST or None)
    form.fields["reason"].required = True
    form.fields["reason"].label = _("How and when the person asked for it")
    form.fields["understood"].label = _("The person is who they say they are")
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            proposal = ask(player, request.user, form.cleaned_data["reason"])
            messages.success(request, WAITING_MESSAGE)
            return redirect(proposal)
    context = {
        "form": form,
        "effects": effects(),
        "player": player,
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((player.desk_name, None)),
    }
    return render(request, "privacy/erase.html", context, status=422 if request.method == "POST" else 200)
