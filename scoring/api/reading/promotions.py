"""The published lists of the category change at the end of a year."""

from typing import Annotated, Any

from django.http import HttpResponse
from django.utils.translation import gettext_noop
from ninja import Path, Router
from ninja.decorators import decorate_view

from players.models import Category
from scoring.api.limits import PAGE_ROWS
from scoring.api.numbers import points, points_or_none
from scoring.api.problems import Problem
from scoring.api.reading.common import OTHERS
from scoring.api.reading.paging import Cursor, Paging
from scoring.api.reading.schemas import PromotedOut, PromotionOut
from scoring.ledger.conditional import StandingsRequest, conditional
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.own import holds_from, published
from scoring.promotions.tables.rows import list_rows
from scoring.promotions.wording import public_words

router = Router(tags=["promotions"])


@router.get(
    "/promotions/{year}/{category}",
    response={200: PromotionOut, **OTHERS},
    url_name="promotion",
    operation_id="show_promotion",
    summary=gettext_noop("A published list of the category change"),
    description=gettext_noop(
        "Show who moves, once the federation has published the lists of the year. Before, the "
        "answer is 404, also that of the example.\n\n"
        "Players without a place are left out, unless they move by a decision. Why somebody with "
        "enough points stays is not public."
    ),
)
@decorate_view(conditional)
def show(
    request: StandingsRequest,
    response: HttpResponse,
    year: Annotated[
        int, Path(ge=2000, le=9999, description=gettext_noop("year whose points count"), example=2025)
    ],
    category: Annotated[
        str, Path(max_length=12, description=gettext_noop("category of the list"), example="2P")
    ],
    cursor: Cursor = "",
):
    """Show who moves, once the federation has published the lists of the year."""
    campaign, ladder_category = _published(year, category)
    document = queries.document_of(campaign, ladder_category.code)
    rows = queries.public_rows(queries.approved_list(campaign, ladder_category), document)
    # Frozen lists keep their order, so the number of rows before is a position.
    paging = Paging(request, response, cursor, year, ladder_category.code)
    position = paging.position()
    start = position[0] if position else 0
    stop = start + PAGE_ROWS
    records = list_rows(rows, public_words).rows(start, stop)
    return PromotionOut(
        year=year,
        category=ladder_category.code,
        target=document.target,
        first_day=campaign.first_day,
        last_day=campaign.last_day,
        holds_from=holds_from(campaign),
        approved_at=campaign.approved_at,
        claims_until=campaign.claims_until,
        rules_confirmed=campaign.snapshot.rules["confirmed"],
        cut=points_or_none(document.selection.cut),
        players=len(rows),
        moving=sum(row.final for row in rows),
        items=[_row(record) for record in records],
        next=paging.link_next([stop] if stop < len(rows) else None),
    )


def _published(year: int, code: str) -> tuple[PromotionCampaign, Category]:
    """Return the year's campaign and the category of one of its lists. Raises Problem."""
    campaign = published(year)
    listed = queries.listed_codes(campaign) if campaign else []
    match = next((item for item in listed if item.lower() == code.lower()), None)
    if campaign is None or match is None:
        raise Problem("not_found")
    return campaign, Category.objects.get(code=match)


def _row(record: dict[str, Any]) -> PromotedOut:
    return PromotedOut(
        rank=record["rank"],
        number=record["number"],
        name=record["name"],
        club=record["club"],
        points=points(record["points"]),
        margin=points_or_none(record["margin"]),
        moves_to=record["target"],
        note=record["words"],
    )
