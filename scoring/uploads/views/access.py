"""Look up uploads and tournaments by id, and check the user's access to them.

For an upload that the user may not see, raise Http404, as if it did not exist. For one that the user may see
but not change, raise PermissionDenied.
"""

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from players.access import require, uploadable_clubs, visible_upload_clubs
from players.models import Club
from scoring.ledger.services import approval
from tournaments.models import Announcement, ResultUpload, Tournament
from tournaments.services import board_rebase


def may_change(user, upload: ResultUpload) -> bool:
    """Return whether the user may upload for the club of the upload."""
    return uploadable_clubs(user).filter(pk=upload.club_id).exists()


def readable(user, pk) -> ResultUpload:
    """Return the upload with this id if the user may see it. Otherwise raise Http404.

    A correction of boards is first added to those that were confirmed since it was begun, except while one
    waits for approval.
    """
    uploads = ResultUpload.objects.filter(club__in=visible_upload_clubs(user))
    uploads = uploads.select_related("club", "corrects", "created_by", "token")
    upload = get_object_or_404(uploads, pk=pk)
    is_draft = upload.state == ResultUpload.State.REVIEW and "revision" in upload.parsed
    if not is_draft or approval.waiting_run(upload.corrects):
        return upload
    return uploads.get(pk=pk) if board_rebase.bring_up_to_date(upload) else upload


def changeable(user, pk) -> ResultUpload:
    """Return the upload with this id if the user may change it.

    Raises PermissionDenied if the user may only see it, Http404 if not even that.
    """
    upload = readable(user, pk)
    require(may_change(user, upload))
    return upload


def correctable(user, pk: str | None) -> Tournament | None:
    """Return the tournament to correct, whose id comes from the URL's `?corrige=`; None if there is no id.

    Raises Http404 if the tournament does not exist, PermissionDenied if the user may not correct it.
    """
    if not pk:
        return None
    if not pk.isdecimal() or len(pk) > 15:
        raise Http404
    tournament = get_object_or_404(Tournament.objects.select_related("club"), pk=pk)
    require(uploadable_clubs(user).filter(pk=tournament.club_id).exists())
    return tournament


def announced_of(clubs: QuerySet[Club], pk: str | None) -> Announcement | None:
    """Return the announced tournament whose id comes from the URL's `?anunciado=`; None if there is no id.

    Return None, too, if it was cancelled or has a result: then the upload is that of another tournament.
    Raises Http404 if it does not exist, PermissionDenied if it is of none of the clubs.
    """
    if not pk:
        return None
    if not pk.isdecimal() or len(pk) > 15:
        raise Http404
    announcement = get_object_or_404(Announcement, pk=pk)
    require(clubs.filter(pk=announcement.club_id).exists())
    return announcement if announcement.is_free else None
