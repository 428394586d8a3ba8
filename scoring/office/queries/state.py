"""Figures about the installation's work, and the days of the year-end change, for the office's front page."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.ledger.models import ScoringRun
from scoring.ledger.models.work import UNDER_WAY
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.pure.states import VOID
from scoring.ratings.models import RatingReplay
from ui.clock import today

RECENT = timedelta(days=7)
State = ScoringRun.State


@dataclass(frozen=True, slots=True)
class SystemState:
    """Figures about scoring.

    queued: runs that wait for a worker or are being scored
    failed: work that stopped after several attempts
    scored: tournaments scored today
    uncounted: tournaments scored in the last seven days that gave no points
    """

    queued: int
    failed: int
    scored: int
    uncounted: int


def system_state() -> SystemState:
    """Return figures about scoring. Three queries."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    # Whether they gave points or not: the column begins the index of scored runs.
    scored = Q(state=State.DONE, purpose=ScoringRun.Purpose.SCORE, eligible__in=[True, False])
    lately = scored & Q(finished_at__gte=midnight)
    unfinished = Q(state__in=UNDER_WAY)
    counts = ScoringRun.objects.filter(unfinished | lately | Q(state=State.FAILED)).aggregate(
        queued=Count("pk", filter=unfinished),
        failed=Count("pk", filter=Q(state=State.FAILED)),
        scored=Count("tournament", filter=lately, distinct=True),
    )
    failed = counts["failed"] + RatingReplay.objects.filter(state=RatingReplay.State.FAILED).count()
    return SystemState(counts["queued"], failed, counts["scored"], uncounted_runs().count())


def uncounted_runs() -> QuerySet[ScoringRun]:
    """Return the runs of the last seven days whose tournament gave no points, latest first."""
    return ScoringRun.objects.filter(
        state=State.DONE,
        eligible__in=[False],  # SQLite uses no index for NOT
        revision=F("tournament__published"),
        tournament__annulled_at=None,
        purpose=ScoringRun.Purpose.SCORE,
        finished_at__gte=timezone.now() - RECENT,
    ).select_related("tournament__club")


def closing_days() -> list[tuple[date, str]]:
    """Return the days of the year-end change that comes next or is running, with what happens on them."""
    campaign = PromotionCampaign.objects.exclude(state__in=[*VOID, PromotionCampaign.State.APPLIED]).last()
    if campaign is None:
        return [(date(today().year, 12, 31), _("the year closes"))]
    days = [
        (campaign.last_day, _("the year closes")),
        (campaign.intake_until, _("last day for results")),
        (campaign.claims_until, _("last day for claims")),
        (campaign.effective_on, _("new categories")),
    ]
    return sorted((day, words) for day, words in days if day)
