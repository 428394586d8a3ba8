"""Records of a campaign's lists for tables and downloads.

The records are made page by page, so that only the names of the players on the page are read.
"""

from collections.abc import Callable, Sequence
from functools import partial

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from players.models import Category, Player
from scoring.ledger.queries.people import current_fields, display_name, people, public_club, url_builder
from scoring.promotions.models import CampaignChange, CampaignDecision, PromotionCampaign
from scoring.promotions.queries.campaigns import Row, decisions_in_force, overview
from scoring.promotions.queries.plans import Reversal
from scoring.promotions.tables.campaigns import DecidedTable, ListsTable
from scoring.promotions.wording import move_words
from ui.paging import Pages, paged


def list_rows(
    rows: Sequence[Row], words: Callable[[Row], str], *, campaign_id: int = 0, desk: bool = False
) -> Pages:
    """Return the records of these rows, as the source of a `ReviewTable` or `OfficialTable`.

    words: function that describes a row
    campaign_id: if not 0, add links to the players' dossiers in this campaign, as on the review page
    desk: whether to show the names of hidden players; the review page shows them, its downloads do not
    """
    return Pages(rows, partial(_list_records, words=words, campaign_id=campaign_id, desk=desk))


def _list_records(rows: list[Row], words: Callable[[Row], str], campaign_id: int, desk: bool) -> list[dict]:
    url_of = url_builder()
    players = Player.objects.filter(pk__in=[row.place.entrant.player_id for row in rows])
    # A merged player has the name of the surviving player, and the number from the list.
    persons = {
        pk: {
            "name": display_name(*current, desk=desk),
            "url": url_of(*current),
            "number": number,
            "club": club if desk else public_club(club, current[3]),
            "region": region if desk else public_club(region, current[3]),
            "dossier": reverse("campaign_player", args=[campaign_id, number]) if campaign_id else "",
        }
        for pk, number, *current, club, region in players.values_list(
            "pk", "number", *current_fields(), "club__name", "club__region__name"
        )
    }
    return [
        {
            **persons[row.place.entrant.player_id],
            "player_id": row.place.entrant.player_id,
            "points": row.place.entrant.points,
            "in_person": row.place.entrant.in_person,
            "online": row.place.entrant.online,
            "tournaments": row.place.entrant.tournaments,
            "boards": row.place.entrant.boards,
            "average": row.place.entrant.average,
            "rank": row.place.rank,
            "shared": row.place.shared,
            "margin": row.place.margin,
            "target": row.target,
            "words": words(row),
        }
        for row in rows
    ]


def lists_html(request: HttpRequest, campaign: PromotionCampaign) -> str:
    """Render a table of the campaign's frozen lists, with links to their review pages."""
    rows = [
        {
            "code": summary.category,
            "url": reverse("campaign_review", args=[campaign.pk, summary.category.lower()]),
            "target": summary.target,
            "players": summary.players,
            "moves": summary.moves,
            "cut": summary.cut,
            "decided": summary.decided,
        }
        for summary in overview(campaign)
    ]
    return ListsTable(rows).as_html(request)


def decided_html(request: HttpRequest, campaign: PromotionCampaign) -> str:
    """Render a table of the decisions in force with their reasons, latest first; "" if there are none."""
    decisions = sorted(decisions_in_force(campaign).values(), key=lambda decision: -decision.pk)
    table = paged(DecidedTable, request, Pages(decisions, _decided_records))
    return table.as_html(request) if decisions else ""


def _decided_records(decisions: list[CampaignDecision]) -> list[dict]:
    persons = people((decision.player_id for decision in decisions), desk=True)
    # The dossier's URL has the listed number, even if that number has been merged since.
    numbers = dict(Player.objects.filter(pk__in=persons).values_list("pk", "number"))
    return [
        {
            "name": persons[decision.player_id]["name"],
            "url": reverse("campaign_player", args=[decision.campaign_id, numbers[decision.player_id]]),
            "target": move_words(decision.target and decision.target.code),
            "by": decision.by.get_username(),
            "reason": decision.reason,
        }
        for decision in decisions
    ]


def conflicts(planned: Sequence[Reversal]) -> Pages:
    """Return the category changes that a planned reversal would not undo, for a `ChangeTable`."""
    undone = CampaignChange.Undone.CONFLICT
    return Pages([item.change for item in planned if item.undone == undone], _conflict_records)


def _conflict_records(changes: list[CampaignChange]) -> list[dict]:
    persons = people((change.player_id for change in changes), desk=True)
    codes = dict(Category.objects.values_list("pk", "code"))
    return [
        {
            **persons[change.player_id],
            "category": codes[change.category_id],
            "target": codes[change.target_id],
            "since": change.assignment.valid_from,
            "words": _("changed by hand meanwhile: would be left as it is"),
        }
        for change in changes
    ]
