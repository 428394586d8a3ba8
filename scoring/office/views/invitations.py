"""Pages with which the office invites members to make an account, by letters and by printed codes."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from players.access import roles_of
from players.office_only import for_office
from players.services import signups
from scoring.office.forms.invitations import ActForm, InvitationFilterForm
from scoring.office.queries import invitations as queries
from scoring.office.tables.invitations import InvitationTable
from scoring.signups import asking
from ui.addresses import office_crumbs
from ui.clock import today
from ui.paging import Pages, paged

MOST_SHEETS = 200  # printed at once


@for_office
@require_safe
def invitations(request: HttpRequest) -> HttpResponse:
    """List the members that the filters leave, with the buttons to invite them."""
    day = today()
    form = InvitationFilterForm(request.GET, day=day)
    members = queries.members(form.filters(), day)
    counts = queries.count(members)
    to_print, everybody = counts["print"], counts["print_again"]
    context = {
        "form": form,
        "table_html": paged(
            InvitationTable,
            request,
            Pages(
                members,
                lambda players: queries.records(players, day),
                count=lambda: counts["all"],
            ),
        ).as_html(request),
        "letters": counts["letters"],
        "sheets": min(to_print, MOST_SHEETS),
        "sheets_left": max(to_print - MOST_SHEETS, 0),
        "printed_again": 0 if to_print else min(everybody, MOST_SHEETS),
        "most_sheets": MOST_SHEETS,
        "progress": queries.progress(),
        "code_days": settings.SIGN_UP_CODE_DAYS,
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Invite members"), None)),
    }
    return render(request, "office/invitations.html", context)


@for_office
@require_POST
def invitations_send(request: HttpRequest) -> HttpResponse:
    """Queue letters to the members listed who have an e-mail address and no account."""
    form, act = InvitationFilterForm(request.POST, day=today()), ActForm(request.POST)
    chosen = queries.to_write_to(queries.members(form.filters(), today()))
    if not settings.MAIL or not act.is_valid() or act.cleaned_data["number"] != chosen.count():
        return _changed(request, form)
    number = asking.invite(chosen, request.user)
    text = ngettext("%(count)s letter is on its way.", "%(count)s letters are on their way.", number)
    messages.success(request, text % {"count": number})
    return redirect(_address(form))


@for_office
@require_POST
@never_cache
def invitations_print(request: HttpRequest) -> HttpResponse:
    """Show sheets with codes to print, for the members listed who have neither account nor e-mail address."""
    form, act = InvitationFilterForm(request.POST, day=today()), ActForm(request.POST)
    if not act.is_valid():
        return _changed(request, form)
    members = queries.members(form.filters(), today())
    chosen = queries.to_print_for(members, again=act.cleaned_data["again"])[:MOST_SHEETS]
    players = list(chosen)
    if not players or act.cleaned_data["number"] != len(players):
        return _changed(request, form)
    codes = signups.print_codes(players, request.user)
    context = {
        "sheets": [
            {"player": player, "name": player.full_name, "code": signups.in_groups(codes[player.pk])}
            for player in players
            if player.pk in codes
        ],
        "days": settings.SIGN_UP_CODE_DAYS,
        "address": f"{settings.SITE_ADDRESS}{reverse('sign_up_code')}",
        "back": _address(form),
        "breadcrumbs": office_crumbs(
            (_("Invite members"), reverse("office_invitations")), (_("Codes"), None)
        ),
    }
    return render(request, "account/sign_up_sheets.html", context)


def _changed(request: HttpRequest, form: InvitationFilterForm) -> HttpResponse:
    messages.error(request, _("The list has changed meanwhile: look at it again. Nothing was done."))
    return redirect(_address(form))


def _address(form: InvitationFilterForm) -> str:
    """Return the address of the list with the same filters."""
    query = QueryDict(mutable=True)
    query.update(dict(form.hidden()))
    return f"{reverse('office_invitations')}?{query.urlencode()}"
