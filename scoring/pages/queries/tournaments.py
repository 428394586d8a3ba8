"""Tournaments as lists and pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from scoring import regulations
from scoring.ledger import systems
from scoring.ledger.evaluation import FAMILY, Evaluation
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.awards import effective_awards, tournament_url
from scoring.ledger.queries.people import seats_of
from scoring.ledger.snapshots import evaluation_of
from scoring.ledger.wording import event_type_name
from tournaments.models import Contestant, Tournament
from ui.memo import per_version

COUNTED = ("si", "no")


def _runs() -> QuerySet:
    """The last calculation of the published revision of the tournament that is looked at."""
    done = ScoringRun.objects.filter(revision=OuterRef("published"), state=ScoringRun.State.DONE)
    return done.exclude(purpose=ScoringRun.Purpose.ANNUL).order_by("-number")


@dataclass(frozen=True, slots=True)
class TournamentFilter:
    """What the list is narrowed to; empty values ask for everything.

    `counted` is "", "si" or "no"; `family` is of the points that a tournament gives.
    """

    year: int | None = None
    club_id: int | None = None
    format: str = ""
    event_type: str = ""
    family: str = ""
    counted: str = ""
    text: str = ""

    def queryset(self) -> QuerySet:
        """The tournaments, latest first."""
        rows = Tournament.objects.order_by("-end_date", "-pk")
        if self.year:
            rows = rows.filter(end_date__year=self.year)
        if self.club_id:
            rows = rows.filter(club_id=self.club_id)
        if self.format:
            rows = rows.filter(format=self.format)
        if self.event_type:
            rows = rows.filter(event_type=self.event_type)
        if self.family:
            rows = rows.filter(family=self.family)
        for word in self.text.split():
            rows = rows.filter(name__icontains=word)
        if self.counted:
            counts = Q(Exists(_runs().filter(eligible=True)), annulled_at=None)
            said = Q(Exists(_runs().filter(eligible=False))) | Q(annulled_at__isnull=False)
            rows = rows.filter(counts if self.counted == "si" else said)
        return rows


@per_version(64)
def counted(version: int, asked: TournamentFilter) -> int:
    """How many tournaments a filter finds."""
    return asked.queryset().count()


def listed(rows: QuerySet) -> QuerySet:
    """A list's columns with what its last run says: `eligible` is None while nothing was scored."""
    eligible = Subquery(_runs().values("eligible")[:1])
    waits = Exists(ScoringRun.objects.filter(tournament=OuterRef("pk"), state=ScoringRun.State.WAITING))
    return rows.annotate(eligible=eligible, waits=waits).values(
        "pk",
        "name",
        "end_date",
        "format",
        "event_type",
        "club__name",
        "club__slug",
        "boards_scheduled",
        "annulled_at",
        "eligible",
        "waits",
    )


@dataclass(frozen=True, slots=True)
class Ranked:
    """A tournament's page: its ranking with points, and what the engine says of its stored inputs."""

    tournament: Tournament
    run: ScoringRun | None
    evaluation: Evaluation | None
    rows: Sequence[dict[str, Any]]

    @property
    def contestants(self) -> int:
        return len(self.rows)


def last_run(tournament: Tournament) -> ScoringRun | None:
    """The run that the tournament's published points come from; None where an annulment took them back."""
    if tournament.published_id is None or tournament.annulled_at:
        return None
    runs = ScoringRun.objects.filter(revision=tournament.published_id, state=ScoringRun.State.DONE)
    last = runs.order_by("-number").first()
    return None if last and last.purpose == ScoringRun.Purpose.ANNUL else last


def newest_run(tournament: Tournament) -> ScoringRun | None:
    """The run that was asked for last, whatever became of it."""
    return tournament.runs.defer("inputs").order_by("-pk").first()


def exception_reason(run: ScoringRun) -> str:
    """Why a run was by another regulation than that of its day, even if that exception has ended since."""
    tournament = run.tournament
    return tournament.override_reason if tournament.regulation_override == run.regulation else run.reason


