"""What waits because of Go: computations of ratings that failed, and one's own drafts."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.access import Kind, Roles
from players.inbox import Matter, Rows, Source
from scoring.ledger.systems import offers_go
from scoring.ledger.waiting import failed_note
from scoring.ratings.models import GoUpload, RatingReplay
from ui.formatting import format_date


class FailedReplays(Source):
    """Computations of ratings that stopped after several attempts."""

    kind = "failed_replays"
    label = _("Go ratings stopped")
    stops_points = True

    def rows(self, user: Any, roles: Roles) -> Rows:
        if not (roles.office and offers_go()):
            return ()
        return RatingReplay.objects.filter(state=RatingReplay.State.FAILED).order_by("finished_at", "pk")

    def matters(self, rows: Sequence[RatingReplay], user: Any, roles: Roles) -> list[Matter]:
        return [
            self.matter(
                title=gettext("Go ratings from %(day)s on")
                % {"day": format_date(row.since, get_language() or "")},
                url=reverse("go_ratings"),
                act=gettext("Try again"),
                since=row.finished_at or row.created_at,
                note=failed_note(row.error),
                action=reverse("office_runs_retry"),
            )
            for row in rows
        ]


class GoDrafts(Source):
    """The account's own Go uploads that are not confirmed. They wait for no other account."""

    kind = "go_drafts"
    label = _("Go tournament not confirmed")

    def rows(self, user: Any, roles: Roles) -> Rows:
        if not offers_go() or not (roles.office or Kind.DIRECTOR in roles.clubs):
            return ()
        drafts = GoUpload.objects.drafts().filter(created_by=user)
        return drafts.defer("parsed", "ticks").order_by("created_at", "pk")

    def matters(self, rows: Sequence[GoUpload], user: Any, roles: Roles) -> list[Matter]:
        return [
            self.matter(
                title=row.details.get("name") or row.file_name,
                url=row.get_absolute_url(),
                act=gettext("Review it"),
                since=row.created_at,
                note=gettext("Uploaded by you and not confirmed."),
            )
            for row in rows
        ]
