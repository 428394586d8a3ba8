"""Pages of the licences by season: the list, renewing last year's list, and undoing a renewal."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import require, roles_of
from players.models import Player
from players.office_only import for_office
from scoring.ledger.conditional import standings_state
from scoring.office.forms.licences import (
    FindLicencesForm,
    RenewalForm,
    RenewalOptionsForm,
    UndoRenewalForm,
)
from scoring.office.models import LicenceRenewal
from scoring.office.queries import licences as queries
from scoring.office.services import renewals
from scoring.office.tables.licences import RenewalTable, SeasonTable
from ui.addresses import office_crumbs
from ui.clock import today
from ui.form_errors import errors_on
from ui.paging import Pages, paged
from ui.progress import Progress, answer

MOST_TICKED = 1_000  # persons that a list with ticks shows; of more, only all can be renewed
LAST = 10  # renewals that the page of the season lists


@for_office
@require_safe
def licences(request: HttpRequest) -> HttpResponse:
    """List the players with, without or with a lapsed licence in a season."""
    find = FindLicencesForm(request.GET, day=today())
    filters = find.cleaned_data if find.is_valid() else {}
    season, club = find.season, filters.get("club")
    state = filters.get("estado") or queries.WITH
    counts = queries.count_by_state(standings_state().people_version, season, club and club.pk)
    players = queries.players_by_state(season, state, club)
    source = Pages(players, queries.records, count=lambda: counts[state])
    last = LicenceRenewal.objects.select_related("club", "created_by")[:LAST]
    context = {
        "find": find,
        "season": season,
        "with_licence": counts[queries.WITH],
        "lapsed": counts[queries.LAPSED],
        "table_html": paged(SeasonTable, request, source).as_html(request),
        "renewals_html": RenewalTable(list(last)).as_html(request),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Licences"), None)),
    }
    return render(request, "office/licences/season.html", context)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def licences_renew(request: HttpRequest) -> HttpResponse:
    """Preview the renewal that the query string chooses; POST renews."""
    require(roles_of(request.user).office)
    options = RenewalOptionsForm(request.GET, day=today())
    context: dict[str, Any] = {
        "options": options,
        "breadcrumbs": _crumbs((_("Renew"), None)),
    }
    if not options.is_valid():
        return render(request, "office/licences/renew.html", context, status=422)
    chosen = options.cleaned_data
    what = {"club": chosen["club"], "foreign": chosen["extranjeras"]}
    version, club = standings_state().people_version, chosen["club"]
    plan = queries.cached_plan(
        version, chosen["temporada"], chosen["desde"], club and club.pk, chosen["extranjeras"]
    )
    ticks = plan.number <= MOST_TICKED and (chosen["club"] is not None or plan.number <= renewals.AT_ONCE)
    players = queries.to_renew(chosen["temporada"], chosen["desde"], **what)
    listed = list(players) if ticks else []
    form = RenewalForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        numbers = request.POST.getlist("players")
        ids = list(Player.objects.filter(number__in=numbers).values_list("pk", flat=True)) if ticks else None
        with errors_on(form):
            seen, reason = form.cleaned_data["seen"], form.cleaned_data["reason"]
            season, first = chosen["temporada"], chosen["desde"]
            renewal = renewals.renew(season, first, request.user, reason, chosen=ids, seen=seen, **what)
            messages.success(
                request, _("The list is being renewed.") if renewal.is_under_way else _("Renewed.")
            )
            return redirect(renewal)
    ticked = set(request.POST.getlist("players")) if form.is_bound else {player.number for player in listed}
    context |= {
        "plan": plan,
        "chosen": chosen,
        "last": queries.last_day(chosen["temporada"]),
        "ticks": ticks,
        "listed": [(player, player.number in ticked) for player in listed],
        "form": form,
        "digest": renewals.digest(plan.ids),
        "background": plan.number > renewals.AT_ONCE,
    }
    return render(request, "office/licences/renew.html", context, status=422 if form.is_bound else 200)


@for_office
@require_safe
def licence_renewal(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a renewal: how far it is, or what it gave, and whether it can be undone."""
    return _page(request, _renewal(pk), UndoRenewalForm())


@for_office
@require_safe
def licence_renewal_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the fragment that shows how far a renewal is."""
    return answer(request, _progress(_renewal(pk)))


@for_office
@require_POST
def licence_renewal_undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Take back all licences of a renewal."""
    form = UndoRenewalForm(request.POST)
    renewal = _renewal(pk)
    if form.is_valid():
        with errors_on(form):
            renewal = renewals.ask_undo(pk, request.user, form.cleaned_data["reason"])
            messages.success(request, _("The licences of the renewal are taken back."))
            return redirect(renewal)
    return _page(request, renewal, form, status=422)


def _renewal(pk: int) -> LicenceRenewal:
    rows = LicenceRenewal.objects.select_related("club", "created_by", "undone_by")
    return get_object_or_404(rows, pk=pk)


def _page(
    request: HttpRequest, renewal: LicenceRenewal, form: UndoRenewalForm, status: int = 200
) -> HttpResponse:
    may_undo = renewal.state == LicenceRenewal.State.DONE and not renewal.undo_asked_at
    context = {
        "renewal": renewal,
        "number": renewal.licences.count(),
        "progress": _progress(renewal) if renewal.is_under_way else None,
        "may_undo": may_undo,
        "dependents": renewals.dependents(renewal) if may_undo else [],
        "form": form,
        "may_write": roles_of(request.user).office,
        "breadcrumbs": _crumbs((_("Renewal of %(season)s") % {"season": renewal.season}, None)),
    }
    return render(request, "office/licences/renewal.html", context, status=status)


def _progress(renewal: LicenceRenewal) -> Progress:
    return Progress(
        stage=_("Taking the licences back") if renewal.undo_asked_at else _("Giving the licences"),
        since=renewal.undo_asked_at or renewal.created_at,
        until=renewal.finished_at,
        finished=not renewal.is_under_way,
        url=reverse("licence_renewal_progress", args=[renewal.pk]),
        page_url=renewal.get_absolute_url(),
        done=renewal.done,
        total=renewal.total,
    )


def _crumbs(*steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    return office_crumbs((_("Licences"), reverse("office_licences")), *steps)
