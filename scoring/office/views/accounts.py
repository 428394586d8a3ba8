"""Pages of accounts: their roles, linked player and password, and the journal."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import require, roles_of
from players.models import Player, Proposal
from players.office_only import for_office
from players.proposals import act_of
from players.services import accounts as services
from players.services import passwords, second_factors
from players.services.journal import held_until
from scoring.office.forms.accounts import FORMS, ChangeForm, FindAccountForm, NewAccountForm
from scoring.office.queries import accounts as queries
from scoring.office.tables.accounts import AccountEventTable, AccountTable
from ui.addresses import office_crumbs
from ui.form_errors import errors_on
from ui.paging import Pages, paged


@for_office
@require_safe
def accounts(request: HttpRequest) -> HttpResponse:
    """List the accounts that match the filter."""
    find = FindAccountForm(request.GET)
    filters = find.cleaned_data if find.is_valid() else {}
    matches = queries.find_accounts(filters.get("q", ""), filters.get("rol", ""))
    context = {
        "find": find,
        "table_html": paged(AccountTable, request, Pages(matches, list)).as_html(request),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Accounts and roles"), None)),
    }
    return render(request, "office/accounts/index.html", context)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def account_new(request: HttpRequest) -> HttpResponse:
    """Create an account, without roles and password."""
    require(roles_of(request.user).office)
    form = NewAccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        created = services.create(**form.cleaned_data, by=request.user)
        text = _("The account %(name)s is there. Now let its owner choose a password, and give it roles.")
        messages.success(request, text % {"name": created.get_username()})
        return redirect("account", created.pk)
    context = {"form": form, "breadcrumbs": _crumbs((_("New account"), None))}
    return render(request, "office/accounts/new.html", context, status=422 if form.is_bound else 200)


@for_office
@require_safe
def account_journal(request: HttpRequest) -> HttpResponse:
    """Show the journal of all accounts."""
    table = paged(AccountEventTable, request, Pages(queries.account_events(), list))
    context = {"table_html": table.as_html(request), "breadcrumbs": _crumbs((_("Journal"), None))}
    return render(request, "office/accounts/journal.html", context)


@for_office
@require_safe
def account(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an account: its roles, its player, its password options, and its journal."""
    return _page(request, _account(pk))


@for_office
@require_POST
def account_change(request: HttpRequest, pk: int) -> HttpResponse:
    """Change an account: its roles, player or address, or whether it is closed.

    If the change needs a second person, propose it instead.
    """
    changed, action = _account(pk), request.POST.get("action", "")
    if action not in FORMS or (action == "unlink" and not _player_of(changed)):
        messages.info(request, _("Nothing was changed."))
        return redirect("account", pk)
    form = FORMS[action](changed, request.POST, auto_id=f"id_{action}_%s")
    if form.is_valid():
        with errors_on(form):
            proposal = services.change(form.change(), request.user, form.cleaned_data.get("reason", ""))
            messages.success(
                request,
                _("Prepared: another person has to approve it now.")
                if proposal
                else _("Done, and written in the journal."),
            )
            return redirect("account", pk)
    return _page(request, changed, {action: form}, status=422)


@for_office
@require_POST
@never_cache
def account_password(request: HttpRequest, pk: int) -> HttpResponse:
    """Mail a link for a new password, or show a code to print if the account has no address."""
    owner = _account(pk)
    if not owner.is_active:
        messages.error(request, _("The account is closed."))
        return redirect("account", pk)
    if passwords.reachable_by_mail(owner):
        passwords.send_letter(request, owner)
        messages.success(request, _("The letter went to %(address)s.") % {"address": owner.email})
        return redirect("account", pk)
    if not passwords.may_print_code(owner):
        messages.error(request, _("A second person has to allow this code first."))
        return redirect("account", pk)
    context = {
        "account": owner,
        "code": passwords.print_code(owner, request.user),
        "expires": passwords.code_expires(),
        "address": request.build_absolute_uri(reverse("account_code")),
        "breadcrumbs": _crumbs((owner.get_username(), reverse("account", args=[pk])), (_("Code"), None)),
    }
    return render(request, "office/accounts/code.html", context)


def _account(pk: int):
    return get_object_or_404(queries.find_accounts(), pk=pk)


def _player_of(account) -> Player | None:
    return getattr(account, "player", None)


def _page(
    request: HttpRequest, shown, bound_forms: dict[str, ChangeForm] | None = None, status: int = 200
) -> HttpResponse:
    """Render the page of an account.

    bound_forms: {action: form with errors}; these replace the empty forms
    """
    forms = {
        action: form_class(shown, initial={"email": shown.email}, auto_id=f"id_{action}_%s")
        for action, form_class in FORMS.items()
    } | (bound_forms or {})
    taking = forms["take"]
    pending = Proposal.objects.filter(
        kind=services.KIND, state=Proposal.State.PENDING, data__account=shown.pk
    )
    events = queries.account_events().filter(account=shown)
    journal = paged(AccountEventTable, request, Pages(events, list), exclude=("account",))
    context = {
        "account": shown,
        "player": _player_of(shown),
        "roles": [
            {
                "role": role,
                "words": role.words,
                "asked": taking.is_bound and taking["role"].value() == str(role.pk),
            }
            for role in shown.roles.all()
        ],
        "taking": taking if taking.is_bound else None,
        "forms": forms,
        "waits_until": held_until(shown),
        "wants_letter": passwords.reachable_by_mail(shown),
        "may_print": passwords.may_print_code(shown),
        "has_second_factor": second_factors.has_second_factor(shown),
        "waiting": [
            {"title": act_of(proposal).title(proposal), "url": proposal.get_absolute_url()}
            for proposal in pending
        ],
        "journal_html": journal.as_html(request),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": _crumbs((shown.get_username(), None)),
    }
    return render(request, "office/accounts/account.html", context, status=status)


def _crumbs(*steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    return office_crumbs((_("Accounts and roles"), reverse("accounts")), *steps)
