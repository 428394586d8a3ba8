"""The button by which players say that they have seen the corrections of their points."""

from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST

from players.access import require
from scoring.ledger.services.seen import see_corrections


@login_required
@require_POST
def seen(request: HttpRequest) -> HttpResponse:
    """Mark the corrections up to the time that the form states as seen by the account's player."""
    player = getattr(request.user, "player", None)
    require(player is not None)
    until = _time_of(request.POST.get("until", ""))
    if until:
        see_corrections(player, until)
    return redirect(player)


def _time_of(text: str) -> datetime | None:
    """Return the time that a form states; None if the text is none, or has no time zone."""
    try:
        time = parse_datetime(text)
    except ValueError:
        return None
    return time if time and time.tzinfo else None
