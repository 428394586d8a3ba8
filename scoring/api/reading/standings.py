"""The standings of a category, or of a points system without categories."""

from datetime import date
from typing import Annotated, Any, Literal

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from ninja import Path, Query, Router
from ninja.decorators import decorate_view
from pydantic import BeforeValidator

from players.models import Category, Club, Region
from scoring.api.limits import PAGE_ROWS
from scoring.api.numbers import points
from scoring.api.problems import Problem
from scoring.api.reading.common import OTHERS, invalid
from scoring.api.reading.paging import Cursor, Paging
from scoring.api.reading.schemas import RankedOut, StandingsOut
from scoring.ledger import systems
from scoring.ledger.conditional import StandingsRequest, conditional
from scoring.ledger.queries.scope import Scope
from scoring.ledger.queries.standings import StandingList, list_of
from scoring.pages.queries.categories import category_then
from ui.addresses import parse_day
from ui.clock import today

VENUES = {"in_person": "points_in_person", "online": "points_online"}
Day = Annotated[
    str,
    Query(
        description=gettext_noop("last day of the twelve months, today at the latest; if left out, today"),
        example="2026-06-30",
    ),
]
Code = Annotated[str, Query(max_length=10, description=gettext_noop("code; if left out, all"))]

router = Router(tags=["standings"])


@router.get(
    "/standings/{category}",
    response={200: StandingsOut, **OTHERS},
    url_name="standing",
    operation_id="show_standings",
    summary=gettext_noop("The standings of a category"),
    description=gettext_noop(
        "List the players with points, highest first. Capitals in the category do not matter.\n\n"
        "The standings of a past day have what is known today, with later corrections. A category "
        "that was replaced since, or did not exist under this name, is that of the day."
    ),
)
@decorate_view(conditional)
def show(
    request: StandingsRequest,
    response: HttpResponse,
    category: Annotated[
        str,
        Path(max_length=12, description=gettext_noop("category, or points system without any"), example="2P"),
    ],
    as_of: Day = "",
    venue: Annotated[
        Annotated[Literal["in_person", "online"], BeforeValidator(str.lower)] | None,
        Query(description=gettext_noop("points won there alone; if left out, both")),
    ] = None,
    region: Code = "",
    club: Code = "",
    cursor: Cursor = "",
):
    """List the players with points, highest first."""
    day = _day(as_of, request.standings.as_of)
    scope = Scope(
        **_category(category, day),
        day=day,
        column=VENUES.get(venue or "", "points"),
        licensed_only=settings.STANDINGS_LICENSED_ONLY,
        region_id=_id("region", region, Region.objects.all()),
        club_id=_id("club", club, Club.objects.filter(active=True)),
    )
    listing = list_of(scope, request.standings)
    code = scope.category.code if scope.category else scope.family
    chosen = (code, as_of and day.isoformat(), venue, scope.region_id, scope.club_id)
    items, following = _page(Paging(request, response, cursor, *chosen), listing)
    return StandingsOut(
        category=scope.category and scope.category.code,
        family=scope.family,
        as_of=day,
        venue=venue,
        players=listing.players(),
        items=items,
        next=following,
    )


def _day(text: str, as_of: date) -> date:
    """Return the day that the request asks for. The standings reach up to `as_of`. Raises Problem."""
    if not text:
        return as_of
    day = parse_day(text)
    if day is None:
        raise invalid("as_of", _("Write the day as year-month-day."))
    if day > today():
        raise invalid("as_of", _("The day has not come yet."))
    return min(day, as_of)


def _category(code: str, day: date) -> dict[str, Any]:
    """Return the category and the family of a scope, from the code of either. Raises Problem."""
    for system in systems.others():
        if system.family == code.lower():
            return {"category": None, "family": system.family}
    ladder = list(Category.objects.all())
    category = next((item for item in ladder if item.code.lower() == code.lower()), None)
    if category is None:
        raise Problem("not_found")
    held = category_then(category, day, ladder)
    if held is None:
        text = _("%(category)s exists since %(day)s.")
        raise invalid("as_of", text % {"category": category.code, "day": category.valid_from.isoformat()})
    return {"category": held}


def _id(name: str, code: str, rows: Any) -> int | None:
    """Return the id of the region or club with a code, None without a code. Raises Problem."""
    if not code:
        return None
    pk = rows.filter(code__iexact=code.replace("\x00", "")).values_list("pk", flat=True).first()
    if pk is None:
        raise invalid(name, _("There is none with this code."))
    return pk


def _page(paging: Paging, listing: StandingList) -> tuple[list[RankedOut], str | None]:
    """Return the rows of the requested document, and the address of the next one."""
    position, column = paging.position(), listing.scope.column
    start = listing.index_after(*position) if position else 0
    records = listing.rows(start, start + PAGE_ROWS + 1)
    shown = records[:PAGE_ROWS]
    last = [shown[-1][column], shown[-1]["player_id"]] if len(records) > PAGE_ROWS else None
    return [_row(record) for record in shown], paging.link_next(last)


def _row(record: dict[str, Any]) -> RankedOut:
    return RankedOut(
        rank=record["rank"],
        shared=record["shared"],
        number=record["number"],
        name=record["name"],
        club=record["club"],
        points=points(record["points"]),
        points_in_person=points(record["points_in_person"]),
        points_online=points(record["points_online"]),
        tournaments=record["tournaments"],
    )
