"""Queries for the pages and feeds of the calendar."""

from calendar import Calendar
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Case, Count, Q, QuerySet, Value, When
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring import regulations
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.wording import event_type_name
from tournaments.models import Announcement
from ui.formatting import format_days, name_of_time

DAY = timedelta(days=1)
SHOWN_A_DAY = 4  # tournaments in a cell of the month; the rest are on the list of that day
FRONT_PAGE = timedelta(days=90)  # how far ahead the front page looks
NOT_ALONE = "sin-pools"  # the filter for all types except those that clubs file alone


@dataclass(frozen=True, slots=True)
class CalendarFilter:
    """The filters of the calendar. A filter with an empty value admits every tournament.

    event_type: the code of an event type, or NOT_ALONE
    """

    region_id: int | None = None
    club_id: int | None = None
    event_type: str = ""

    def queryset(self) -> QuerySet[Announcement]:
        """Return the announcements that pass the filters."""
        rows = Announcement.objects.all()
        if self.region_id:
            rows = rows.filter(club__region=self.region_id)
        if self.club_id:
            rows = rows.filter(club=self.club_id)
        if self.event_type == NOT_ALONE:
            return rows.exclude(event_type__in=alone_types())
        return rows.filter(event_type=self.event_type) if self.event_type else rows

    @property
    def narrowed(self) -> bool:
        """Whether any filter is set."""
        return self != CalendarFilter()


def alone_types() -> frozenset[str]:
    """Return the event types that need no approval, such as pools, by the federation's latest regulation."""
    return regulations.of_family(FAMILY)[-1].filing.alone


def from_day(filters: CalendarFilter, day: date) -> QuerySet[Announcement]:
    """Return the tournaments that are not over before `day`, the next first, for `records`."""
    rows = filters.queryset().filter(end_date__gte=day).order_by("start_date", "end_date", "pk")
    return rows.select_related("club", "tournament")


def counts_of(rows: QuerySet[Announcement], day: date) -> dict[str, int]:
    """Return how many tournaments are still to be played, are cancelled, and neither. One query.

    The keys are coming, cancelled and others; others have a result already, or are over and lack it.

    day: the day from which tournaments count as still to be played
    """
    is_cancelled = Q(cancelled_at__isnull=False)
    is_coming = Q(cancelled_at=None, tournament=None, end_date__gte=day)
    return rows.order_by().aggregate(
        coming=Count("pk", filter=is_coming),
        cancelled=Count("pk", filter=is_cancelled),
        others=Count("pk", filter=~is_cancelled & ~is_coming),
    )


def records(rows: Sequence[Announcement]) -> list[dict[str, Any]]:
    """Convert announcements to records of `CalendarTable`."""
    lang = get_language() or ""
    return [
        {
            "day": f"{name_of_time(date_format(row.start_date, 'D'), lang)} "
            f"{format_days(row.start_date, row.end_date, lang)}",
            "title": row.name,
            "url": address_of(row),
            "club": row.club.name,
            "type": event_type_name(row.event_type),
            "hour": row.starts_at.strftime("%H:%M") if row.starts_at else "",
            "state": state_of(row),
        }
        for row in rows
    ]


def address_of(row: Announcement) -> str:
    """Return the address of the result, or else of the announcement."""
    return row.tournament.get_absolute_url() if row.tournament else row.get_absolute_url()


def state_of(row: Announcement) -> str:
    """Return "cancelled" or "with result" in the reader's language; "" for other tournaments."""
    if row.cancelled_at:
        return _("cancelled")
    return _("with result") if row.tournament_id else ""


def month_of(filters: CalendarFilter, first: date) -> list[list[dict[str, Any]]]:
    """Return the weeks of the month that begins on `first`, each with its seven days, from Monday.

    A day has the keys day, label, inside (whether it belongs to the month), shown (at most SHOWN_A_DAY
    tournaments, with the keys title, url, club and cancelled) and more (how many others). One query.
    """
    weeks = Calendar().monthdatescalendar(first.year, first.month)
    rows = filters.queryset().between(weeks[0][0], weeks[-1][-1])
    by_day: dict[date, list[dict[str, Any]]] = defaultdict(list)
    for row in rows.values("pk", "name", "start_date", "end_date", "club__name", "cancelled_at"):
        event = {
            "title": row["name"],
            "url": reverse("announcement", args=[row["pk"]]),
            "club": row["club__name"],
            "cancelled": row["cancelled_at"] is not None,
        }
        for number in range((row["end_date"] - row["start_date"]).days + 1):
            by_day[row["start_date"] + number * DAY].append(event)
    return [
        [
            {
                "day": day,
                "label": format_days(day, day, get_language() or "", year=False),
                "inside": day.month == first.month,
                "shown": by_day[day][:SHOWN_A_DAY],
                "more": max(0, len(by_day[day]) - SHOWN_A_DAY),
            }
            for day in week
        ]
        for week in weeks
    ]


def next_tournaments(day: date, number: int) -> list[Announcement]:
    """Return the next tournaments for the front page: those of the federation and the regions first.

    Pools fill the list only if there are fewer others than `number`. One query.
    """
    upcoming = Announcement.objects.upcoming(day).filter(end_date__lte=day + FRONT_PAGE)
    pools_last = Case(When(event_type__in=alone_types(), then=Value(1)), default=Value(0))
    return list(upcoming.select_related("club").order_by(pools_last, "end_date", "pk")[:number])
