"""What was typed is kept while its author signs in again, because the session had ended before it was sent.

The fields wait for an hour in the session that the browser gets with the sign-in page. After signing in, a
page sends them again if its reader wants to.
"""

import time
from collections.abc import Callable
from datetime import timedelta

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from federation.asking import PREFIX
from players.services import limits

KEPT = "kept_form"  # in the session
KEPT_SECONDS = 3600
# Anybody can send forms without signing in: these limits keep the table of sessions small.
MOST_CHARACTERS = 50_000  # of one form
PER_NETWORK = limits.Limit(free=20, first=timedelta(minutes=1), longest=timedelta(hours=1))
NOT_KEPT = ("csrfmiddlewaretoken", f"{PREFIX}-")  # how names of fields begin that are made again
Fields = list[tuple[str, str]]


class KeptFormMiddleware:
    """Middleware that keeps a form which is answered with the sign-in page, and says so there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not _asks_to_sign_in(request, response):
            return response
        fields = _fields(request)
        if not fields or not _may_keep(request):
            return response
        request.session[KEPT] = {"address": request.get_full_path(), "fields": fields, "at": time.time()}
        text = _("You were not signed in any more. What you entered is kept: sign in, and you can send it.")
        messages.info(request, text)
        return redirect_to_login(reverse("kept_form"))


def _asks_to_sign_in(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether a form was answered with the way to the sign-in page, to a browser that is not signed in.

    A part of a page, which htmx sent, is no form that could be sent by itself.
    """
    if request.method != "POST" or request.htmx or response.status_code != 302:
        return False
    sign_in = redirect_to_login(request.get_full_path()).headers["Location"]
    return response.headers["Location"] == sign_in and SESSION_KEY not in request.session


def _fields(request: HttpRequest) -> Fields:
    """Return what was typed; [] if nothing was, or if it cannot be kept: files, passwords, long texts.

    Answers to the page that asks for the second factor are left out: it asks again.
    """
    if request.FILES or any("password" in name for name in request.POST):
        return []
    names = [name for name in request.POST if not name.startswith(NOT_KEPT)]
    fields = [(name, value) for name in names for value in request.POST.getlist(name)]
    length = sum(len(name) + len(value) for name, value in fields)
    typed = any(value.strip() for _name, value in fields)
    return fields if typed and length <= MOST_CHARACTERS else []


def _may_keep(request: HttpRequest) -> bool:
    """Count a form against the limit of its sender's network. Return False if there were too many."""
    network = limits.network_of(get_adapter(request).get_client_ip(request))
    try:
        limits.take({f"forms kept for {network}": PER_NETWORK})
    except limits.TooSoon:
        return False
    return True


@never_cache
@login_required
@require_safe
def kept_form(request: HttpRequest) -> HttpResponse:
    """Offer to send the kept form."""
    kept = request.session.get(KEPT)
    if not kept or time.time() - kept["at"] > KEPT_SECONDS:
        request.session.pop(KEPT, None)
        return redirect(settings.LOGIN_REDIRECT_URL)
    return render(request, "account/kept_form.html", {"kept": kept})
