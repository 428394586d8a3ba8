"""Pages of clubs, regions and roles."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import require, roles_of
from players.models import Club, Player, Region, Role
from players.office_only import for_office
from players.services import organisations as services
from scoring.clubs import inviting
from scoring.clubs.forms import InvitationForm
from scoring.office.forms.organisations import (
    ClosingForm,
    ClubForm,
    FindClubForm,
    FindRoleForm,
    RegionForm,
)
from scoring.office.queries import organisations as queries
from scoring.office.tables.organisations import OfficeClubTable, OfficeRegionTable, RoleTable
from scoring.office.tables.persons import ChangeTable
from ui.addresses import office_crumbs
from ui.form_errors import errors_on
from ui.paging import Pages, paged


@for_office
@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """List the clubs that match the filter."""
    find = FindClubForm(request.GET)
    filters = find.cleaned_data if find.is_valid() else {}
    matches = queries.find_clubs(filters.get("q", ""), filters.get("region"))
    context = {
        "find": find,
        "number": len(matches),
        "table_html": paged(OfficeClubTable, request, Pages(matches, queries.club_records)).as_html(request),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Clubs"), None)),
    }
    return render(request, "office/organisations/clubs.html", context)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def club_new(request: HttpRequest) -> HttpResponse:
    """Add a club. Without any region, lead to the first step, which is to add one."""
    require(roles_of(request.user).office)
    if not Region.objects.exists():
        messages.info(request, _("A club belongs to a region: add the first region, then the club."))
        return redirect("office_region_new")
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            club = services.add(Club(**form.values), request.user, form.cleaned_data["reason"])
            messages.success(request, _("The club is there. Next: invite its administrator."))
            return redirect("office_club", club.pk)
    context = {
        "form": form,
        "title": _("New club"),
        "button": _("Add the club"),
        "breadcrumbs": office_crumbs((_("Clubs"), reverse("office_clubs")), (_("New club"), None)),
    }
    return render(request, "office/organisations/new.html", context, status=422 if form.is_bound else 200)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def club(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a club with its people; POST changes its entry, closes it or opens it again."""
    shown = _club(pk)
    if request.method != "POST":
        return _club_page(request, shown)
    is_closing = request.POST.get("act") == "closing"
    form: Any = (
        ClosingForm(request.POST, auto_id="id_close_%s")
        if is_closing
        else ClubForm(request.POST, instance=shown)
    )
    if form.is_valid():
        values = {"active": not shown.active} if is_closing else form.values
        with errors_on(form):
            services.change(shown, values, request.user, form.cleaned_data["reason"])
            messages.success(request, _("Done, and written in the history."))
            return redirect("office_club", pk)
    return _club_page(request, _club(pk), **{"closing" if is_closing else "form": form})


@for_office
@require_POST
@never_cache
def club_admin_invite(request: HttpRequest, pk: int) -> HttpResponse:
    """Invite an administrator of a club: send a letter, or show a page to print if the site sends none."""
    shown = _club(pk)
    form = InvitationForm(request.POST)
    if form.is_valid():
        with errors_on(form):
            email = form.cleaned_data["email"]
            if settings.MAIL:
                inviting.send(request, shown, email, Role.Kind.CLUB_ADMIN)
                messages.success(request, _("The invitation was sent to %(address)s.") % {"address": email})
                return redirect("office_club", pk)
            context = inviting.printed(request, shown, email, Role.Kind.CLUB_ADMIN)
            context |= {"club": shown, "breadcrumbs": _club_crumbs(shown, (_("Invitation"), None))}
            return render(request, "clubs/invitation_printed.html", context)
    return _club_page(request, shown, invite=form)


@for_office
@require_POST
def club_admin_withdraw(request: HttpRequest, pk: int, invitation: int) -> HttpResponse:
    """Withdraw the invitation of an administrator, so that its link or code stops working."""
    shown = _club(pk)
    withdrawn = get_object_or_404(shown.invitations, pk=invitation, role=Role.Kind.CLUB_ADMIN)
    withdrawn.delete()
    text = _("The invitation to %(address)s no longer works.")
    messages.success(request, text % {"address": withdrawn.email})
    return redirect("office_club", pk)


