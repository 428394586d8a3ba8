"""Notices to the directors and administrators of clubs about results that are not there yet."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.letters.kinds.wording import day_text
from scoring.letters.models import Delivery, Notice
from scoring.letters.registry import Audience, Kind, Text
from tournaments.models import Announcement, ResultUpload
from ui.clock import today

Texts = dict[int, Text]


def _missing(account: User, notices: Sequence[Notice]) -> Texts:
    ids = {notice.data["announcement"] for notice in notices}
    announcements = Announcement.objects.select_related("club").in_bulk(ids)
    rows = Announcement.objects.without_result(today()).filter(pk__in=ids)
    missing = set(rows.values_list("pk", flat=True))
    return {
        notice.pk: _missing_text(announcements[pk], over=pk not in missing)
        for notice in notices
        if (pk := notice.data["announcement"]) in announcements
    }


def _missing_text(announcement: Announcement, *, over: bool) -> Text:
    text = _(
        "%(name)s (%(club)s, %(day)s) was announced, and its result is missing. Upload it, or say on its "
        "page that it was not played."
    )
    names = {
        "name": announcement.name,
        "club": announcement.club.name,
        "day": day_text(announcement.end_date),
    }
    subject = _("The result of %(name)s is missing") % names
    return Text(subject, [text % names], announcement.get_absolute_url(), over)


def _stale(account: User, notices: Sequence[Notice]) -> Texts:
    uploads = ResultUpload.objects.select_related("club").defer("parsed", "details")
    by_id = {str(pk): upload for pk, upload in uploads.in_bulk([n.data["upload"] for n in notices]).items()}
    return {notice.pk: _stale_text(by_id[pk]) for notice in notices if (pk := notice.data["upload"]) in by_id}


def _stale_text(upload: ResultUpload) -> Text:
    title, club = upload.title or upload.file_name, upload.club.name
    if upload.played_on:
        text = _("%(name)s (%(club)s, %(day)s) was uploaded two days ago, but nobody has confirmed it yet.")
    else:
        text = _("%(name)s (%(club)s) was uploaded two days ago, but nobody has confirmed it yet.")
    names = {"name": title, "club": club, "day": upload.played_on and day_text(upload.played_on)}
    return Text(
        _("%(name)s is not confirmed") % names,
        [text % names, _("Its players get no points until then. Confirm it, or discard it.")],
        reverse("upload_review", args=[upload.pk]),
        over=upload.state != ResultUpload.State.REVIEW,
    )


MISSING = Kind(
    "missing",
    gettext_lazy("when the result of an announced tournament is missing"),
    Audience.CLUB,
    _missing,
    Delivery.ONCE,
)
CLUB_MISSING = Kind(
    "club_missing",
    gettext_lazy("when the result of an announced tournament is missing in a club that you administer"),
    Audience.CLUB,
    _missing,
)
STALE = Kind(
    "stale",
    gettext_lazy("when an upload of your clubs has not been confirmed for two days"),
    Audience.CLUB,
    _stale,
)
