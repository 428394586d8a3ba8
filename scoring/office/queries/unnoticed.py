"""What the office could put right and nobody asks about: tournaments that would count now, no category."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, time

from django.db.models import Exists, F, Min, OuterRef, QuerySet, Subquery
from django.utils import timezone

from players.models import CategoryAssignment, Licence, Player
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import ScoringRun, Standing
from scoring.ledger.windows import first_day
from tournaments.models import Seat

FEW_LICENCES = "too_few_licences"


@dataclass(frozen=True, slots=True)
class CouldCount:
    """A tournament that did not count because too few participants held a licence, and by now enough do."""

    run: ScoringRun
    licensed: int
    needed: int


def could_count(day: date) -> list[CouldCount]:
    """Return the tournaments of the last twelve months that would count now, the earliest scored first.

    Licences count that are valid on a tournament's last day, as when it is scored. Tournaments that did not
    count for another reason as well are left out. Two queries.

    day: today
    """
    first = first_day(day)
    runs = ScoringRun.objects.filter(
        # Nothing is scored before it was played; this day bounds the range of the index.
        finished_at__gte=timezone.make_aware(datetime.combine(first, time.min)),
        state=ScoringRun.State.DONE,
        eligible__in=[False],  # SQLite uses no index for NOT
        purpose=ScoringRun.Purpose.SCORE,
        revision=F("tournament__published"),
        tournament__annulled_at=None,
        tournament__end_date__gte=first,
    )
    newer = ScoringRun.objects.filter(revision=OuterRef("revision"), number__gt=OuterRef("number"))
    runs = runs.exclude(Exists(newer)).select_related("tournament__club").defer("inputs")
    short = {run.revision_id: run for run in runs.order_by("finished_at", "pk") if _needed(run)}
    if not short:
        return []
    valid = Licence.objects.valid_on(OuterRef("revision__tournament__end_date"))
    seats = Seat.objects.filter(Exists(valid.filter(player=OuterRef("player"))), revision__in=short)
    licensed = Counter(seats.order_by().values_list("revision", flat=True))
    rows = (CouldCount(run, licensed[revision], _needed(run)) for revision, run in short.items())
    return [row for row in rows if row.licensed >= row.needed]


def _needed(run: ScoringRun) -> int:
    """Return how many participants need a licence; 0 if the tournament does not count for another reason."""
    reasons = run.outcome.get("reasons", [])
    if [reason["code"] for reason in reasons] != [FEW_LICENCES]:
        return 0
    return int(reasons[0]["params"]["needed"])


def without_category(day: date) -> QuerySet[Player]:
    """Return the players with a licence and points and without a category, the oldest licence first.

    They are in the standings of no category. The annotation `since` is the first day of the licence.

    day: today
    """
    valid = Licence.objects.valid_on(day).filter(player=OuterRef("pk"))
    held = CategoryAssignment.objects.filter(player=OuterRef("pk"), valid_from__lte=day, revoked_at=None)
    listed = Standing.objects.filter(category=None, licensed=True, family=FAMILY).values("player")
    players = Player.objects.unmerged().filter(Exists(valid), ~Exists(held), pk__in=listed)
    since = valid.order_by().values("player").annotate(first=Min("valid_from")).values("first")
    return (
        players.filter(deceased_on=None, erased_on=None)
        .annotate(since=Subquery(since))
        .order_by("since", "pk")
    )
