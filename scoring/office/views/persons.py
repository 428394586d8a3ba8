"""Pages of persons: the search, the sheet, new persons, and their licences."""

from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import require, roles_of
from players.models import Licence, Player, Proposal
from players.office_only import for_office
from players.proposals import act_of
from players.services import accounts as account_services
from players.services import licences as licence_services
from players.services import persons as services
from scoring.office.forms.persons import EditPersonForm, LicenceForm, NewPersonForm, RemoveForm
from scoring.office.person_sections import sections_of
from scoring.office.queries import persons as queries
from scoring.office.queries import sheet
from scoring.office.services import category_changes
from scoring.office.tables.persons import ChangeTable, PersonLicenceTable, PersonTable, RecentChangeTable
from scoring.office.views.preparing import redirect_after
from ui.addresses import office_crumbs
from ui.clock import today
from ui.form_errors import errors_on
from ui.paging import Pages, paged


@for_office
@require_safe
def persons(request: HttpRequest) -> HttpResponse:
    """Search persons by anything; without a text, show the latest changes of the register."""
    text = request.GET.get("q", "")[:100].strip()
    may_write = roles_of(request.user).office
    context: dict[str, Any] = {
        "text": text,
        "may_write": may_write,
        "breadcrumbs": office_crumbs((_("Persons"), None)),
    }
    if text:
        day = today()
        result = queries.find(text, day, sees_private=may_write)
        private = () if may_write else ("birth_year",)
        source = Pages(result.ids, lambda ids: queries.records(ids, result, day))
        context |= {
            "result": result,
            "number": len(result.ids),
            "accounts": _accounts_without_player(text),
            "table_html": paged(PersonTable, request, source, exclude=private).as_html(request),
        }
    else:
        changes = Pages(sheet.changes(), list)
        table = paged(RecentChangeTable, request, changes, sees_private=may_write)
        context["table_html"] = table.as_html(request)
    return render(request, "office/persons/index.html", context)


def _accounts_without_player(text: str) -> list:
    """Return the accounts with this username or e-mail address that belong to no player."""
    return list(queries.accounts_named(text.lower()).filter(player=None)[:5])


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def person_new(request: HttpRequest) -> HttpResponse:
    """Add a person to the register."""
    require(roles_of(request.user).office)
    form = NewPersonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            player = services.add(form.values, request.user, form.cleaned_data["reason"])
            text = _("%(name)s has the number %(number)s. Next: licence and category.")
            messages.success(request, text % {"name": player.full_name, "number": player.number})
            return redirect("person", player.number)
    context = {
        "form": form,
        "breadcrumbs": _crumbs((_("New person"), None)),
    }
    return render(request, "office/persons/new.html", context, status=422 if form.is_bound else 200)


@for_office
@require_safe
def person(request: HttpRequest, number: int) -> HttpResponse:
    """Show the sheet of a person. A number that was merged or changed leads to the present one."""
    player = _person(number)
    if player.current.number != str(number):
        return redirect("person", player.current.number)
    return _page(request, player)


@for_office
@require_POST
def person_change(request: HttpRequest, number: int) -> HttpResponse:
    """Change the entry of a person, or propose it if a second person has to approve."""
    player = _present_person(number)
    form = EditPersonForm(request.POST, instance=player)
    if form.is_valid():
        with errors_on(form):
            values, reason = form.values, form.cleaned_data["reason"]
            result = services.change(player.pk, values, request.user, reason, form.cleaned_data["seen"])
            page = reverse("person", args=[values["number"]])
            return redirect_after(request, result, page, _("Done, and written in the history."))
    return _page(request, player, edit=form, status=422)


@for_office
@require_POST
def person_licence_add(request: HttpRequest, number: int) -> HttpResponse:
    """Give a person a licence."""
    player = _present_person(number)
    form = LicenceForm(request.POST, auto_id="id_licence_%s")
    if form.is_valid():
        with errors_on(form):
            licence_services.add(player, form.values, request.user, form.cleaned_data["reason"])
            messages.success(request, _("The licence was added."))
            return redirect("person", player.number)
    return _page(request, player, licence=form, status=422)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def person_licence(request: HttpRequest, number: int, pk: int) -> HttpResponse:
    """Correct a licence of a person, or remove it."""
    require(roles_of(request.user).office)
    player = _present_person(number)
    licence = get_object_or_404(Licence, pk=pk, player=player)
    removing = request.POST.get("act") == "remove"
    form = LicenceForm(None if removing else request.POST or None, instance=licence)
    remove = RemoveForm(request.POST if removing else None, auto_id="id_remove_%s")
    used = remove if removing else form
    if request.method == "POST" and used.is_valid():
        with errors_on(used):
            reason = used.cleaned_data["reason"]
            if removing:
                licence_services.remove(licence.pk, request.user, reason)
            else:
                licence_services.correct(licence.pk, form.values, request.user, reason)
            messages.success(
                request, _("The licence was removed.") if removing else _("The licence was corrected.")
            )
            return redirect("person", player.number)
    context = {
        "player": player,
        "licence": licence,
        "form": form,
        "remove": remove,
        "breadcrumbs": _crumbs(
            (player.number, reverse("person", args=[player.number])), (_("Licence"), None)
        ),
    }
    return render(request, "office/persons/licence.html", context, status=422 if used.is_bound else 200)


def _person(number: int) -> Player:
    player = sheet.find_person(number)
    if player is None:
        raise Http404(_("There is no player with number %(number)s.") % {"number": number})
    return player


def _present_person(number: int) -> Player:
    """Return the player with this number. Raises Http404 if the number was merged or changed."""
    player = _person(number)
    if player.merged_into_id or player.number != str(number):
        raise Http404
    return player


def _page(
    request: HttpRequest,
    player: Player,
    *,
    edit: EditPersonForm | None = None,
    licence: LicenceForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the sheet of a person.

    edit, licence: forms with errors, which replace the empty ones
    """
    context = sheet.sheet(player, today())
    own_licences, number = context["licences"], player.number
    may_write = roles_of(request.user).office
    may_change = may_write and not player.erased_on
    licence_table = PersonLicenceTable(
        own_licences, number=number, exclude=() if may_change else ("correct",)
    )
    events = paged(ChangeTable, request, Pages(sheet.history(player), list), sees_private=may_write)
    context |= {
        "edit": edit or EditPersonForm(instance=player, initial={"seen": services.fingerprint(player)}),
        "licence": licence or LicenceForm(auto_id="id_licence_%s"),
        "licences_html": licence_table.as_html(request),
        "history_html": events.as_html(request),
        "waiting": _waiting(player),
        "sections": list(sections_of(player, request.user)),
        "may_write": may_write,
        "may_change": may_change,
        "breadcrumbs": _crumbs((player.number, None)),
    }
    return render(request, "office/persons/person.html", context, status=status)


def _crumbs(*steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    return office_crumbs((_("Persons"), reverse("persons")), *steps)


def _waiting(player: Player) -> list[dict[str, str]]:
    """Return the titles and addresses of the proposals about the person that wait for a second person."""
    about = (
        Q(kind=services.KIND, key=str(player.pk))
        | Q(kind=category_changes.KIND, key=category_changes.proposal_key(player.pk))
        | Q(kind__in=["club_transfer", "club_leave", "club_rename"], key=str(player.pk))
    )
    if player.user_id:
        about |= Q(kind=account_services.KIND, data__account=player.user_id)
    proposals = Proposal.objects.filter(about, state=Proposal.State.PENDING)
    return [
        {"title": act_of(proposal).title(proposal), "url": proposal.get_absolute_url()}
        for proposal in proposals
    ]
