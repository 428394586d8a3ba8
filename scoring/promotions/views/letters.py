"""The letters of a campaign to players, to be printed and sent by mail.

One page has the letters to players of one category: to all of them, or to those of a region or a club.
"""

from collections import Counter
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.models import Player
from scoring.ledger.conditional import standings_state
from scoring.ledger.queries import places
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.pure import states
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.campaigns import Decisions, Row
from scoring.promotions.queries.own import answered_reason, claims_open, holds_from
from scoring.promotions.queries.plans import CHUNK
from scoring.promotions.views.access import campaign_crumbs, campaign_of, campaign_role_required
from scoring.promotions.views.outcome import unchanged_players
from ui.addresses import one_of
from ui.choices import MOST_CHOICES, Asked, Choice, Choices, id_of, option_tags
from ui.chunks import chunks
from ui.parameters import PAGE

LETTERS = 100  # letters per page: a stack that a printer can hold
NO_CLUB = "-"  # used instead of a region's slug; no slug looks like this


@dataclass(frozen=True, slots=True)
class Recipients:
    """The chosen recipients of letters, and the regions and clubs to choose from.

    region: slug of the chosen region, NO_CLUB for players without a club, "" for any region
    club: slug of the chosen club, "" for any club
    """

    region: str
    club: str
    regions: Choices
    clubs: Choices
    asked: Asked

    @property
    def players(self) -> QuerySet[Player]:
        """The living players of the chosen region or club."""
        players = Player.objects.filter(deceased_on=None)
        if self.club:
            return players.filter(club_id=id_of(self.club, self.clubs))
        if self.region == NO_CLUB:
            return players.filter(club=None)
        return players.filter(club__region_id=id_of(self.region, self.regions)) if self.region else players

    @property
    def region_options(self) -> SafeString:
        """The HTML <option> elements to choose a region."""
        choices = (*self.regions, (0, NO_CLUB, _("players without a club")))
        return option_tags(choices, self.region, _("any region"))

    @property
    def club_choice(self) -> Choice:
        """The field in which one chooses a club."""
        return places.club_choice(self.asked, self.clubs, self.club, _("any club"))


def _recipients(request: HttpRequest) -> Recipients:
    """Read the chosen recipients from the query string. Ignore a club outside the chosen region."""
    asked, region = Asked(request.GET), request.GET.get("region", "")
    version = standings_state().version
    regions, clubs = places.regions(version), places.clubs(version)
    if len(clubs) <= MOST_CHOICES:
        id_of(asked.text("club"), clubs)
    if region == NO_CLUB:
        clubs = ()
    elif region:
        clubs = places.clubs(version, id_of(region, regions))
    return Recipients(region, places.chosen_club(asked, clubs), regions, clubs, asked)


@campaign_role_required
@require_safe
def letters(request: HttpRequest, pk: int) -> HttpResponse:
    """Show letters to print, `LETTERS` on each web page: one letter for each player who moves.

    Each letter is printed on a sheet of its own.
    """
    campaign = campaign_of(pk)
    public = campaign.state in states.PUBLIC
    recipients = _recipients(request)
    waiting = queries.waiting_decisions(campaign) if public else {}
    moving = _certain_movers(campaign, waiting) if public else []
    addressed = _addressed_to(recipients, moving)
    counts = Counter(row.category for row in addressed)
    codes = queries.listed_codes(campaign)
    code = one_of(request.GET.get("categoria", "").upper(), codes)
    of_category = [row for row in addressed if row.category == code]
    page = Paginator(of_category, LETTERS).get_page(request.GET.get(PAGE))
    context = {
        "campaign": campaign,
        "public": public,
        "posted": recipients,
        "moving": len(moving),
        "waiting": len(waiting),
        "counts": [(listed, counts[listed]) for listed in codes if listed in counts],
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


def _certain_movers(campaign: PromotionCampaign, waiting: Decisions) -> list[Row]:
    """Return the rows of the players who certainly move, lowest category first.

    Leave out players whom applying skipped or would skip. Also leave out players with a decision that waits
    for approval, because a letter states that the committee has approved the move.

    waiting: the decisions that wait for approval, by player id
    """
    excluded = {*unchanged_players(campaign), *waiting}
    return [row for row in queries.movers(campaign) if row.place.entrant.player_id not in excluded]


def _addressed_to(recipients: Recipients, rows: list[Row]) -> list[Row]:
    """Return the rows of the chosen recipients, in the same order."""
    ids = [row.place.entrant.player_id for row in rows]
    chosen: set[int] = set()
    for chunk in chunks(ids, CHUNK):
        chosen.update(recipients.players.filter(pk__in=chunk).values_list("pk", flat=True))
    return [row for row in rows if row.place.entrant.player_id in chosen]


def _letters(rows: list[Row]) -> list[dict]:
    """Return the data of each letter: the row, the player, and the office's answer to the player's claim.

    Letters are private, so they show the names of hidden players.
    """
    ids = [row.place.entrant.player_id for row in rows]
    players = Player.objects.filter(pk__in=ids).select_related("club").in_bulk()
    return [
        {"row": row, "player": players[row.place.entrant.player_id], "answer": answered_reason(row)}
        for row in rows
    ]
