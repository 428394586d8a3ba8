"""What the office could put right and nobody asks about: tournaments that would count now, no category."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.db.models import Exists, F, Min, OuterRef, QuerySet, Subquery
from django.utils import timezone

from players.models import CategoryAssignment, Licence, Player
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import ScoringRun, Standing
from scoring.ledger.windows import first_day
from scoring.office.models import CountableRun, CountableSearch
from tournaments.models import Seat
from ui.chunks import rows_in

FEW_LICENCES = "too_few_licences"


def could_count(day: date) -> QuerySet[CountableRun]:
    """Return the tournaments of the last twelve months that would count now, the earliest scored first.

    They are those that the last searches found. Tournaments that were corrected, scored again or annulled
    since are left out.

    day: today
    """
    newer = ScoringRun.objects.filter(revision=OuterRef("run__revision"), number__gt=OuterRef("run__number"))
    rows = CountableRun.objects.filter(
        ~Exists(newer),
        run__revision=F("run__tournament__published"),
        run__tournament__annulled_at=None,
        run__tournament__end_date__gte=first_day(day),
    )
    rows = rows.select_related("run__tournament__club").defer("run__inputs")
    return rows.order_by("run__finished_at", "run")


def could_count_as_of() -> datetime | None:
    """Return the time of the licences by which `could_count` is complete; None if there was no search yet."""
    done = CountableSearch.State.DONE
    earlier = CountableSearch.objects.exclude(state=done).filter(pk__lt=OuterRef("pk"))
    searches = CountableSearch.objects.filter(~Exists(earlier), state=done).order_by("-pk")
    return searches.values_list("created_at", flat=True).first()


@dataclass(frozen=True, slots=True)
class ShortOfLicences:
    """A tournament that did not count for no other reason than that too few participants held a licence.

    run, revision: ids of the scoring and of the ranking
    ended: the tournament's last day
    needed: how many participants have to hold a licence on that day
    """

    run: int
    revision: int
    ended: date
    needed: int


def short_of_licences(first: date) -> list[ShortOfLicences]:
    """Return the tournaments that ended since this day and were short of licences, by day. One query."""
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
    rows = runs.exclude(Exists(newer)).order_by("tournament__end_date", "pk")
    rows = rows.values_list("pk", "revision", "tournament__end_date", "outcome__reasons")
    short = []
    for run, revision, ended, reasons in rows.iterator():
        if [reason["code"] for reason in reasons or ()] == [FEW_LICENCES]:
            short.append(ShortOfLicences(run, revision, ended, int(reasons[0]["params"]["needed"])))
    return short


def licensed_by_now(tournaments: Sequence[ShortOfLicences]) -> dict[int, int]:
    """Return {revision id: number of participants with a licence valid on the last day}.

    Seats and licences are joined here: PostgreSQL expects ten times as many seats of a revision as there are,
    and would read the licences of everybody.
    """
    ended = {item.revision: item.ended for item in tournaments}
    seats = Seat.objects.filter(revision__in=list(ended), player__isnull=False).order_by()
    took_part = list(seats.values_list("revision", "player"))
    licences = Licence.objects.counting().filter(
        valid_to__gte=min(ended.values()), valid_from__lte=max(ended.values())
    )
    days: dict[int, list[tuple[date, date]]] = defaultdict(list)
    rows = licences.order_by().values_list("player", "valid_from", "valid_to")
    for player, first, last in rows_in(rows, "player", {player for _revision, player in took_part}):
        days[player].append((first, last))
    return Counter(
        revision
        for revision, player in took_part
        if any(first <= ended[revision] <= last for first, last in days.get(player, ()))
    )


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
