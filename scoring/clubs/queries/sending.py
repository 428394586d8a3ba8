"""Queries about who sends a club's results: its directors, and the programs that have its tokens."""

from datetime import datetime

from django.db.models import F, Max

from players.models import Club
from tournaments.models import ResultUpload

LISTED = 5  # files that the page of the tokens names


def last_sent(club: Club) -> list[ResultUpload]:
    """Return the last files that programs sent with the club's tokens, latest first. One query."""
    uploads = ResultUpload.objects.filter(token__club=club, club=club).annotate(token_name=F("token__name"))
    return list(
        uploads.only("title", "file_name", "state", "created_at").order_by("-created_at", "-pk")[:LISTED]
    )


def last_upload_days(club: Club) -> dict[int, datetime]:
    """Return {account id: when it last uploaded a file for the club}. One query.

    Files that a program sent do not count as uploads of the account that made its token.
    """
    uploads = ResultUpload.objects.filter(club=club, token=None).order_by()
    return dict(uploads.values_list("created_by").annotate(last=Max("created_at")))
