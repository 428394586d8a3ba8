"""A player, the player's points entry by entry, and the place in the standings."""

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop
from ninja import Query, Router
from ninja.decorators import decorate_view

from players.categories import category_of, history_of
from players.models import Player
from scoring.api.numbers import points
from scoring.api.problems import Problem
from scoring.api.reading.common import (
    OTHERS,
    FederationNumber,
    absolute,
    club_ref,
    invalid,
    one_of,
    region_ref,
)
from scoring.api.reading.paging import Cursor, Paging
from scoring.api.reading.schemas import AwardOut, AwardsOut, PlayerOut, PlayerStandingOut, WeekOut
from scoring.ledger import systems
from scoring.ledger.conditional import (
    StandingsRequest,
    StandingsVersion,
    conditional,
)
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.queries import awards
from scoring.pages.queries import profile

router = Router(tags=["players"])


@router.get(
    "/players/{number}",
    response={200: PlayerOut, **OTHERS},
    url_name="player",
    operation_id="show_player",
    summary=gettext_noop("A player"),
    description=gettext_noop(
        "Show a player with club and category. Leading zeros of the number do not matter."
    ),
)
@decorate_view(conditional)
def show(request: StandingsRequest, number: FederationNumber):
    """Show a player with club and category."""
    state = request.standings
    player = _player(number, state)
    category = category_of(history_of(player), state.as_of)
    club = player.public_club
    return PlayerOut(
        number=player.number,
        name=player.public_name,
        club=club and club_ref(club),
        region=club and region_ref(club),
        category=category and category.code,
        licence=profile.licence_of(player, state.as_of).state.value,
        as_of=state.as_of,
        url=absolute(request, player.get_absolute_url()),
    )


@router.get(
    "/players/{number}/standing",
    response={200: PlayerStandingOut, **OTHERS},
    url_name="player_standing",
    operation_id="show_player_standing",
    summary=gettext_noop("A player's points and place"),
    description=gettext_noop(
        "Show the points of the last twelve months, and the place in the category, as on the player's page."
    ),
)
@decorate_view(conditional)
def standing(request: StandingsRequest, number: FederationNumber):
    """Show the points of the last twelve months, and the place in the category, as on the player's page."""
    state = request.standings
    player = _player(number, state)
    position, week = profile.standing_of(player, history_of(player), profile.totals_of(player), state)
    return PlayerStandingOut(
        number=player.number,
        as_of=state.as_of,
        category=position.category and position.category.code,
        points=points(position.points),
        points_in_person=points(position.in_person),
        points_online=points(position.online),
        tournaments=position.tournaments,
        licensed=position.licensed,
        rank=position.rank,
        of=position.of,
        week=WeekOut(points=points(week.points), places=week.places),
    )


@router.get(
    "/players/{number}/awards",
    response={200: AwardsOut, **OTHERS},
    url_name="player_awards",
    operation_id="list_player_awards",
    summary=gettext_noop("A player's points, entry by entry"),
    description=gettext_noop(
        "List the entries of the ledger, the latest tournament first, with what no longer counts and why."
    ),
)
@decorate_view(conditional)
def list_awards(
    request: StandingsRequest,
    response: HttpResponse,
    number: FederationNumber,
    family: Annotated[str, Query(description=gettext_noop("points system"), example="aeb")] = FAMILY,
    cursor: Cursor = "",
):
    """List the entries of the ledger, the latest tournament first, with what no longer counts and why."""
    family = family.lower()
    if family not in systems.ALL:
        raise invalid("family", one_of(systems.ALL))
    player = _player(number, request.standings)
    paging = Paging(request, response, cursor, player.pk, family)
    entries = awards.entries_of(player, family).values(*awards.FIELDS)
    rows, following = paging.page_of(entries, ("-played_on", "-pk"))
    records = awards.award_records(rows, player.number)
    items = [_award(request, row, record) for row, record in zip(rows, records, strict=True)]
    return AwardsOut(number=player.number, family=family, items=items, next=following)


def _player(number: str, state: StandingsVersion) -> Any:
    """Return the player with a number, from the query `profile.players`. Raises Problem.

    For a number that was merged it is the surviving player.
    """
    row = Player.objects.filter(number=number.lstrip("0")).values_list("pk", "merged_into").first()
    if row is None:
        raise Problem("not_found")
    pk, merged_into = row
    return profile.players(state).select_related("club__region").get(pk=merged_into or pk)


def _award(request: HttpRequest, row: dict[str, Any], record: dict[str, Any]) -> AwardOut:
    reasons = ("annulled", "replaced", "taken_back")
    return AwardOut(
        id=row["pk"],
        kind=record["kind"],
        played_on=record["day"],
        leaves_on=record["leaves"],
        title=record["title"],
        tournament=row["tournament_id"],
        club=record["club"],
        place=record["place"],
        contestants=record["size"],
        points=points(record["points"]),
        online=record["online"],
        cancelled=next((reason for reason in reasons if record[reason]), None),
        url=absolute(request, record["receipt"]),
    )
