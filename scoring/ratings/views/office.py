"""The office's pages of Go players: find one, change the data, link a number of the register."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.access import roles_of
from players.office_only import for_office
from scoring.ratings import queries
from scoring.ratings.forms import RatedPlayerForm
from scoring.ratings.models import RatedPlayer
from scoring.ratings.services.people import change_data
from scoring.ratings.tables import RatedPlayerTable
from ui.addresses import office_crumbs
from ui.form_errors import errors_on
from ui.paging import Pages, paged


@for_office
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List all Go players by name, hidden ones included, or those with a name or PIN."""
    text = request.GET.get("q", "").strip().replace("\x00", "")[:100]
    rated = RatedPlayer.objects.select_related("player__merged_into").order_by("search_text", "pk")
    if text:
        rated = rated.search_all(text)
    table = paged(
        RatedPlayerTable,
        request,
        Pages(rated, queries.office_records),
        empty_text=_("No Go player has that name, PIN or number."),
    )
    context = {
        "table_html": table.as_html(request),
        "total": len(table.rows),
        "text": text,
        "breadcrumbs": office_crumbs((_("Go players"), None)),
    }
    return render(request, "ratings/office_people.html", context)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the data of a Go player with all changes by hand; POST changes them."""
    rated = get_object_or_404(RatedPlayer.objects.select_related("player__merged_into"), pk=pk)
    may_write = roles_of(request.user).office
    form = RatedPlayerForm(request.POST or None, instance=RatedPlayer.objects.get(pk=pk))
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            change_data(rated, form.values(), form.cleaned_data["reason"], request.user)
            messages.success(request, _("The change is stored."))
            return redirect("office_go_player", pk)
    context = {
        "rated": rated,
        "form": form,
        "may_write": may_write,
        "changes": queries.data_changes_of(rated),
        "breadcrumbs": office_crumbs(
            (_("Go players"), reverse("office_go_players")), (rated.full_name, None)
        ),
    }
    refused = request.method == "POST"
    return render(request, "ratings/office_person.html", context, status=422 if refused else 200)
