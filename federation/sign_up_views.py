"""Pages with which members make an account for their federation number."""

from allauth.account.adapter import get_adapter
from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from federation.sign_up_forms import AskForm, JoinForm, NewPasswordForm, PrintedCodeForm
from players.models import SignUpKey
from players.services import signups
from players.services.limits import network_of
from scoring.signups import asking
from ui.form_errors import errors_on

FORM_METHODS = ["GET", "HEAD", "POST"]


@never_cache
@require_http_methods(FORM_METHODS)
def sign_up(request: HttpRequest) -> HttpResponse:
    """Ask for a letter with a link to make an account.

    The page does the same work, and answers the same, whatever is in the register: it stores what was typed,
    and a worker looks whether number and address go together.
    """
    if not settings.MAIL:
        return redirect("sign_up_code")
    form = AskForm(_data(request), network=_network(request))
    if form.is_valid():
        asking.ask(form.cleaned_data["number"], form.cleaned_data["email"])
        return redirect("sign_up_sent")
    context = {"form": form, "own_number": _own_number(request)}
    return render(request, "account/sign_up.html", context, status=_status(form))


@require_safe
def sign_up_sent(request: HttpRequest) -> HttpResponse:
    """Say what happens after asking for a letter."""
    return render(request, "account/sign_up_sent.html", {"days": settings.SIGN_UP_LINK_DAYS})


@never_cache
@require_http_methods(FORM_METHODS)
def sign_up_code(request: HttpRequest) -> HttpResponse:
    """Ask for the number and a printed code, which lead to the page to make an account."""
    form = PrintedCodeForm(_data(request), network=_network(request))
    if form.is_valid():
        return redirect("sign_up_finish", signups.token_of(form.key))
    context = {"form": form, "own_number": _own_number(request)}
    return render(request, "account/sign_up_code.html", context, status=_status(form))


@sensitive_post_parameters()
@never_cache
@require_http_methods(FORM_METHODS)
def sign_up_finish(request: HttpRequest, token: str) -> HttpResponse:
    """Make an account with a link or a code, or join the number to the account that is signed in.

    Opening the page uses nothing up, because mail programs open links.
    """
    key = signups.key_for_token(token)
    if key is None:
        return _void(request)
    if request.user.is_authenticated:
        return _join(request, key, token)
    form = NewPasswordForm(_data(request), key=key)
    if form.is_valid():
        values = form.cleaned_data
        account = signups.make_account(token, values["password1"], says_of_age=values.get("of_age", False))
        if account is None:
            return _void(request)
        if key.way == SignUpKey.Way.CODE:
            asking.tell_of_account(account.player)
        messages.success(request, _("Your account is there. From now on you sign in with your number."))
        return perform_login(request, account, email_verification="none", redirect_url=reverse("my_page"))
    context = {"form": form, "key": key, "player": key.player.current}
    return render(request, "account/sign_up_finish.html", context, status=_status(form))


def _join(request: HttpRequest, key: SignUpKey, token: str) -> HttpResponse:
    player, form = key.player.current, JoinForm(_data(request), key=key)
    if form.is_valid():
        with errors_on(form):
            says_of_age = form.cleaned_data.get("of_age", False)
            if not signups.join_account(token, request.user, says_of_age=says_of_age):
                return _void(request)
            if key.way == SignUpKey.Way.CODE:
                asking.tell_of_account(player)
            text = _("Number %(number)s belongs to your account now.")
            messages.success(request, text % {"number": player.number})
            return redirect("my_page")
    obstacle = "" if form.is_bound else signups.obstacle(key, request.user)
    context = {"form": form, "key": key, "player": player, "obstacle": obstacle}
    return render(request, "account/sign_up_join.html", context, status=_status(form))


def _data(request: HttpRequest):
    return request.POST if request.method == "POST" else None


def _status(form) -> int:
    return 422 if form.is_bound else 200


def _void(request: HttpRequest) -> HttpResponse:
    return render(request, "account/sign_up_void.html", status=410)


def _network(request: HttpRequest) -> str:
    return network_of(get_adapter().get_client_ip(request))


def _own_number(request: HttpRequest) -> str:
    """Return the number of the account that is signed in, or ""."""
    player = getattr(request.user, "player", None)
    return player.number if player else ""
