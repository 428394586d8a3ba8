"""The players whom the director of an upload may mean by a text, as a list that the review's script shows."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from players.access import require, visible_upload_clubs
from scoring.uploads.lookup import players_like
from scoring.uploads.views.access import may_change
from tournaments.models import ResultUpload

LONGEST = 100  # letters of the text that are read


@login_required
@require_safe
def lookup(request: HttpRequest, pk: UUID) -> HttpResponse:
    """List the players like the text `?q=`, for those who may change this draft.

    Reads neither the file nor the ranking, because a reader types several letters a second.
    """
    drafts = ResultUpload.objects.drafts().filter(club__in=visible_upload_clubs(request.user))
    upload = get_object_or_404(drafts.only("club", "played_on"), pk=pk)
    require(may_change(request.user, upload))
    text = request.GET.get("q", "").replace("\x00", "")[:LONGEST]
    players = players_like(text, upload.club_id, upload.played_on)
    return render(request, "uploads/_lookup.html", {"players": players})
