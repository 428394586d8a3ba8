"""The tournaments, and one tournament with ranking, points, coefficients and regulation."""

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop
from ninja import Path, Router

from scoring.api.numbers import number, number_or_none, points, points_or_none
from scoring.api.problems import Problem
from scoring.api.reading.common import OTHERS, absolute, club_ref
from scoring.api.reading.paging import Cursor, Paging
from scoring.api.reading.schemas import (
    ClubRef,
    CoefficientsOut,
    PlacedOut,
    PlayerAwardOut,
    SeatOut,
    TournamentOut,
    TournamentRef,
    TournamentsOut,
)
from scoring.ledger.evaluation import FieldResult
from scoring.ledger.queries.awards import effective_awards, tournament_url
from scoring.ledger.queries.people import people
from scoring.pages.queries import tournaments as queries
from tournaments.models import Tournament

LARGEST_ID = 2**53 - 1  # that every JSON reader keeps exact
TournamentId = Annotated[
    int,
    Path(ge=1, le=LARGEST_ID, description=gettext_noop("id of the tournament, from a list"), example=1),
]

router = Router(tags=["tournaments"])


@router.get(
    "/tournaments",
    response={200: TournamentsOut, **OTHERS},
    url_name="tournaments",
    operation_id="list_tournaments",
    summary=gettext_noop("The tournaments"),
    description=gettext_noop(
        "List the tournaments, the latest first, those that do not count and annulled ones included."
    ),
)
def list_tournaments(request: HttpRequest, response: HttpResponse, cursor: Cursor = ""):
    """List the tournaments, the latest first, those that do not count and annulled ones included."""
    rows = queries.list_rows(queries.TournamentFilter().queryset())
    listed, following = Paging(request, response, cursor).page_of(rows, ("-end_date", "-pk"))
    return TournamentsOut(items=[_listed(request, row) for row in listed], next=following)


def _listed(request: HttpRequest, row: dict[str, Any]) -> TournamentRef:
    annulled = row["annulled_at"] is not None
    return TournamentRef(
        id=row["pk"],
        name=row["name"],
        end_date=row["end_date"],
        club=ClubRef(code=row["club__code"], name=row["club__name"]),
        format=row["format"],
        event_type=row["event_type"],
        boards_scheduled=row["boards_scheduled"],
        counts=False if annulled else row["eligible"],
        annulled=annulled,
        waiting=row["waits"] is not None,
        url=absolute(request, tournament_url(row["pk"], row["name"], row["end_date"])),
    )


@router.get(
    "/tournaments/{tournament_id}",
    response={200: TournamentOut, **OTHERS},
    url_name="tournament",
    operation_id="show_tournament",
    summary=gettext_noop("A tournament"),
    description=gettext_noop(
        "Show a tournament with its ranking, the points of everybody, the coefficients and the "
        "regulation.\n\n"
        "Before it is scored it has the confirmed ranking, without points."
    ),
)
def show(request: HttpRequest, tournament_id: TournamentId):
    """Show a tournament with its ranking, the points of everybody, the coefficients and the regulation."""
    rows = Tournament.objects.select_related("club__region", "published")
    tournament = rows.filter(pk=tournament_id).first()
    if tournament is None:
        raise Problem("not_found")
    ranking = queries.ranking_of(tournament)
    run, evaluation = ranking.run, ranking.evaluation
    return TournamentOut(
        id=tournament.pk,
        name=tournament.name,
        club=club_ref(tournament.club),
        start_date=tournament.start_date,
        end_date=tournament.end_date,
        family=tournament.family,
        event_type=tournament.event_type,
        format=tournament.format,
        venue=tournament.venue,
        boards=tournament.boards,
        boards_scheduled=tournament.boards_scheduled,
        regulation=run and run.regulation,
        counts=False if tournament.annulled_at else evaluation and evaluation.eligible,
        reasons=[reason.code for reason in evaluation.reasons] if evaluation else [],
        annulled=tournament.annulled_at is not None,
        revision=tournament.published and tournament.published.number,
        computed=[_computed(field) for field in evaluation.fields] if evaluation else [],
        ranking=[_placed(row) for row in ranking.rows],
        awards=_awards(tournament),
        url=absolute(request, tournament.get_absolute_url()),
    )


def _computed(field: FieldResult) -> CoefficientsOut:
    result = field.result
    return CoefficientsOut(
        direction=field.field or None,
        n=number(result.n),
        coefficients={name: number(value) for name, value in result.coefficients.items()},
        p_max=number(result.p_max),
        p_min=number(result.p_min),
    )


def _placed(row: dict[str, Any]) -> PlacedOut:
    return PlacedOut(
        place=row["place"],
        shared=row["shared"],
        direction=row["field"] or None,
        label=row["label"],
        team=row["team"],
        percentage=number_or_none(row["percentage"]),
        score=number_or_none(row["score"]),
        points=points_or_none(row["points"]),
        people=[
            SeatOut(number=person["number"], name=person["name"], category=person["category"])
            for person in row["people"]
        ],
    )


def _awards(tournament: Tournament) -> list[PlayerAwardOut]:
    """Return the points that players have from the tournament now. Two queries."""
    if tournament.annulled_at:  # a worker may not have reversed them yet
        return []
    rows = list(effective_awards(tournament).order_by("-points", "pk").values_list("player_id", "points"))
    persons = people(player for player, _points in rows)
    return [
        PlayerAwardOut(
            number=persons[player]["number"], name=persons[player]["name"], points=points(hundredths)
        )
        for player, hundredths in rows
    ]
