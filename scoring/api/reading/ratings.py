"""The Go rating list."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop
from ninja import Router

from scoring.api.numbers import number
from scoring.api.problems import Problem
from scoring.api.reading.common import OTHERS, absolute
from scoring.api.reading.paging import Cursor, Paging
from scoring.api.reading.schemas import RatedOut, RatingsOut
from scoring.ledger import systems
from scoring.ratings import queries

router = Router(tags=["ratings"])


@router.get(
    "/ratings",
    response={200: RatingsOut, **OTHERS},
    url_name="ratings",
    operation_id="list_ratings",
    summary=gettext_noop("The Go rating list"),
    description=gettext_noop(
        "List the rated Go players, the highest first, where the installation rates games of Go."
    ),
)
def list_ratings(request: HttpRequest, response: HttpResponse, cursor: Cursor = ""):
    """List the rated Go players, the highest first, where the installation rates games of Go."""
    if not systems.offers_go():
        raise Problem("not_found")
    players, following = Paging(request, response, cursor).page_of(queries.rating_list(), ("-rating", "pk"))
    records = queries.player_records(players)
    items = [_rated(request, player.pk, record) for player, record in zip(players, records, strict=True)]
    return RatingsOut(items=items, next=following)


def _rated(request: HttpRequest, pk: int, record: dict[str, Any]) -> RatedOut:
    return RatedOut(
        id=pk,
        name=record["name"],
        country=record["country"],
        grade=record["grade"],
        rating=number(record["rating"]),
        tournaments=record["events"],
        last_played=record["day"],
        url=absolute(request, record["url"]),
    )
