"""Whose uploads a reader may look at, and whose they may change. Everybody else finds nothing there."""

from django.http import Http404
from django.shortcuts import get_object_or_404

from players.access import require, uploadable_clubs, visible_upload_clubs
from tournaments.models import ResultUpload, Tournament


def may_change(user, upload: ResultUpload) -> bool:
    """Whether the account uploads for this upload's club."""
    return uploadable_clubs(user).filter(pk=upload.club_id).exists()


def readable(user, pk) -> ResultUpload:
    """The upload, for who may look at it; 404 for everybody else, whether it exists or not."""
    uploads = ResultUpload.objects.filter(club__in=visible_upload_clubs(user))
    return get_object_or_404(uploads.select_related("club", "corrects", "created_by"), pk=pk)


def changeable(user, pk) -> ResultUpload:
    """The same for who may change it: a reader who may only look gets a 403."""
    upload = readable(user, pk)
    require(may_change(user, upload))
    return upload


def correctable(user, pk: str | None) -> Tournament | None:
    """The tournament that `?corrige=` names, if any. 404 where there is none, 403 where not allowed."""
    if not pk:
        return None
    if not pk.isdecimal() or len(pk) > 15:
        raise Http404
    tournament = get_object_or_404(Tournament.objects.select_related("club"), pk=pk)
    require(uploadable_clubs(user).filter(pk=tournament.club_id).exists())
    return tournament
