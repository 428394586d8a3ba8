"""The pages on which people look after their account: password, address, second factors and sessions."""

from base64 import b64encode
from typing import Any

from allauth.account.utils import passthrough_next_redirect_url
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import clear_totp_secret
from allauth.mfa.webauthn.internal.auth import begin_registration
from allauth.mfa.webauthn.views import LoginWebAuthnView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from federation.second_factor_forms import AppForm, PasskeyForm
from federation.second_factors import address_for_passkeys
from players.models import AccountEvent
from players.services import second_factors, sessions
from ui.form_errors import errors_on

Event, Type = AccountEvent.Kind, Authenticator.Type
SECRET_GROUP = 4  # characters in each shown group of an app's secret


@login_required
@never_cache
@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Show how the account is secured, and where it is signed in."""
    account = request.user
    factors = list(Authenticator.objects.filter(user=account).order_by("created_at", "pk"))
    changes = account.events.filter(kind__in=[Event.PASSWORD, Event.RESET]).order_by("-at", "-pk")
    has_one = any(factor.type in second_factors.FACTORS for factor in factors)
    needs_one = second_factors.needs_second_factor(account)
    context = {
        "password_changed": changes.values_list("at", flat=True).first(),
        "app": next((factor for factor in factors if factor.type == Type.TOTP), None),
        "passkeys": [
            {"factor": factor, "name": factor.wrap().name}
            for factor in factors
            if factor.type == Type.WEBAUTHN
        ],
        "has_second_factor": has_one,
        "needs_second_factor": needs_one,
        "is_production": settings.PRODUCTION,
        "codes_left": second_factors.recovery_codes_left(account),
        "sessions": sessions.open_sessions(account, request.session.session_key),
    }
    return render(request, "account/security.html", context)


class SecondStepView(AuthenticateView):
    """The page after the password at signing in, which asks for the second factor."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the address at which passkeys work, if this one is not it."""
        return super().get_context_data(**kwargs) | {"by_name": address_for_passkeys(self.request)}


class PasskeySignInView(LoginWebAuthnView):
    """Sign in with a passkey alone. After a passkey that fails, the sign-in page still leads on."""

    def form_invalid(self, form: Form) -> HttpResponse:
        """Return to the sign-in page with the page that was asked for, which allauth would forget."""
        super().form_invalid(form)
        return redirect(
            passthrough_next_redirect_url(self.request, reverse("account_login"), REDIRECT_FIELD_NAME)
        )


# --- Codes of an app ------------------------------------------------------------------------------------
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def app_add(request: HttpRequest) -> HttpResponse:
    """Show the secret for an app as a picture, and store it once the app shows its first code."""
    form = AppForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with errors_on(form):
            second_factors.add_app(request.user, form.secret)
            clear_totp_secret(request)
            return _with_recovery_codes(
                request, _("The app is set up: signing in asks for its code from now on.")
            )
    adapter = get_mfa_adapter()
    picture = adapter.build_totp_svg(adapter.build_totp_url(request.user, form.secret))
    starts = range(0, len(form.secret), SECRET_GROUP)
    context = {
        "form": form,
        "picture": f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}",
        "secret": " ".join(form.secret[start : start + SECRET_GROUP] for start in starts),
    }
    return render(request, "mfa/app_add.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def app_remove(request: HttpRequest) -> HttpResponse:
    """Ask whether to remove the app, and remove it."""
    factor = get_object_or_404(Authenticator, user=request.user, type=Type.TOTP)
    return _removal(request, factor, _("The app is removed: its codes are worth nothing any more."))


# --- Passkeys -------------------------------------------------------------------------------------------
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def passkey_add(request: HttpRequest) -> HttpResponse:
    """Add a passkey, which the browser makes on the page."""
    number = Authenticator.objects.filter(user=request.user, type=Type.WEBAUTHN).count() + 1
    initial = {"name": _("Passkey %(number)s") % {"number": number}}
    form = PasskeyForm(request.POST if request.method == "POST" else None, user=request.user, initial=initial)
    if form.is_valid():
        values = form.cleaned_data
        second_factors.add_passkey(request.user, values["name"], values["credential"])
        return _with_recovery_codes(request, _("The passkey is added: you can sign in with it alone."))
    context = {
        "form": form,
        "by_name": address_for_passkeys(request),
        "options": begin_registration(request.user, passwordless=True),
    }
    return render(request, "mfa/passkey_add.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def passkey_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask whether to remove a passkey, and remove it."""
    factor = get_object_or_404(Authenticator, user=request.user, type=Type.WEBAUTHN, pk=pk)
    return _removal(request, factor, _("The passkey is removed: nobody can sign in with it."))


def _removal(request: HttpRequest, factor: Authenticator, done: str) -> HttpResponse:
    problems = []
    if request.method == "POST":
        try:
            second_factors.remove(factor)
        except ValidationError as error:
            problems = error.messages
        else:
            messages.success(request, done)
            return redirect("account_security")
    context = {"name": factor.wrap().name if factor.type == Type.WEBAUTHN else "", "problems": problems}
    return render(request, "mfa/remove.html", context, status=422 if problems else 200)


# --- Recovery codes -------------------------------------------------------------------------------------
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def recovery_codes(request: HttpRequest) -> HttpResponse:
    """Make new recovery codes, and show them once."""
    if not second_factors.has_second_factor(request.user):
        messages.info(request, _("Recovery codes replace a second factor: set one up first."))
        return redirect("account_security")
    codes = second_factors.make_recovery_codes(request.user) if request.method == "POST" else []
    context = {"codes": codes, "left": second_factors.recovery_codes_left(request.user)}
    return render(request, "mfa/recovery_codes.html", context)


def _with_recovery_codes(request: HttpRequest, done: str) -> HttpResponse:
    """Answer that a factor was added: with new recovery codes if the account has none, else its page."""
    messages.success(request, done)
    if second_factors.recovery_codes_left(request.user):
        return redirect("account_security")
    codes = second_factors.make_recovery_codes(request.user)
    return render(request, "mfa/recovery_codes.html", {"codes": codes})


# --- Sessions -------------------------------------------------------------------------------------------
@login_required
@require_POST
def session_end(request: HttpRequest, pk: int) -> HttpResponse:
    """End one session of the account."""
    if sessions.end(request.user, pk):
        messages.success(request, _("That session has ended."))
    return redirect("account_security")


@login_required
@require_POST
def sessions_end(request: HttpRequest) -> HttpResponse:
    """End all sessions of the account but this one."""
    number = sessions.end_all(request.user, but=request.session.session_key)
    text = ngettext("%(number)s other session has ended.", "%(number)s other sessions have ended.", number)
    messages.success(request, text % {"number": number})
    return redirect("account_security")
