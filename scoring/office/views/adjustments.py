"""Pages that prepare adjustments of points. A second person approves them on the page of proposals."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access import roles_of
from players.office_only import for_office
from players.services.proposals import waiting_for
from scoring.ledger.models import LedgerEntry
from scoring.ledger.queries.awards import FIELDS, award_records
from scoring.ledger.tables import AwardTable
from scoring.office.forms.lists import FindPlayerForm
from scoring.office.forms.proposals import AdjustmentForm, TakeBackForm
from scoring.office.services import adjustments
from scoring.office.views.preparing import redirect_after
from ui.addresses import office_crumbs
from ui.clock import today
from ui.form_errors import errors_on
from ui.paging import Pages, paged


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def adjustments_home(request: HttpRequest) -> HttpResponse:
    """Show the adjustments of the player named in the query string; POST proposes a new one."""
    find = FindPlayerForm.from_request(request)
    player = find.player
    context = {
        "find": find,
        "player": player,
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Adjustments"), None)),
    }
    if player is None:
        return render(request, "office/adjustments.html", context, status=422 if find.is_bound else 200)
    form = AdjustmentForm(request.POST or None, initial=_initial(request, player.pk))
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        with errors_on(form):
            proposal = adjustments.propose_adjustment(
                form.adjustment(player.pk), values["reason"], values["evidence"], request.user
            )
            return redirect_after(request, proposal)
    entries = LedgerEntry.objects.filter(player=player, kind=LedgerEntry.Kind.ADJUSTMENT)
    rows = entries.order_by("-played_on", "-pk").values(*FIELDS)
    pages = Pages(rows, lambda page: award_records(page, player.number))
    table = paged(AwardTable, request, pages, caption=_("Adjustments of the player"))
    context |= {"form": form, "table_html": table.as_html(request)}
    return render(request, "office/adjustments.html", context, status=422 if form.is_bound else 200)


def _initial(request: HttpRequest, player_id: int) -> dict:
    """Return the form's initial values.

    If the query string names an entry of the player, the day, venue, family and title are that entry's, so
    that the adjustment is listed beside it. Otherwise only the day is set, to today.
    """
    text = request.GET.get("apunte", "")
    if not text.isdecimal() or len(text) >= 19:
        return {"played_on": today()}
    entries = LedgerEntry.objects.filter(pk=int(text), player=player_id)
    entry = entries.select_related("tournament").first()
    if entry is None:
        return {"played_on": today()}
    return {
        "played_on": entry.played_on,
        "online": "1" if entry.online else "",
        "family": entry.family,
        "title": entry.tournament.name if entry.tournament_id else entry.title,
    }


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def adjustment_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Propose to take an adjustment back."""
    entries = LedgerEntry.objects.select_related("player", "tournament")
    entry = get_object_or_404(entries, pk=pk, kind=LedgerEntry.Kind.ADJUSTMENT)
    form = TakeBackForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            proposal = adjustments.propose_taking_back(entry, by=request.user, **form.cleaned_data)
            return redirect_after(request, proposal)
    context = {
        "form": form,
        "entry": entry,
        "stands": adjustments.is_effective(entry),
        "waiting": waiting_for(adjustments.KIND, adjustments.back_proposal_key(entry)).first(),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Adjustments"), reverse("adjustments")), (entry.title, None)),
    }
    return render(request, "office/adjustment_back.html", context, status=422 if form.is_bound else 200)
