"""What waits for directors, clubs and the office: results that are missing, and uploads not confirmed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from players.access import Kind, Roles
from players.inbox import Matter, Rows, Source
from players.models import Club
from tournaments.models import Announcement, ResultUpload
from ui.clock import today
from ui.formatting import format_date, format_whole


def dated(name: str, day: date | None) -> str:
    """Return a tournament's name with its day, because a club's tournaments often have the same name."""
    return f"{name}, {format_date(day, get_language() or '')}" if day else name


class MissingResults(Source):
    """Announced tournaments of the account's clubs that have been played and have no result."""

    kind = "missing"
    label = _("Result missing")

    def rows(self, user: Any, roles: Roles) -> Rows:
        directed = roles.clubs.get(Kind.DIRECTOR, frozenset())
        clubs = directed | roles.clubs.get(Kind.CLUB_ADMIN, frozenset())
        if roles.office or not clubs:
            return ()
        missing = Announcement.objects.without_result(today()).filter(club__in=clubs)
        return missing.select_related("club").order_by("end_date", "pk")

    def matters(self, rows: Sequence[Announcement], user: Any, roles: Roles) -> list[Matter]:
        directed = roles.clubs.get(Kind.DIRECTOR, frozenset())
        return [with_club(self.of(row, row.club_id in directed), row.club) for row in rows]

    def of(self, announced: Announcement, uploads: bool) -> Matter:
        """Return the matter of an announced tournament.

        uploads: whether the reader may upload the result
        """
        url = announced.get_absolute_url()
        if uploads:
            url = f"{reverse('upload_start')}?anunciado={announced.pk}"
        return self.matter(
            title=dated(announced.name, announced.end_date),
            url=url,
            act=gettext("Upload the result") if uploads else gettext("See the announcement"),
            since=announced.end_date,
            note=gettext("Announced and played."),
        )


class Drafts(Source):
    """Uploads that are not confirmed: the account's own, and those of clubs that it has a role in.

    The office has all of them but those that it has to compare first, which are `RepeatedDrafts`.
    """

    kind = "drafts"
    label = _("Not confirmed")

    def rows(self, user: Any, roles: Roles) -> Rows:
        drafts = _listed(ResultUpload.objects.drafts())
        if roles.office:
            return drafts.exclude(pk__in=ResultUpload.objects.with_same_ranking().values("pk"))
        directed = roles.clubs.get(Kind.DIRECTOR, frozenset())
        clubs = roles.clubs.get(Kind.CLUB_ADMIN, frozenset())
        if not (directed or clubs or roles.regions):
            return ()
        wanted = Q(club__in=clubs) | Q(club__region__in=roles.regions)
        if directed:
            wanted |= Q(created_by=user, token=None) | Q(token__isnull=False, club__in=directed)
        return drafts.filter(wanted)

    def matters(self, rows: Sequence[ResultUpload], user: Any, roles: Roles) -> list[Matter]:
        directed = roles.clubs.get(Kind.DIRECTOR, frozenset())
        return [with_club(self.of(row, roles.office or row.club_id in directed), row.club) for row in rows]

    def of(self, draft: ResultUpload, reviews: bool) -> Matter:
        """Return the matter of a draft. Its `created_by` and `token` have to be loaded.

        reviews: whether the reader may review the draft
        """
        lang = get_language() or ""
        sent_on = timezone.localtime(draft.created_at).date()
        values = {"name": draft.sender, "day": format_date(sent_on, lang)}
        note = gettext("Uploaded by %(name)s on %(day)s and not confirmed.") % values
        if draft.errors:
            text = ngettext("%(number)s error to correct.", "%(number)s errors to correct.", draft.errors) % {
                "number": format_whole(draft.errors, lang)
            }
            note = f"{note} {text}"
        return self.matter(
            title=dated(draft.title or draft.file_name or gettext("Typed by hand"), draft.played_on),
            url=draft.get_absolute_url(),
            act=gettext("Review it") if reviews else gettext("See the upload"),
            since=draft.created_at,
            note=note,
        )


class RepeatedDrafts(Source):
    """Drafts with the ranking of a confirmed tournament, which the office compares."""

    kind = "repeated"
    label = _("Are they two events?")
    stops_points = True

    def rows(self, user: Any, roles: Roles) -> Rows:
        return _listed(ResultUpload.objects.with_same_ranking()) if roles.office else ()

    def matters(self, rows: Sequence[ResultUpload], user: Any, roles: Roles) -> list[Matter]:
        return [
            self.matter(
                title=dated(row.title or row.file_name or gettext("Typed by hand"), row.played_on),
                url=row.get_absolute_url(),
                act=gettext("Compare them"),
                since=row.created_at,
                note=f"{row.club.name}. {gettext('It has the ranking of a confirmed tournament.')}",
            )
            for row in rows
        ]


def with_club(matter: Matter, club: Club) -> Matter:
    """Return the matter with the club's name before its note, for readers of several clubs."""
    return replace(matter, note=f"{club.name}. {matter.note}")


def _listed(drafts: QuerySet[ResultUpload]) -> QuerySet[ResultUpload]:
    """Return the uploads with what their matters show, the longest wait first."""
    return (
        drafts.select_related("club", "created_by", "token")
        .defer("parsed", "details", "columns", "ticks")
        .order_by("created_at", "pk")
    )


MISSING_RESULTS, DRAFTS, REPEATED_DRAFTS = MissingResults(), Drafts(), RepeatedDrafts()