def _club(pk: int) -> Club:
    return get_object_or_404(Club.objects.select_related("region"), pk=pk)


def _club_page(request: HttpRequest, shown: Club, **bound: Any) -> HttpResponse:
    """Render the page of a club.

    bound: forms with errors by their names in the context; these replace the empty forms
    """
    events = paged(ChangeTable, request, Pages(queries.changes_of(club=shown), list))
    people = queries.role_records(list(queries.find_roles(club=shown)))
    context = {
        "club": shown,
        "members": Player.objects.unmerged().filter(club=shown).count(),
        "people": people,
        "invitations": shown.invitations.filter(role=Role.Kind.CLUB_ADMIN),
        "form": ClubForm(instance=shown),
        "closing": ClosingForm(auto_id="id_close_%s"),
        "invite": InvitationForm(),
        "history_html": events.as_html(request),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": _club_crumbs(shown),
        **bound,
    }
    return render(request, "office/organisations/club.html", context, status=422 if bound else 200)


def _club_crumbs(shown: Club, *steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    page = reverse("office_club", args=[shown.pk]) if steps else None
    return office_crumbs((_("Clubs"), reverse("office_clubs")), (shown.name, page), *steps)


@for_office
@require_safe
def regions(request: HttpRequest) -> HttpResponse:
    """List the regions."""
    table = paged(OfficeRegionTable, request, Pages(queries.find_regions(), list))
    context = {
        "table_html": table.as_html(request),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Regions"), None)),
    }
    return render(request, "office/organisations/regions.html", context)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def region_new(request: HttpRequest) -> HttpResponse:
    """Add a region."""
    require(roles_of(request.user).office)
    form = RegionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            region = services.add(Region(**form.values), request.user, form.cleaned_data["reason"])
            if Club.objects.exists():
                return redirect("office_region", region.pk)
            messages.success(request, _("The region is there. Next: add its first club."))
            return redirect("office_club_new")
    context = {
        "form": form,
        "title": _("New region"),
        "button": _("Add the region"),
        "breadcrumbs": office_crumbs((_("Regions"), reverse("office_regions")), (_("New region"), None)),
    }
    return render(request, "office/organisations/new.html", context, status=422 if form.is_bound else 200)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def region(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a region with its clubs and administrators; POST changes its entry."""
    shown = get_object_or_404(Region, pk=pk)
    form = RegionForm(request.POST or None, instance=shown)
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            services.change(shown, form.values, request.user, form.cleaned_data["reason"])
            messages.success(request, _("Done, and written in the history."))
            return redirect("office_region", pk)
    of_region = queries.find_roles(Role.Kind.REGION_ADMIN, region=shown)
    events = paged(ChangeTable, request, Pages(queries.changes_of(region=shown), list), page_field="cambios")
    context = {
        "region": get_object_or_404(Region, pk=pk),
        "form": form,
        "people": queries.role_records(list(of_region)),
        "clubs_html": paged(
            OfficeClubTable, request, Pages(queries.find_clubs(region=shown), queries.club_records)
        ).as_html(request),
        "history_html": events.as_html(request),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Regions"), reverse("office_regions")), (shown.name, None)),
    }
    return render(request, "office/organisations/region.html", context, status=422 if form.is_bound else 200)


@for_office
@require_safe
def roles(request: HttpRequest) -> HttpResponse:
    """List who holds which role, since when, and who granted it."""
    find = FindRoleForm(request.GET)
    filters = find.cleaned_data if find.is_valid() else {}
    matches = queries.find_roles(filters.get("rol", ""), filters.get("club"), filters.get("region"))
    context = {
        "find": find,
        "table_html": paged(RoleTable, request, Pages(matches, queries.role_records)).as_html(request),
        "breadcrumbs": office_crumbs((_("Accounts and roles"), reverse("accounts")), (_("Roles"), None)),
    }
    return render(request, "office/organisations/roles.html", context)
