"""Read a club's tournaments: announced, without a result, under review, waiting, and of this month."""

from dataclasses import dataclass
from datetime import date, timedelta

from players.models import Club
from scoring.ledger.models import ScoringRun
from tournaments.models import Announcement, ResultUpload, Tournament

SHOWN = 6
# How far back tournaments are searched for points that wait for approval.
WAITING_SPAN = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class ClubTournaments:
    """What the desk lists of a club's tournaments, at most SHOWN of each.

    coming: announced tournaments from today on, the next first
    missing: announced tournaments whose result is missing, the longest wait first
    missing_count: the number of all of them
    drafts: uploads that are not confirmed, the longest wait first
    draft_count: the number of all of them
    waiting: tournaments whose points wait for approval
    played: tournaments of this month, the latest first
    played_count: the number of all tournaments of this month
    """

    coming: list[Announcement]
    missing: list[Announcement]
    missing_count: int
    drafts: list[ResultUpload]
    draft_count: int
    waiting: list[Tournament]
    played: list[Tournament]
    played_count: int


def tournaments_of(club: Club, day: date) -> ClubTournaments:
    """Return what the desk lists of the club's tournaments. Eight queries."""
    announced = Announcement.objects.filter(club=club)
    tournaments = Tournament.objects.filter(club=club, annulled_at=None).order_by("-end_date", "-pk")
    played = tournaments.filter(published__isnull=False, end_date__gte=day.replace(day=1))
    waiting = tournaments.filter(
        end_date__gte=day - WAITING_SPAN, runs__state=ScoringRun.State.WAITING
    ).distinct()
    drafts = (
        ResultUpload.objects.drafts()
        .filter(club=club)
        .select_related("created_by", "token")
        .defer("parsed", "details")
        .order_by("created_at", "pk")
    )
    missing = announced.without_result(day).order_by("end_date", "pk")
    return ClubTournaments(
        coming=list(announced.upcoming(day)[:SHOWN]),
        missing=list(missing[:SHOWN]),
        missing_count=missing.count(),
        drafts=list(drafts[:SHOWN]),
        draft_count=drafts.count(),
        waiting=list(waiting[:SHOWN]),
        played=list(played[:SHOWN]),
        played_count=played.count(),
    )
