"""Queries for the list of uploads. They read plain columns and never the long `parsed` data."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.db.models import Case, Exists, F, Max, OuterRef, Q, QuerySet, Value, When
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from players.models import Club
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.windows import year_before
from tournaments.drafts import Header
from tournaments.models import ResultUpload, Tournament
from tournaments.senders import sender_name

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
IS_WAITING = Q(
    Exists(ScoringRun.objects.filter(revision=OuterRef("revision"), state=ScoringRun.State.WAITING))
)
CONDITIONS = {
    "": ~Q(state=State.DISCARDED),
    "review": Q(state=State.REVIEW),
    "alike": Q(pk__in=ResultUpload.objects.with_same_ranking().values("pk")),
    "refused": Q(state=State.REFUSED),
    "waiting": IS_WAITING,
    "confirmed": Q(state=State.CONFIRMED, revision__tournament__annulled_at=None) & ~IS_WAITING,
    "annulled": Q(state=State.CONFIRMED, revision__tournament__annulled_at__isnull=False),
    "discarded": Q(state=State.DISCARDED),
}
COLUMNS = (
    "pk",
    "title",
    "file_name",
    "played_on",
    "state",
    "corrects_id",
    "revision__number",
    "errors",
    "unticked",
    "created_at",
    "club_id",
    "club__name",
    "created_by__username",
    "token__name",
    "revision__tournament__annulled_at",
    "file_deleted_at",
    "is_waiting",
)


@dataclass(frozen=True, slots=True)
class UploadFilter:
    """The filters of the list of uploads.

    If `state` is "", the list has all uploads that are not discarded.
    """

    state: str = ""
    club_id: int | None = None
    year: int | None = None
    text: str = ""

    @property
    def narrowed(self) -> bool:
        return bool(self.state or self.club_id or self.year or self.text)

    def queryset(self, clubs: QuerySet[Club]) -> QuerySet:
        """Return the uploads of the clubs that match the filters: drafts first, then the latest uploads."""
        rows = ResultUpload.objects.filter(CONDITIONS[self.state], club__in=clubs)
        rows = rows.annotate(is_waiting=IS_WAITING)
        if self.club_id:
            rows = rows.filter(club_id=self.club_id)
        if self.year:
            rows = rows.filter(played_on__year=self.year)
        for word in self.text.split():
            rows = rows.filter(Q(title__icontains=word) | Q(file_name__icontains=word))
        drafts_first = Case(When(CONDITIONS["review"], then=Value(0)), default=Value(1))
        return rows.order_by(drafts_first, F("created_at").desc(), "-pk").values(*COLUMNS)


def years(clubs: QuerySet[Club]) -> list[int]:
    """Return the years of the uploaded tournaments, latest first."""
    days = ResultUpload.objects.filter(club__in=clubs, played_on__isnull=False)
    return [day.year for day in days.dates("played_on", "year", order="DESC")]


def records(rows: Sequence[dict], own_clubs: Collection[int]) -> list[dict[str, Any]]:
    """Return the records of `UploadTable`.

    own_clubs: ids of the clubs whose uploads the user may change
    """
    return [
        {
            "pk": row["pk"],
            "title": row["title"] or row["file_name"],
            "correction": _correction(row),
            "url": reverse(
                "upload_receipt" if row["state"] == State.CONFIRMED else "upload_review", args=[row["pk"]]
            ),
            "played_on": row["played_on"],
            "club": row["club__name"],
            "state": STATES[_state(row)],
            "problems": (row["errors"], row["unticked"]) if row["state"] in DRAFTS else None,
            "created_at": row["created_at"],
            "by": sender_name(row["created_by__username"], row["token__name"]),
            "may_tick": row["club_id"] in own_clubs
            and row["state"] != State.CONFIRMED
            and (row["state"] in DRAFTS or not row["file_deleted_at"]),
        }
        for row in rows
    ]


def _correction(row: dict) -> str:
    """Return what distinguishes a correction from the other uploads of its tournament; "" for a first one."""
    if row["corrects_id"] is None:
        return ""
    if row["revision__number"] is None:
        return gettext("correction")
    return gettext("correction %(number)s") % {"number": row["revision__number"] - 1}


def _state(row: dict) -> str:
    """Return the state of an upload, as a key of `STATES`."""
    if row["is_waiting"]:
        return "waiting"
    return "annulled" if row["revision__tournament__annulled_at"] else row["state"]


def usual_first_points(club_id: int, header: Header, exclude: int | None) -> int | None:
    """Return how many points the winner of a tournament usually gets in a club, in hundredths.

    This is the median of the highest awards of the club's tournaments. It takes only
    tournaments whose points are of the same family as those of `header`, and that ended in the year up to
    its last day. Return None if none of them gave points.

    header: the tournament with which the usual points are to be compared
    exclude: id of a tournament to leave out
    """
    since = year_before(header.end_date)
    tournaments = Tournament.objects.filter(
        club_id=club_id, family=header.family, end_date__gt=since, end_date__lte=header.end_date
    ).exclude(pk=exclude)
    awards = LedgerEntry.objects.filter(
        tournament__in=tournaments, kind=LedgerEntry.Kind.AWARD, reversed_by=None
    ).order_by()
    first_points = awards.values("tournament").annotate(first=Max("points")).values_list("first", flat=True)
    return round(median(first_points)) if first_points else None
