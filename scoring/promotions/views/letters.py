"""The letters of a campaign, to print and post: a category at a time, all of it or a region's or club's."""

from collections import Counter
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.models import Player
from scoring.ledger.conditional import standings_state
from scoring.ledger.queries import places
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.campaigns import Decisions, Row
from scoring.promotions.queries.plans import CHUNK
from scoring.promotions.views.access import campaign_crumbs, campaign_of, for_campaigns
from scoring.promotions.views.outcome import unchanged_players
from scoring.promotions.views.public import PUBLIC, answered_reason, claims_open, holds_from
from ui.addresses import one_of
from ui.choices import MOST_CHOICES, option_tags
from ui.chunks import chunks
from ui.paging import PAGE

LETTERS = 100  # of a page: a stack that a printer takes at once
NO_CLUB = "-"  # in place of a region's slug, which is never so

Choices = tuple[tuple[int, str, str], ...]  # id, slug, name


@dataclass(frozen=True, slots=True)
class Recipients:
    """Whose letters are asked for: a region's or a club's (slugs), those of no club, or, "", everybody's."""

    region: str
    club: str
    regions: Choices
    clubs: Choices

    @property
    def players(self) -> QuerySet[Player]:
        """Those of them to whom letters are written: nobody who has died."""
        found = Player.objects.filter(deceased_on=None)
        if self.club:
            return found.filter(club_id=_id_of(self.club, self.clubs))
        if self.region == NO_CLUB:
            return found.filter(club=None)
        return found.filter(club__region_id=_id_of(self.region, self.regions)) if self.region else found

    @property
    def region_options(self) -> SafeString:
        """The choice of a region."""
        known = (*self.regions, (0, NO_CLUB, _("players without a club")))
        return option_tags(known, self.region, _("any region"))

    @property
    def club_options(self) -> SafeString | str:
        """The choice of a club; too long a list is offered once a region is chosen."""
        offered = self.club or 0 < len(self.clubs) <= MOST_CHOICES
        return option_tags(self.clubs, self.club, _("any club")) if offered else ""


def _id_of(slug: str, known: Choices) -> int:
    """The id of a region or club; 404 where there is none: letters of everybody would be the wrong ones."""
    for pk, each, _name in known:
        if each == slug:
            return pk
    raise Http404(_("There is no such region or club."))


def _posted(request: HttpRequest) -> Recipients:
    """What the address asks for. A club stays only with its own region, which may be chosen after it."""
    region, club = request.GET.get("region", ""), request.GET.get("club", "")
    version = standings_state().version
    regions, clubs = places.regions(version), places.clubs(version)
    if club:
        _id_of(club, clubs)
    if region == NO_CLUB:
        clubs = ()
    elif region:
        clubs = places.clubs(version, _id_of(region, regions))
    return Recipients(region, one_of(club, {slug for _pk, slug, _name in clubs}), regions, clubs)


@for_campaigns
@require_safe
def letters(request: HttpRequest, pk: int) -> HttpResponse:
    """One letter for each player who moves, so many a page, each on a sheet of its own."""
    campaign = campaign_of(pk)
    public = campaign.state in PUBLIC
    posted = _posted(request)
    waiting = queries.waiting_decisions(campaign) if public else {}
    moving = _promised(campaign, waiting) if public else []
    addressed = _addressed(moving, posted)
    counts = Counter(row.category for row in addressed)
    codes = queries.listed_codes(campaign)
    code = one_of(request.GET.get("categoria", "").upper(), codes)
    of_category = [row for row in addressed if row.category == code]
    page = Paginator(of_category, LETTERS).get_page(request.GET.get(PAGE))
    context = {
        "campaign": campaign,
        "public": public,
        "posted": posted,
        "moving": len(moving),
        "waiting": len(waiting),
        "counts": [(each, counts[each]) for each in codes if each in counts],
        "code": code,
        "page": page,
        "page_field": PAGE,
        "letters": _letters(page.object_list),
        "from_day": holds_from(campaign),
        "claims_open": public and claims_open(campaign),
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (_("Letters"), None)
        ),
    }
    return render(request, "promotions/campaign/letters.html", context)


def _promised(campaign: PromotionCampaign, waiting: Decisions) -> list[Row]:
    """Who moves by the approved list and is changed by applying, lowest category first.

    Not whose decision waits for approval: a letter says that the committee has approved it.
    """
    left = {*unchanged_players(campaign), *waiting}
    return [row for row in queries.movers(campaign) if row.place.entrant.player_id not in left]


def _addressed(rows: list[Row], posted: Recipients) -> list[Row]:
    """Those of the rows whose players get a letter and are asked for, in their order."""
    ids = [row.place.entrant.player_id for row in rows]
    some = [posted.players.filter(pk__in=chunk).values_list("pk", flat=True) for chunk in chunks(ids, CHUNK)]
    found = {pk for each in some for pk in each}
    return [row for row in rows if row.place.entrant.player_id in found]


def _letters(rows: list[Row]) -> list[dict]:
    """The rows with their players; a letter is private, so it bears the name of a hidden player too."""
    ids = [row.place.entrant.player_id for row in rows]
    found = Player.objects.filter(pk__in=ids).select_related("club").in_bulk()
    return [
        {"row": row, "player": found[row.place.entrant.player_id], "answer": answered_reason(row)}
        for row in rows
    ]
