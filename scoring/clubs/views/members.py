"""The members of a club: the list, and the files for scoring programs."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.models import Category, LicenceState
from scoring.clubs.access import club_to_read
from scoring.clubs.frame import desk_context
from scoring.clubs.layouts import LAYOUTS
from scoring.clubs.queries.members import WITHOUT, MemberFilter, for_file, member_records
from scoring.clubs.tables import MemberTable
from ui import exports
from ui.addresses import one_of
from ui.clock import today


@login_required
@require_safe
def club_members(request: HttpRequest, slug: str) -> HttpResponseBase:
    """List the members of a club, as a page or a file."""
    club, day = club_to_read(request, slug), today()
    members = member_records(club, day, request.user)
    categories = [category.code for category in Category.objects.on(day)]
    filters = MemberFilter(
        request.GET.get("q", "")[:100].strip(),
        one_of(request.GET.get("licencia", ""), (WITHOUT,)),
        one_of(request.GET.get("categoria", ""), categories),
    )
    shown = [member for member in members if filters.accepts(member)]
    table = exports.file_or_table(
        request,
        MemberTable,
        _("members"),
        shown,
        file_source=lambda: for_file(shown),
        printable=True,
        empty_text=_("No member meets these conditions.")
        if filters.narrowed
        else _("No player belongs to this club."),
        empty_link=(request.path, _("See all members")) if filters.narrowed else None,
    )
    if isinstance(table, HttpResponseBase):
        return table
    context = {
        "table": table,
        "table_html": table.as_html(request),
        "members": len(members),
        "shown": len(shown),
        "licensed": sum(member["state"] == LicenceState.VALID for member in members),
        "filters": filters,
        "without": WITHOUT,
        "categories": categories,
        "layouts": [
            {"label": layout.label, "url": reverse("club_members_file", args=[club.slug, name])}
            for name, layout in LAYOUTS.items()
        ],
        "day": day,
    }
    return render(request, "clubs/members.html", context | desk_context(request, club, "club_members"))


@login_required
@require_safe
def club_members_file(request: HttpRequest, slug: str, layout: str) -> HttpResponse:
    """Send the members of a club in a layout that scoring programs import."""
    club = club_to_read(request, slug)
    if layout not in LAYOUTS:
        raise Http404(_("There is no file of that format."))
    members = member_records(club, today(), request.user)
    return LAYOUTS[layout].response(for_file(members), club.name)
