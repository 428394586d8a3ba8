"""Uploads as their list shows them: from columns alone, never from what was read of the files."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from typing import Any

from django.conf import settings
from django.db.models import Case, Exists, F, Max, OuterRef, Q, QuerySet, Value, When
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.models import Club
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.windows import year_before
from tournaments.drafts import Header
from tournaments.models import ResultUpload, Tournament

State = ResultUpload.State
DRAFTS = (State.REVIEW, State.REFUSED)
STATES = {
    "review": _("to be reviewed"),
    "alike": _("to be reviewed, repeated"),
    "refused": _("could not be read"),
    "waiting": _("waiting for approval"),
    "confirmed": pgettext_lazy("upload", "confirmed"),
    "annulled": _("annulled"),
    "discarded": _("discarded"),
}
WAITS = Q(Exists(ScoringRun.objects.filter(revision=OuterRef("revision"), state=ScoringRun.State.WAITING)))
OF_STATE = {
    "": ~Q(state=State.DISCARDED),
    "review": Q(state=State.REVIEW),
    "alike": Q(pk__in=ResultUpload.objects.with_same_ranking().values("pk")),
    "refused": Q(state=State.REFUSED),
    "waiting": WAITS,
    "confirmed": Q(state=State.CONFIRMED, revision__tournament__annulled_at=None) & ~WAITS,
    "annulled": Q(state=State.CONFIRMED, revision__tournament__annulled_at__isnull=False),
    "discarded": Q(state=State.DISCARDED),
}
COLUMNS = (
    "pk", "title", "file_name", "played_on", "state", "errors", "unticked", "created_at", "club_id",
    "club__name", "created_by__username", "revision__tournament__annulled_at", "file_deleted_at", "waits",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class UploadFilter:
    """What the list is narrowed to; empty values ask for everything, but for discarded uploads."""

    state: str = ""
    club_id: int | None = None
    year: int | None = None
    text: str = ""

    @property
    def narrowed(self) -> bool:
        return bool(self.state or self.club_id or self.year or self.text)

    def queryset(self, clubs: QuerySet[Club]) -> QuerySet:
        """The uploads of these clubs, drafts first, then the latest."""
        rows = ResultUpload.objects.filter(OF_STATE[self.state], club__in=clubs).annotate(waits=WAITS)
        if self.club_id:
            rows = rows.filter(club_id=self.club_id)
        if self.year:
            rows = rows.filter(played_on__year=self.year)
        for word in self.text.split():
            rows = rows.filter(Q(title__icontains=word) | Q(file_name__icontains=word))
        drafts = Case(When(OF_STATE["review"], then=Value(0)), default=Value(1))
        return rows.order_by(drafts, F("created_at").desc(), "-pk").values(*COLUMNS)


def years(clubs: QuerySet[Club]) -> list[int]:
    """The years of tournaments that were uploaded, latest first."""
    days = ResultUpload.objects.filter(club__in=clubs, played_on__isnull=False)
    return [day.year for day in days.dates("played_on", "year", order="DESC")]


def days_to_recover() -> int:
    """For how many days a discarded upload can be taken back."""
    return settings.KEEP_DISCARDED_FILES // timedelta(days=1)


def records(rows: Sequence[dict], own: Collection[int]) -> list[dict[str, Any]]:
    """Rows as the table shows them. own: ids of the clubs whose uploads the reader may change"""
    return [
        {
            "pk": row["pk"],
            "title": row["title"] or row["file_name"],
            "url": reverse(
                "upload_receipt" if row["state"] == State.CONFIRMED else "upload_review", args=[row["pk"]]
            ),
            "played_on": row["played_on"],
            "club": row["club__name"],
            "state": STATES[_state(row)],
            "problems": (row["errors"], row["unticked"]) if row["state"] in DRAFTS else None,
            "created_at": row["created_at"],
            "by": row["created_by__username"],
            "may_tick": row["club_id"] in own
            and row["state"] != State.CONFIRMED
            and (row["state"] in DRAFTS or not row["file_deleted_at"]),
        }
        for row in rows
    ]


def _state(row: dict) -> str:
    """A key of STATES."""
    if row["waits"]:
        return "waiting"
    return "annulled" if row["revision__tournament__annulled_at"] else row["state"]


def usual_first_points(club_id: int, header: Header, besides: int | None) -> int | None:
    """Hundredths that the first place usually got (the median) in a club's tournaments of the last year.

    Of the points system and the year up to the day of these data; `besides` is a tournament left out. None
    where nothing gave points.
    """
    since = year_before(header.end_date)
    played = Tournament.objects.filter(
        club_id=club_id, family=header.family, end_date__gt=since, end_date__lte=header.end_date
    ).exclude(pk=besides)
    awards = LedgerEntry.objects.filter(
        tournament__in=played, kind=LedgerEntry.Kind.AWARD, reversed_by=None
    ).order_by()
    firsts = list(awards.values("tournament").annotate(most=Max("points")).values_list("most", flat=True))
    return round(median(firsts)) if firsts else None
