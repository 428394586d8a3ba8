"""Read how the clubs of a region are doing: their uploads, missing results, and regional tournaments."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Count, Max, Q
from django.urls import reverse
from django.utils import timezone

from players.models import Region
from scoring import regulations
from scoring.ledger.evaluation import FAMILY
from tournaments.models import Announcement, ResultUpload, Tournament

PERIOD = timedelta(days=90)  # the tournaments that the page counts were played in it
LATE = 2  # days after play; files that arrive later are late
SHOWN = 10  # missing results, unconfirmed uploads and regional tournaments that are listed


@dataclass(frozen=True, slots=True)
class RegionState:
    """How the clubs of a region are doing.

    clubs: records of `RegionClubTable`, the clubs with something to do first
    missing, drafts: the missing results and the unconfirmed uploads with the longest wait
    missing_count, draft_count: the number of all of them
    coming: the next announced tournaments of the types that the region approves
    """

    clubs: list[dict[str, Any]]
    missing: list[Announcement]
    missing_count: int
    drafts: list[ResultUpload]
    draft_count: int
    coming: list[Announcement]

    @property
    def attention(self) -> int:
        """The number of clubs with a missing result or an unconfirmed upload."""
        return sum(bool(club["missing"] or club["drafts"]) for club in self.clubs)


def state_of(region: Region, day: date) -> RegionState:
    """Return how the clubs of the region are doing. Six queries."""
    missing = list(
        Announcement.objects.without_result(day)
        .filter(club__region=region)
        .select_related("club")
        .order_by("end_date", "pk")
    )
    drafts = list(
        ResultUpload.objects.drafts()
        .filter(club__region=region)
        .select_related("club", "created_by", "token")
        .defer("parsed", "details", "columns", "ticks")
        .order_by("created_at", "pk")
    )
    types = regulations.of_family(FAMILY)[-1].filing.regional
    coming = Announcement.objects.upcoming(day).filter(club__region=region, event_type__in=types)
    return RegionState(
        clubs=_clubs(region, day, missing, drafts),
        missing=missing[:SHOWN],
        missing_count=len(missing),
        drafts=drafts[:SHOWN],
        draft_count=len(drafts),
        coming=list(coming.select_related("club")[:SHOWN]),
    )


def _clubs(
    region: Region, day: date, missing: list[Announcement], drafts: list[ResultUpload]
) -> list[dict[str, Any]]:
    without_result = Counter(announced.club_id for announced in missing)
    unconfirmed = Counter(draft.club_id for draft in drafts)
    played, last = _played(region, day)
    late = _late(region, day)
    rows = region.clubs.annotate(members=Count("players"))
    records = [
        {
            "name": club.name,
            "url": reverse("club_manage", args=[club.slug]),
            "active": club.active,
            "members": club.members,
            "missing": without_result[club.pk],
            "drafts": unconfirmed[club.pk],
            "played": played[club.pk],
            "late": late[club.pk],
            "last": last.get(club.pk),
        }
        for club in rows.order_by("sort_key", "pk")
    ]
    return sorted(records, key=lambda record: not (record["missing"] or record["drafts"]))


def _played(region: Region, day: date) -> tuple[Counter[int], dict[int, date]]:
    """Return {club id: tournaments of the last 90 days with a result}, and {club id: day of the last one}.

    All results count, uploaded or stored in another way, but not those of annulled tournaments. One query.
    """
    rows = (
        Tournament.objects.filter(
            club__region=region, end_date__lte=day, published__isnull=False, annulled_at=None
        )
        .order_by()
        .values_list("club_id")
        .annotate(recent=Count("pk", filter=Q(end_date__gte=day - PERIOD)), last=Max("end_date"))
    )
    played: Counter[int] = Counter()
    last: dict[int, date] = {}
    for club, count, latest in rows:
        played[club], last[club] = count, latest
    return played, last


def _late(region: Region, day: date) -> Counter[int]:
    """Return {club id: results of the last 90 days whose file was uploaded late}. One query."""
    rows = ResultUpload.objects.filter(
        club__region=region, state=ResultUpload.State.CONFIRMED, corrects=None, played_on__gte=day - PERIOD
    ).order_by()
    return Counter(
        club
        for club, played_on, created_at in rows.values_list("club_id", "played_on", "created_at")
        if (timezone.localdate(created_at) - played_on).days > LATE
    )
