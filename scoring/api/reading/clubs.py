"""The active clubs."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop
from ninja import Router

from players.models import Club
from scoring.api.reading.common import OTHERS, absolute, region_ref
from scoring.api.reading.paging import Cursor, Paging
from scoring.api.reading.schemas import ClubOut, ClubsOut

router = Router(tags=["clubs"])


@router.get(
    "/clubs",
    response={200: ClubsOut, **OTHERS},
    url_name="clubs",
    operation_id="list_clubs",
    summary=gettext_noop("The clubs"),
    description=gettext_noop("List the active clubs by code, each with its region."),
)
def list_clubs(request: HttpRequest, response: HttpResponse, cursor: Cursor = ""):
    """List the active clubs by code, each with its region."""
    clubs = Club.objects.filter(active=True).select_related("region").order_by("code")
    rows, following = Paging(request, response, cursor).page_of(clubs, ("code",))
    return ClubsOut(items=[_club(request, club) for club in rows], next=following)


def _club(request: HttpRequest, club: Club) -> ClubOut:
    return ClubOut(
        code=club.code,
        name=club.name,
        city=club.city,
        region=region_ref(club),
        url=absolute(request, club.get_absolute_url()),
    )
