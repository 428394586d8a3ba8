"""Queries for lists of tournaments and for the page of a tournament."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from scoring.ledger.evaluation import Evaluation
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.awards import effective_awards, tournament_url
from scoring.ledger.queries.people import Written, seats_of
from scoring.ledger.snapshots import evaluation_of
from scoring.ledger.systems.seats import person_of
from scoring.ledger.wording import event_type_name
from scoring.pages.queries.boards import session_of
from tournaments.models import Contestant, Tournament
from ui.memo import per_version

COUNTED = ("si", "no")


def _runs() -> QuerySet:
    """Return the completed runs of a tournament's published revision, latest first.

    This is a subquery for a query of tournaments. Runs that annul the tournament are left out.
    """
    return (
        ScoringRun.objects.filter(revision=OuterRef("published"), state=ScoringRun.State.DONE)
        .exclude(purpose=ScoringRun.Purpose.ANNUL)
        .order_by("-number")
    )


@dataclass(frozen=True, slots=True)
class TournamentFilter:
    """The filters of the list of tournaments. A filter with an empty value admits every tournament.

    counted: "si" for tournaments that count for points, "no" for those that do not
    family: the code of the family of the points that the tournament gives
    """

    year: int | None = None
    club_id: int | None = None
    format: str = ""
    event_type: str = ""
    family: str = ""
    counted: str = ""
    text: str = ""

    def queryset(self) -> QuerySet:
        """Return the tournaments that pass the filters, latest first."""
        values = {
            "end_date__year": self.year,
            "club_id": self.club_id,
            "format": self.format,
            "event_type": self.event_type,
            "family": self.family,
        }
        chosen = {lookup: value for lookup, value in values.items() if value}
        rows = Tournament.objects.filter(**chosen).search(self.text).order_by("-end_date", "-pk")
        if self.counted:
            counts = Q(Exists(_runs().filter(eligible=True)), annulled_at=None)
            does_not_count = Q(Exists(_runs().filter(eligible=False))) | Q(annulled_at__isnull=False)
            rows = rows.filter(counts if self.counted == "si" else does_not_count)
        return rows

    @property
    def narrowed(self) -> bool:
        """Whether any filter is set."""
        return self != TournamentFilter()


@per_version(64)
def count(version: int, filters: TournamentFilter) -> int:
    """Count the tournaments that pass the filters.

    version: the version of the standings; the result is cached until it changes
    """
    return filters.queryset().count()


def list_rows(rows: QuerySet) -> QuerySet:
    """Return the tournaments of a queryset as dicts, with the columns that `summary` needs.

    `eligible` says whether the tournament gave points, according to its last completed run. It is None if
    there is no such run. Runs that annul the tournament are ignored.
    """
    eligible = Subquery(_runs().values("eligible")[:1])
    # Not EXISTS, for which PostgreSQL would read the runs of all tournaments at once.
    waiting = ScoringRun.objects.filter(tournament=OuterRef("pk"), state=ScoringRun.State.WAITING)
    waits = Subquery(waiting.order_by().values("pk")[:1])
    return rows.annotate(eligible=eligible, waits=waits).values(
        "pk",
        "name",
        "end_date",
        "format",
        "event_type",
        "club__name",
        "club__code",
        "boards_scheduled",
        "annulled_at",
        "eligible",
        "waits",
    )


@dataclass(frozen=True, slots=True)
class ScoredRanking:
    """A tournament's ranking with points, the run that computed them, and the engine's result for the run."""

    tournament: Tournament
    run: ScoringRun | None
    evaluation: Evaluation | None
    rows: Sequence[dict[str, Any]]


def last_run(tournament: Tournament) -> ScoringRun | None:
    """Return the run that computed the tournament's current points, or None if it has none or is annulled."""
    if tournament.published_id is None or tournament.annulled_at:
        return None
    runs = ScoringRun.objects.filter(revision=tournament.published_id, state=ScoringRun.State.DONE)
    last = runs.order_by("-number").first()
    return None if last and last.purpose == ScoringRun.Purpose.ANNUL else last


def exception_reason(run: ScoringRun) -> str:
    """Return why a run used another regulation than the one in force on the tournament's day.

    The reason is stored with the run, because the exception made for the tournament may have been withdrawn.
    """
    tournament = run.tournament
    return tournament.override_reason if tournament.regulation_override == run.regulation else run.reason


