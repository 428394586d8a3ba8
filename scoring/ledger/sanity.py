"""Sanity checks of runs, ledger and standings. They are quick; `manage.py verify` computes every award."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

from django.db.models import Exists, Max, OuterRef, QuerySet, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.models import Licence, Player
from players.sanity import named, of_players, person_page
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, ScoringRun, Standing, StandingsState, YearTotal
from scoring.ledger.models.work import UNDER_WAY
from scoring.ledger.services import kept, standings, year_totals
from scoring.ledger.services.sums import Mismatch, People, mismatches
from scoring.ledger.windows import reference_day, year_before
from tournaments.models import Tournament
from tournaments.sanity import LONG, SHORT, of_tournaments, published, since, tournament_words
from ui.clock import today
from ui.sanity import Check, RowsOf, Severity

LATE, UNAPPROVED = timedelta(hours=1), timedelta(days=14)
PLAYERS = 2_000  # players whose sums are compared at a time
State, Kind = ScoringRun.State, LedgerEntry.Kind


def _of_runs(query: Callable[[], QuerySet[ScoringRun]]) -> RowsOf:
    return RowsOf(
        query,
        lambda run: tournament_words(run.tournament),
        lambda run: run.tournament.get_absolute_url(),
        ["tournament__club"],
    )


def _without_awards() -> QuerySet[ScoringRun]:
    """Return the runs that gave points, as they say, but have no awards in the ledger."""
    done = ScoringRun.objects.filter(state=State.DONE, eligible=True, revision__in=published(LONG))
    seats = done.filter(revision__seats__player__isnull=False).values("pk")
    awards = LedgerEntry.objects.filter(run=OuterRef("pk"), kind=Kind.AWARD)
    return done.exclude(purpose=ScoringRun.Purpose.ANNUL).filter(~Exists(awards), pk__in=seats)


def _of_unfinished_runs() -> QuerySet[ScoringRun]:
    # Of awards alone, because the index of runs has no other entries: without it, the whole ledger is read.
    awards = LedgerEntry.objects.filter(run=OuterRef("pk"), kind=Kind.AWARD)
    return ScoringRun.objects.exclude(state=State.DONE).filter(Exists(awards))


def _not_scored() -> QuerySet[ScoringRun]:
    waiting = ScoringRun.objects.filter(state__in=UNDER_WAY)
    return waiting.filter(created_at__lt=timezone.now() - LATE)


def _unapproved() -> QuerySet[ScoringRun]:
    return ScoringRun.objects.filter(state=State.WAITING, created_at__lt=timezone.now() - UNAPPROVED)


def _never_scored() -> QuerySet[Tournament]:
    runs = ScoringRun.objects.filter(tournament=OuterRef("pk"))
    return Tournament.objects.filter(~Exists(runs), since(LONG))


def _annulled_with_points() -> QuerySet[Tournament]:
    unfinished = ScoringRun.objects.filter(
        tournament=OuterRef("pk"), state__in=[State.PENDING, State.RUNNING, State.FAILED, State.WAITING]
    )
    annulled = Tournament.objects.filter(annulled_at__isnull=False).filter(~Exists(unfinished))
    return annulled.annotate(sum=Sum("entries__points")).exclude(sum=None).exclude(sum=0)


def _on_merged_numbers() -> QuerySet[Player]:
    """Return the merged numbers with points that were not transferred."""
    merged = Player.objects.filter(merged_into__isnull=False)
    return merged.annotate(sum=Sum("entries__points")).exclude(sum=None).exclude(sum=0)


def _without_licence() -> QuerySet[Player]:
    licences = Licence.objects.valid_on(OuterRef("played_on")).filter(player=OuterRef("player"))
    awards = LedgerEntry.objects.filter(
        kind=Kind.AWARD, points__gt=0, reversed_by=None, played_on__gte=today() - SHORT
    )
    return Player.objects.filter(pk__in=awards.filter(~Exists(licences)).order_by().values("player"))


class WrongSums(RowsOf):
    """Finder of players whose stored sums are not those of the ledger; reads a few players at a time.

    compare: function that returns the differences of the players with these ids
    """

    def __init__(self, compare: Callable[[list[int], date], list[Mismatch[Any]]]) -> None:
        super().__init__(Player.objects.all, named, person_page)
        self.compare = compare

    def keys(self) -> Iterator[str]:
        """Yield the ids of the players; "" after each part without differences."""
        state = StandingsState.objects.order_by("family").first()
        last = Player.objects.aggregate(last=Max("pk"))["last"]
        if state is None or last is None:
            return
        for first in range(1, last + 1, PLAYERS):
            ids = list(range(first, first + PLAYERS))
            yield ""
            for player in sorted({mismatch.player_id for mismatch in self.compare(ids, state.as_of)}):
                yield str(player)


def _wrong_standings(ids: list[int], day: date) -> list[Mismatch[Any]]:
    """Compare the standings of the day, and of the kept days of the last twelve months (`verify`: of all)."""
    people = People(ids)
    wrong: list[Mismatch[Any]] = []
    states = {state.family: state for state in StandingsState.objects.order_by("family")}
    for family in states:
        stored = Standing.stored.filter(family=family, day=day, player_id__in=ids)
        wrong += mismatches(stored, standings.computed(day, people, family))
    recent = [over for over in kept.complete_days(states[FAMILY], states) if over > year_before(day)]
    return [*wrong, *kept.compare(ids, states, recent)]


def _wrong_years(ids: list[int], day: date) -> list[Mismatch[Any]]:
    """Compare this year's totals and last year's: older ones change only by corrections (`verify`)."""
    people = People(ids)
    wrong: list[Mismatch[Any]] = []
    for year in (day.year - 1, day.year):
        end = reference_day(year, day)
        stored = YearTotal.stored.of(end).filter(player_id__in=ids)
        wrong += mismatches(stored, year_totals.computed(end, people))
    return wrong


ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE
CHECKS = [
    Check(
        "standing_sum",
        ERROR,
        _("Points of 12 months that are not the sum of the awards"),
        _(
            "The lists show wrong points. The operator runs “manage.py rebuild_standings”, which "
            "repairs them."
        ),
        WrongSums(_wrong_standings),
    ),
    Check(
        "year_sum",
        ERROR,
        _("Points of a year that are not the sum of the awards"),
        _(
            "Candidates are listed by them. The operator runs “manage.py rebuild_standings”, "
            "which repairs them."
        ),
        WrongSums(_wrong_years),
    ),
    Check(
        "run_without_awards",
        ERROR,
        _("Tournaments scored without any award"),
        _(
            "The computation is marked as done and gives points, but nobody has any. Score the "
            "tournament again."
        ),
        _of_runs(_without_awards),
    ),
    Check(
        "award_of_unfinished_run",
        ERROR,
        _("Awards of a computation that is not done"),
        _("Points were posted without their computation being recorded. Run the audit of this tournament."),
        _of_runs(_of_unfinished_runs),
    ),
    Check(
        "tournament_never_scored",
        ERROR,
        _("Tournaments that were never scored"),
        _("The ranking is stored, but nothing computes its points. Correct the tournament, which scores it."),
        of_tournaments(_never_scored),
    ),
    Check(
        "run_late",
        WARNING,
        _("Rankings that have waited more than an hour for their points"),
        _("No worker takes them. The operator looks whether workers run."),
        _of_runs(_not_scored),
    ),
    Check(
        "run_parked",
        ERROR,
        _("Computations that stopped after several attempts"),
        _(
            "The points of the tournament are missing. Try again from the office's page; if it "
            "stops again, report it."
        ),
        RowsOf(
            lambda: ScoringRun.objects.filter(state=State.FAILED),
            lambda run: tournament_words(run.tournament),
            lambda run: reverse("office"),
            ["tournament__club"],
        ),
    ),
    Check(
        "run_unapproved",
        WARNING,
        _("Points that have waited for a second person for two weeks"),
        _("Approve the tournament or give it back."),
        _of_runs(_unapproved),
    ),
    Check(
        "annulled_with_points",
        ERROR,
        _("Annulled tournaments that still give points"),
        _("Their awards were not all taken back. Restore the tournament and annul it again."),
        of_tournaments(_annulled_with_points),
    ),
    Check(
        "merged_with_points",
        ERROR,
        _("Merged numbers that kept points"),
        _("These points are missing from the number kept. Part the numbers and merge them again."),
        of_players(_on_merged_numbers),
    ),
    Check(
        "award_without_licence",
        NOTE,
        _("Players with points of the last 60 days and no licence on that day"),
        _("Their points count if the federation says so. Renew the licence, or ask the club."),
        of_players(_without_licence),
    ),
]
