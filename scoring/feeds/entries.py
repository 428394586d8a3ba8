"""The entries of the feeds: tournaments scored or corrected, published lists, and daily checkpoints.

Everything that is read is bounded by days or numbers of rows, because the tables grow for ever.
"""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from django.db.models import Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.feeds.atom import MOST, Entry, midnight
from scoring.ledger.models import ScoringRun
from scoring.pages.queries.corrections import ACTS, act_of
from scoring.promotions.models import PromotionCampaign, SnapshotList
from scoring.promotions.pure import states
from scoring.transparency.models import Checkpoint
from ui.clock import today
from ui.formatting import format_date, format_days

RESULTS_BACK = timedelta(days=60)  # how long results stay in a feed
CHECKPOINT_DAYS = 14  # before today, whose last checkpoints are in the feed


def results(of: Q) -> list[Entry]:
    """Return the tournaments scored or corrected of late, the latest first. One query.

    of: condition for the tournaments' clubs, from runs on
    """
    since = midnight(today() - RESULTS_BACK)
    runs = ScoringRun.objects.filter(of, state=ScoringRun.State.DONE, finished_at__gte=since)
    related = runs.select_related("tournament__club").defer("inputs", "outcome")
    return [_result(run) for run in related.order_by("-finished_at", "-pk")[:MOST]]


def _result(run: ScoringRun) -> Entry:
    tournament = run.tournament
    days = format_days(tournament.start_date, tournament.end_date, get_language() or "")
    act = ACTS[act_of(run)] if run.reason else _("Scored")
    return Entry(
        key=f"run-{run.uid}",
        title=f"{act}: {tournament.name}",
        path=tournament.get_absolute_url(),
        at=run.finished_at,
        summary=f"{tournament.club.name}, {days}",
    )


def federation_lists() -> list[Entry]:
    """Return the published lists and the checkpoints of the last days, the latest first. Three queries."""
    both = [*_lists(), *_checkpoints()]
    return sorted(both, key=lambda entry: entry.at, reverse=True)[:MOST]


def _lists() -> Iterator[Entry]:
    """Yield the lists of the categories whose lists were published last."""
    campaigns = PromotionCampaign.objects.filter(family="aeb", state__in=states.PUBLIC)
    latest = {row.snapshot_id: row for row in campaigns.order_by("-published_at")[:MOST]}
    lists = SnapshotList.objects.filter(snapshot__in=list(latest)).order_by("-snapshot", "-category__order")
    for snapshot, code in lists.values_list("snapshot", "category__code")[:MOST]:
        yield _list(latest[snapshot], code)


def _list(campaign: PromotionCampaign, code: str) -> Entry:
    names = {"year": campaign.year, "code": code}
    text = _("Players can contest it until %(day)s.")
    return Entry(
        key=f"list-{campaign.pk}-{code}-{campaign.published_at:%Y%m%d%H%M%S}",
        title=_("Category change %(year)s: list of %(code)s") % names,
        path=reverse("promotion", args=[campaign.year, code.lower()]),
        at=campaign.published_at,
        summary=text % {"day": format_date(campaign.claims_until, get_language() or "")},
    )


def _checkpoints() -> Iterable[Entry]:
    """Return the last checkpoint of each of the last days before today. One query."""
    days = [today() - timedelta(days=number) for number in range(1, CHECKPOINT_DAYS + 1)]
    rows = Checkpoint.objects.filter(pk__in=[Subquery(_last_of(day)) for day in days])
    return [_checkpoint(row) for row in rows.order_by("-pk")]


def _last_of(day: date) -> QuerySet:
    """Return the id of the last checkpoint of a day, as a query. It reads one row of an index."""
    span = (midnight(day), midnight(day + timedelta(days=1)))
    rows = Checkpoint.objects.filter(created_at__gte=span[0], created_at__lt=span[1])
    return rows.order_by("-created_at").values("pk")[:1]


def _checkpoint(row: Checkpoint) -> Entry:
    day = localdate(row.created_at)
    text = _("Signed checkpoint of the transparency log at the end of %(day)s")
    return Entry(
        key=f"checkpoint-{day.isoformat()}",
        title=text % {"day": format_date(day, get_language() or "")},
        path=reverse("log_past_checkpoint", args=[row.pk]),
        at=row.created_at,
        summary=_("Keep it: with it anyone can check later that nothing was changed since."),
        content=row.note,
    )