def rescorings_of(tournament: Tournament) -> list[dict[str, Any]]:
    """Return date, regulation and reason of each run that scored an unchanged ranking again, latest first."""
    done = tournament.runs.filter(state=ScoringRun.State.DONE, purpose=ScoringRun.Purpose.SCORE)
    runs = done.filter(number__gt=1).exclude(reason="")
    return list(runs.order_by("-pk").values("created_at", "regulation", "reason"))


def ranking_of(tournament: Tournament) -> ScoredRanking:
    """Return a tournament's published ranking or, before its first run, the confirmed one.

    The rows of an annulled tournament have no points, even if a worker has not reversed the awards yet. The
    number of queries does not depend on the number of contestants.
    """
    run = last_run(tournament)
    evaluation = evaluation_of(run) if run else None
    confirmed = tournament.revisions.order_by("-number").values_list("pk", flat=True)
    revision = tournament.published_id or confirmed.first()
    if revision is None:
        return ScoredRanking(tournament, None, None, ())
    seats = seats_of(revision)
    categories = _categories(evaluation)
    points = {} if tournament.annulled_at else _posted(tournament, revision)
    computed = evaluation.points_by_position if evaluation else {}
    has_boards = tournament.published_id and tournament.published.boards_scored
    cards = f"{tournament.get_absolute_url()}tarjetas/" if has_boards else ""
    # Pairs have the number of their boards stored, so that this page need not read the boards.
    is_pairs = tournament.format == Tournament.Format.PAIRS
    session = session_of(revision) if cards and not is_pairs else None
    rows = []
    ranking = list(Contestant.objects.filter(revision=revision).order_by("-field", "place", "position"))
    written = Written(text for item in ranking for text in (item.label, item.team_name))
    played = session.figures if session else {item.pk for item in ranking if cards and item.boards_played}
    for contestant in ranking:
        people = [{**seat, "category": categories.get(seat["seat"])} for seat in seats.get(contestant.pk, [])]
        rows.append(
            {
                "position": contestant.position,
                "field": contestant.field,
                "place": contestant.place,
                "label": written.label(contestant.label, people),
                "format": tournament.format,
                "card": f"{cards}{contestant.position}/"
                if cards and (contestant.boards_played or contestant.pk in played)
                else "",
                "team": written.team(contestant.team_name, people),
                "people": people,
                "player_ids": {person["player_id"] for person in people},
                "score": contestant.score,
                "percentage": contestant.percentage,
                # The ledger takes precedence. It has no entries for a contestant all of whose players are
                # guests.
                "points": points.get(contestant.pk, computed.get(contestant.position)),
            }
        )
    sizes = Counter((row["field"], row["place"]) for row in rows)
    for row in rows:
        row["shared"] = sizes[row["field"], row["place"]] > 1
    return ScoredRanking(tournament, run, evaluation, rows)


def _categories(evaluation: Evaluation | None) -> dict[int, str]:
    """Return {player id: code of the category with which the run computed the strength of the field (C4)}."""
    seats = evaluation.seats if evaluation else ()
    return {
        int(person_of(seat.id)): seat.category
        for seat in seats
        if seat.category and person_of(seat.id).isdecimal()
    }


def _posted(tournament: Tournament, revision: int) -> dict[int, int]:
    """Return {contestant id: points}, read from the ledger.

    The points are what each player of the contestant got, in hundredths.
    """
    # Start from the tournament's awards, because the ledger has no index on contestants.
    awards = effective_awards(tournament).filter(contestant__revision=revision).order_by()
    return dict(awards.values_list("contestant_id", "points"))


def summary(rows: Sequence[dict]) -> list[dict]:
    """Convert rows of `list_rows` to records of `TournamentTable`."""
    formats = dict(Tournament.Format.choices)
    return [
        {
            "day": row["end_date"],
            "title": row["name"],
            "url": tournament_url(row["pk"], row["name"], row["end_date"]),
            "club": row["club__name"],
            "type": event_type_name(row["event_type"]),
            "format": formats[row["format"]],
            "boards": row["boards_scheduled"],
            "eligible": row["eligible"],
            "annulled": row["annulled_at"] is not None,
            "waits": row["waits"] is not None,
        }
        for row in rows
    ]


@per_version(2)
def years(version: int) -> tuple[int, ...]:
    """Return the years in which tournaments ended, latest first.

    version: the version of the standings; the result is cached until it changes
    """
    return tuple(day.year for day in Tournament.objects.dates("end_date", "year", order="DESC"))
