"""Accounts and roles: who may do what, whose account is whose, and the journal of both."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import require, roles_of
from players.models import Player, Proposal
from players.models.journal import role_in_words
from players.office_only import for_office
from players.proposals import act_of
from players.services import accounts as service
from players.services import passwords
from players.services.journal import held_until
from scoring.office.forms.accounts import FORMS, ChangeForm, FindAccountForm, NewAccountForm
from scoring.office.queries import accounts as queries
from scoring.office.tables.accounts import AccountTable, EventTable
from ui.addresses import office_crumbs
from ui.paging import Pages, paged


@for_office
@require_safe
def accounts(request: HttpRequest) -> HttpResponse:
    """All accounts, or those that fit."""
    find = FindAccountForm(request.GET)
    asked = find.cleaned_data if find.is_valid() else {}
    found = queries.listed(asked.get("q", ""), asked.get("rol", ""))
    context = {
        "find": find,
        "table_html": paged(AccountTable, request, Pages(found, list)).as_html(request),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Accounts and roles"), None)),
    }
    return render(request, "office/accounts/index.html", context)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def account_new(request: HttpRequest) -> HttpResponse:
    """Make an account, without roles and password."""
    require(roles_of(request.user).office)
    form = NewAccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = service.create(**form.cleaned_data, by=request.user)
        text = _("The account %(name)s is there. Now let its owner choose a password, and give it roles.")
        messages.success(request, text % {"name": made.get_username()})
        return redirect("account", made.pk)
    context = {"form": form, "breadcrumbs": _crumbs((_("New account"), None))}
    return render(request, "office/accounts/new.html", context, status=422 if form.is_bound else 200)


@for_office
@require_safe
def account_journal(request: HttpRequest) -> HttpResponse:
    """What happened to all accounts."""
    table = paged(EventTable, request, Pages(queries.events(), list))
    context = {"table_html": table.as_html(request), "breadcrumbs": _crumbs((_("Journal"), None))}
    return render(request, "office/accounts/journal.html", context)


@for_office
@require_safe
def account(request: HttpRequest, pk: int) -> HttpResponse:
    """One account: its roles, its player, how it gets a password, and what happened to it."""
    return _page(request, _account(pk))


@for_office
@require_POST
def account_change(request: HttpRequest, pk: int) -> HttpResponse:
    """Change roles, player, address or state; some of it only prepared for a second person."""
    found, action = _account(pk), request.POST.get("action", "")
    if action not in FORMS or (action == "unlink" and not _player_of(found)):
        messages.info(request, _("Nothing was changed."))
        return redirect("account", pk)
    form = FORMS[action](found, request.POST, auto_id=f"id_{action}_%s")
    if form.is_valid():
        try:
            proposal = service.change(form.change(), request.user, form.cleaned_data["reason"])
        except ValidationError as refused:
            form.add_error(None, refused)
        else:
            if proposal:
                messages.success(request, _("Prepared: another person has to approve it now."))
            else:
                messages.success(request, _("Done, and written in the journal."))
            return redirect("account", pk)
    return _page(request, found, {action: form}, status=422)


@for_office
@require_POST
@never_cache
def account_password(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a letter for a new password; where there is no address, a code on a page to print."""
    found = _account(pk)
    if not found.is_active:
        messages.error(request, _("The account is closed."))
        return redirect("account", pk)
    if passwords.reachable_by_mail(found):
        passwords.send_letter(request, found)
        messages.success(request, _("The letter went to %(address)s.") % {"address": found.email})
        return redirect("account", pk)
    context = {
        "account": found,
        "code": passwords.print_code(found, request.user),
        "expires": passwords.code_expires(),
        "address": request.build_absolute_uri(reverse("account_code")),
        "breadcrumbs": _crumbs((found.get_username(), reverse("account", args=[pk])), (_("Code"), None)),
    }
    return render(request, "office/accounts/code.html", context)


def _account(pk: int):
    return get_object_or_404(queries.listed(), pk=pk)


def _player_of(account) -> Player | None:
    return getattr(account, "player", None)


def _page(
    request: HttpRequest, found, forms: dict[str, ChangeForm] | None = None, status: int = 200
) -> HttpResponse:
    shown = {
        action: kind(found, initial={"email": found.email}, auto_id=f"id_{action}_%s")
        for action, kind in FORMS.items()
    } | (forms or {})
    taking = shown["take"]
    events = queries.events().filter(account=found)
    context = {
        "account": found,
        "player": _player_of(found),
        "roles": [
            {
                "role": each,
                "words": role_in_words(each.kind, str(each.club or each.region or "")),
                "asked": taking.is_bound and taking["role"].value() == str(each.pk),
            }
            for each in found.roles.all()
        ],
        "taking": taking if taking.is_bound else None,
        "forms": shown,
        "waits_until": held_until(found),
        "wants_letter": passwords.reachable_by_mail(found),
        "waiting": [
            {"title": act_of(each).title(each), "url": each.get_absolute_url()}
            for each in Proposal.objects.filter(
                kind=service.KIND, state=Proposal.State.PENDING, data__account=found.pk
            )
        ],
        "journal_html": paged(EventTable, request, Pages(events, list), exclude=("account",)).as_html(
            request
        ),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": _crumbs((found.get_username(), None)),
    }
    return render(request, "office/accounts/account.html", context, status=status)


def _crumbs(*steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    return office_crumbs((_("Accounts and roles"), reverse("accounts")), *steps)
