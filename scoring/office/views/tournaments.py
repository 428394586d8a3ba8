"""Pages of tournaments and of the settings of the regulations."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access import roles_of
from players.office_only import for_office
from scoring.ledger import systems
from scoring.office.forms.tournaments import FindTournamentForm
from scoring.office.queries import tournaments as queries
from scoring.office.regulation_settings import regulation_settings
from scoring.office.tables.tournaments import OfficeTournamentTable
from ui.addresses import office_crumbs
from ui.clock import today
from ui.paging import FoundPages, Pages, paged


@for_office
@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """List the tournaments that match, with their state and what can be done with them."""
    find = FindTournamentForm(request.GET, day=today())
    filters = find.cleaned_data if find.is_valid() else {}
    matches = queries.find_tournaments(
        filters.get("q", ""), filters.get("ano"), filters.get("club"), filters.get("estado", "")
    )
    source = (FoundPages if filters.get("q") else Pages)(matches, queries.records)
    exclude = () if roles_of(request.user).office else ("acts",)
    table = paged(OfficeTournamentTable, request, source, exclude=exclude)
    context = {
        "find": find,
        "table_html": table.as_html(request),
        "breadcrumbs": office_crumbs((_("Tournaments"), None)),
    }
    return render(request, "office/tournaments.html", context)


@for_office
@require_safe
def regulation(request: HttpRequest) -> HttpResponse:
    """Show the settings with which this installation applies the regulations."""
    context = {
        "rows": list(regulation_settings()),
        "several_systems": bool(systems.others()),
        "breadcrumbs": office_crumbs((_("Settings of the regulation"), None)),
    }
    return render(request, "office/regulation.html", context)
