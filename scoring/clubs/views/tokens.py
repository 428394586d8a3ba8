"""The page with the tokens of a club, with which its computer sends files."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.models import Club, ClubToken
from players.services import tokens
from scoring.clubs.access import club_to_change, club_to_read
from scoring.clubs.forms import TokenForm
from scoring.clubs.frame import ask_first, desk_context
from scoring.clubs.queries.sending import last_sent
from scoring.ledger import systems


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def club_tokens(request: HttpRequest, slug: str) -> HttpResponse:
    """List the tokens of a club, and make one. The response to the POST alone shows its secret."""
    club = (club_to_change if request.method == "POST" else club_to_read)(request, slug)
    confirming = tokens.may_grant_confirming(request.user, club)
    if request.method != "POST":
        return _page(request, club, TokenForm(club=club, confirming=confirming))
    form, secret = TokenForm(request.POST, club=club, confirming=confirming), ""
    with transaction.atomic():
        # Of two requests at once, as from a double click, the second has to see the token of the first.
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        if form.is_valid():
            try:
                _token, secret = tokens.make(club, by=request.user, user=request.user, **form.cleaned_data)
                form = TokenForm(club=club, confirming=confirming)
            except ValidationError as error:
                form.add_error(None, error)
    return _page(request, club, form, secret, status=200 if secret else 422)


def _page(
    request: HttpRequest, club: Club, form: TokenForm, secret: str = "", status: int = 200
) -> HttpResponse:
    rows = _rows(club)
    context = {
        "rows": rows,
        "working": sum(row["state"] == "current" for row in rows),
        "last_use": max(
            (row["token"].last_used_at for row in rows if row["token"].last_used_at), default=None
        ),
        "last_sent": last_sent(club),
        "go": systems.offers_go(),
        "form": form,
        "secret": secret,
        "address": request.build_absolute_uri("/").rstrip("/"),
    }
    context |= desk_context(request, club, "club_tokens")
    return render(request, "clubs/tokens.html", context, status=status)


def _rows(club: Club) -> list[dict[str, Any]]:
    """Return the club's tokens, latest first, each with its `state`: current, expired, revoked or stopped.

    A token is stopped if the account that made it is closed or no longer manages the club.
    """
    makers: dict[int, bool] = {}
    now = timezone.now()

    def state(token: ClubToken) -> str:
        if token.revoked_at:
            return "revoked"
        if token.expires_at <= now:
            return "expired"
        if token.made_by_id not in makers:
            makers[token.made_by_id] = tokens.may_make(token.made_by, club)
        return "current" if makers[token.made_by_id] else "stopped"

    return [{"token": token, "state": state(token)} for token in club.tokens.select_related("made_by")]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_token_revoke(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Ask whether to revoke a token of a club, and revoke it on POST."""
    club = club_to_change(request, slug)
    token = get_object_or_404(ClubToken, club=club, pk=pk)
    if request.method != "POST":
        text = _(
            "The computer that uses it can send no more files for %(club)s until it gets a new token. "
            "What it has sent stays. A revoked token cannot be used again."
        )
        act = _("Revoke the token “%(name)s”") % {"name": token.name}
        what_happens = text % {"club": club.name}
        return ask_first(request, club, "club_tokens", question=act, what_happens=what_happens, act=act)
    tokens.revoke(token, request.user)
    messages.success(request, _("The token %(name)s no longer works.") % {"name": token})
    return redirect("club_tokens", club.slug)
