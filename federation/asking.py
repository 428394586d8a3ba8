"""Two middlewares: accounts that must have a second factor set one up first, and acts ask again who it is.

Both act before the view is called, so that no view can forget it.
"""

import time
from collections.abc import Callable

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.reauthentication import reauthenticate_by_password
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal.auth import begin_authentication
from django.conf import settings
from django.contrib.auth.middleware import get_user
from django.contrib.auth.models import AnonymousUser
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from federation.second_factor_forms import PasskeyAnswerForm, PasswordAgainForm, SecondFactorForm
from federation.second_factors import address_for_passkeys
from players.services import second_factors

# URL names of acts that need a recent second factor or password. What was typed is kept while the page asks.
ASKED = {
    "proposal",
    "merges",
    "merge",
    "office_import_apply",
    "office_import_undo",
    "changeover_apply",
    "changeover_undo",
    "campaign_step",
    "account_new",
    "account_change",
    "account_password",
    "licences_renew",
    "licence_renewal_undo",
    "office_invitations_send",
    "office_invitations_print",
    "club_codes",
    "club_tokens",  # with a token a program sends results, and may confirm them
    "person_change",  # the address in the register, with which a member makes an account
    "office_club_invite",
    "club_invite",
    "club_director_remove",
    "recovery_codes",
    "session_end",
    "sessions_end",
    "account_address",
    "data_copy",
    "privacy_erase",
    "office_erase",
}
# URL names of the pages that ask before they are shown.
ASKED_AT_ONCE = {"app_add", "app_remove", "passkey_add", "passkey_remove"}
PREFIX = "again"  # of the fields that this module adds to a form
ONLY_SHOWN = f"{PREFIX}-page"  # a hidden field: the page was asked for, no form was sent
Type = Authenticator.Type


class SecondFactorMiddleware:
    """Middleware that treats accounts which lack a second factor they must have as not signed in yet.

    Public pages stay open to them, and their own below /cuenta/. Any other page sends them, instead of to the
    sign-in page, to the page on which they set one up.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        own, sign_in = reverse("account_security"), reverse(settings.LOGIN_URL)
        if not settings.SECOND_FACTOR_REQUIRED:
            return self.get_response(request)
        if request.path == sign_in and _has_to_set_one_up(request, get_user(request)):
            return redirect(own)
        if not request.path.startswith((own, "/api/")):
            # Lazy, so that pages which do not ask who reads them stay the same for everybody.
            request.user = SimpleLazyObject(lambda: _complete_user(request))
        response = self.get_response(request)
        leads_to_sign_in = response.headers.get("Location", "").startswith(sign_in)
        return (
            redirect(own) if leads_to_sign_in and _has_to_set_one_up(request, get_user(request)) else response
        )


def _complete_user(request: HttpRequest):
    account = get_user(request)
    return AnonymousUser() if _has_to_set_one_up(request, account) else account


def _has_to_set_one_up(request: HttpRequest, account) -> bool:
    if not account.is_authenticated:
        return False
    # Whoever used a second factor in this session has one: removing a lost one ends the sessions.
    if any(record.get("method") == "mfa" for record in get_authentication_records(request, account)):
        return False
    return second_factors.lacks_second_factor(account)


class AskAgainMiddleware:
    """Middleware that asks for the second factor, or the password, before an act of ASKED.

    The page that asks carries the form in hidden fields and sends it again together with the answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        """Let the request through, or answer it with the page that asks."""
        name = request.resolver_match.view_name
        asks = name in ASKED_AT_ONCE or (name in ASKED and request.method == "POST")
        if not asks or not has_to_be_asked(request):
            return None
        forms = _forms(request)
        if not any(form.is_valid() for form in forms.values() if form.is_bound):
            return _asking_page(request, forms)
        _record(request, forms)
        if ONLY_SHOWN in request.POST:
            return redirect(request.get_full_path())
        kept = request.POST.copy()
        for field in _own_fields(request):
            del kept[field]
        request.POST = kept
        return None


def has_to_be_asked(request: HttpRequest) -> bool:
    """Whether an act of this request needs an answer first.

    Accounts without a second factor are asked only in production. Who answered lately is not asked.
    """
    if not request.user.is_authenticated:
        return False
    has_factor = second_factors.has_second_factor(request.user)
    if not (has_factor or settings.ASK_PASSWORD_AGAIN):
        return False
    methods = {"mfa"} if has_factor else {"mfa", "password"}
    records = get_authentication_records(request, request.user)
    answered = [record["at"] for record in records if record.get("method") in methods]
    return time.time() - max(answered, default=0) > settings.ASK_AGAIN_AFTER.total_seconds()


def _forms(request: HttpRequest) -> dict[str, Form]:
    """Return {field: form that asks for it}; bound where the request has an answer."""
    types = set(Authenticator.objects.filter(user=request.user).values_list("type", flat=True))
    classes: dict[str, type[Form]] = {}
    if Type.WEBAUTHN in types:
        classes["credential"] = PasskeyAnswerForm
    if types & {Type.TOTP, Type.RECOVERY_CODES}:
        classes["code"] = SecondFactorForm
    forms = classes or {"password": PasswordAgainForm}
    return {
        field: form(
            request.POST if request.POST.get(f"{PREFIX}-{field}") else None, user=request.user, prefix=PREFIX
        )
        for field, form in forms.items()
    }


def _record(request: HttpRequest, forms: dict[str, Form]) -> None:
    """Remember in the session that the account answered."""
    if "password" in forms:
        reauthenticate_by_password(request)
        return
    next(form for form in forms.values() if form.is_bound and form.is_valid()).save()


def _own_fields(request: HttpRequest) -> list[str]:
    return [name for name in request.POST if name.startswith(f"{PREFIX}-")]


def _asking_page(request: HttpRequest, forms: dict[str, Form]) -> HttpResponse:
    left_out = {*_own_fields(request), "csrfmiddlewaretoken"}
    kept = [
        (name, value) for name, values in request.POST.lists() if name not in left_out for value in values
    ]
    if request.method != "POST" or ONLY_SHOWN in request.POST:
        kept = [(ONLY_SHOWN, "1")]
    passkey = "credential" in forms
    context = {
        "forms": forms,
        "kept": kept,
        "options": begin_authentication(request.user) if passkey else None,
        "by_name": address_for_passkeys(request) if passkey else "",
        "minutes": int(settings.ASK_AGAIN_AFTER.total_seconds() // 60),
    }
    status = 422 if any(form.is_bound for form in forms.values()) else 200
    response = render(request, "mfa/again.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