def rescorings_of(tournament: Tournament) -> list[dict[str, Any]]:
    """The later calculations of one ranking, latest first, with regulation and reason."""
    done = tournament.runs.filter(state=ScoringRun.State.DONE, purpose=ScoringRun.Purpose.SCORE)
    runs = done.filter(number__gt=1).exclude(reason="")
    return list(runs.order_by("-pk").values("created_at", "regulation", "reason"))


def ranked(tournament: Tournament) -> Ranked:
    """The published ranking, or the confirmed one that waits to be scored. A fixed number of queries.

    Nobody has points of an annulled tournament, also while the workers have yet to take them back.
    """
    run = last_run(tournament)
    evaluation = evaluation_of(run) if run else None
    waiting = tournament.revisions.order_by("-number").values_list("pk", flat=True)
    revision = tournament.published_id or waiting.first()
    if revision is None:
        return Ranked(tournament, None, None, ())
    seats = seats_of(revision)
    categories = _categories(evaluation)
    points = {} if tournament.annulled_at else _posted(tournament, revision)
    computed = evaluation.points_by_position if evaluation else {}
    rows = []
    ranking = Contestant.objects.filter(revision=revision).order_by("-field", "place", "position")
    for contestant in ranking:
        people = [{**each, "category": categories.get(each["seat"])} for each in seats.get(contestant.pk, [])]
        # The ledger is what counts; a contestant of guests alone has nothing in it.
        earned = points.get(contestant.pk, computed.get(contestant.position))
        rows.append(
            {
                "position": contestant.position,
                "field": contestant.field,
                "place": contestant.place,
                "label": contestant.label,
                "team": contestant.team_name,
                "people": people,
                "player_ids": {person["player_id"] for person in people},
                "score": contestant.score,
                "percentage": contestant.percentage,
                "points": earned,
            }
        )
    sizes: dict[tuple[str, int], int] = {}
    for row in rows:
        key = (row["field"], row["place"])
        sizes[key] = sizes.get(key, 0) + 1
    for row in rows:
        row["shared"] = sizes[row["field"], row["place"]] > 1
    return Ranked(tournament, run, evaluation, rows)


def _categories(evaluation: Evaluation | None) -> dict[int, str]:
    """Player id -> the category that C4 was computed with: as recorded when the tournament was scored."""
    seats = evaluation.seats if evaluation else ()
    return {int(seat.id): seat.category for seat in seats if seat.category and seat.id.isdecimal()}


def _posted(tournament: Tournament, revision: int) -> dict[int, int]:
    """Contestant id -> hundredths that each of its players was given and keeps."""
    # By tournament: the ledger has no index of contestants.
    awards = effective_awards(tournament).filter(contestant__revision=revision).order_by()
    return dict(awards.values_list("contestant_id", "points"))


def summary(rows: Sequence[dict]) -> list[dict]:
    """Rows of `listed` as the table shows them."""
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
            "waits": row["waits"],
        }
        for row in rows
    ]


def event_types() -> list[tuple[str, str]]:
    """(code, name) of every tournament type of any regulation of the systems on offer, for a filter."""
    schemes = reversed(regulations.of_family(FAMILY))
    codes = {row.code: None for scheme in schemes for row in scheme.event_types.rows}
    others = [(kind, str(label)) for system in systems.others() for kind, label in system.kinds]
    return [*((code, event_type_name(code)) for code in codes), *others]


@per_version(2)
def years(version: int) -> tuple[int, ...]:
    """The years with tournaments, latest first."""
    days = Tournament.objects.dates("end_date", "year", order="DESC")
    return tuple(day.year for day in days)


def revisions_of(tournament: Tournament) -> list[dict[str, Any]]:
    """The confirmed rankings of a tournament, latest first, with their reasons."""
    return list(tournament.revisions.order_by("-number").values("pk", "number", "reason", "created_at"))
