"""The players whom the director of an upload may mean by a text, as a list that the review's script shows."""

import math
from datetime import timedelta
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST

from players.access import require, visible_upload_clubs
from players.services import limits
from players.services.limits import Limit
from scoring.uploads.lookup import players_like
from scoring.uploads.views.access import may_change
from tournaments.models import ResultUpload

LONGEST = 100  # letters of the text that are read
# Looking up all players of some long rankings needs fewer requests; reading the register name by name, more.
LOOKUPS = Limit(3_000, timedelta(seconds=1), timedelta(minutes=1))


@login_required
@require_POST
def lookup(request: HttpRequest, pk: UUID) -> HttpResponse:
    """List the players like the text `q`, for those who may change this draft.

    Reads neither the file nor the ranking, because a reader types several letters a second. Answers 429 if
    the account sent too many requests. It takes a POST because it counts requests, and so that no log of
    addresses has names.
    """
    drafts = ResultUpload.objects.drafts().filter(club__in=visible_upload_clubs(request.user))
    upload = get_object_or_404(drafts.only("club", "played_on"), pk=pk)
    require(may_change(request.user, upload))
    try:
        limits.take({f"people looked up by {request.user.pk}": LOOKUPS})
    except limits.TooSoon as error:
        seconds = math.ceil(error.wait.total_seconds())
        return HttpResponse(status=429, headers={"Retry-After": str(seconds)})
    text = request.POST.get("q", "").replace("\x00", "")[:LONGEST]
    players = players_like(text, upload.club_id, upload.played_on)
    return render(request, "uploads/_lookup.html", {"players": players})
