"""The lists of a campaign as tables and files show them; names are looked up when they are shown."""

from collections.abc import Sequence

from django.http import HttpRequest
from django.urls import reverse

from players.models import Player
from scoring.ledger.queries.people import addresses, current_fields, people, shown
from scoring.promotions.models import CampaignDecision, PromotionCampaign
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.queries.campaigns import Row, decisions_in_force
from scoring.promotions.queries.pages import overview
from scoring.promotions.tables.campaigns import DecidedTable, ListsTable
from scoring.promotions.views.words import decided_words, goes_words, public_words, state_words
from ui.paging import Pages, paged


class ListRows:
    """A list of `Row`s, a page at a time: records for `ReviewTable`, or, `public`, for `OfficialTable`.

    desk: for the page of the review, whose readers see the names of hidden players; a file of it does not
    campaign_id: for the addresses of the dossiers, which only the review links to
    """

    def __init__(
        self,
        rows: Sequence[Row],
        document: ListDocument,
        *,
        campaign_id: int = 0,
        public: bool = False,
        desk: bool = False,
    ) -> None:
        self.all, self.document = rows, document
        self.campaign_id, self.public, self.desk = campaign_id, public, desk

    def count(self) -> int:
        """How many rows there are."""
        return len(self.all)

    def rows(self, start: int, stop: int) -> list[dict]:
        """Records from `start` to before `stop`; one query."""
        some = self.all[start:stop]
        known = self._people([row.place.entrant.player_id for row in some])
        return [self._record(row, known[row.place.entrant.player_id]) for row in some]

    def _people(self, ids: list[int]) -> dict[int, dict]:
        at = addresses()
        found = Player.objects.filter(pk__in=ids)
        # Who was merged since is named as the player kept; the number is that of the list.
        rows = found.values_list("pk", "number", *current_fields(), "club__name", "club__region__name")
        return {
            pk: {
                "name": shown(*current, desk=self.desk),
                "url": at(*current),
                "number": number,
                "club": club,
                "region": region,
            }
            for pk, number, *current, club, region in rows
        }

    def _record(self, row: Row, person: dict) -> dict:
        place, entrant = row.place, row.place.entrant
        record = {
            **person,
            "player_id": entrant.player_id,
            "rank": place.rank,
            "shared": place.shared,
            "in_person": entrant.in_person,
            "online": entrant.online,
            "points": entrant.points,
            "tournaments": entrant.tournaments,
            "boards": entrant.boards,
            "average": entrant.average,
            "margin": place.margin,
            "moves": row.final,
            "target": row.target if row.final else None,
            "words": self._words(row),
        }
        if self.campaign_id:
            record["dossier"] = reverse("campaign_player", args=[self.campaign_id, person["number"]])
        return record

    def _words(self, row: Row) -> str:
        if self.public:
            return public_words(row)
        if row.decision is None:
            return state_words(row.place, self.document)
        return decided_words(row.target, row.decision.reason)


def lists_html(request: HttpRequest, campaign: PromotionCampaign) -> str:
    """The frozen lists, one line a category, each leading to its review."""
    rows = [
        {
            "code": each.category,
            "url": reverse("campaign_review", args=[campaign.pk, each.category.lower()]),
            "target": each.target,
            "players": each.players,
            "moves": each.moves,
            "cut": each.cut,
            "decided": each.decided,
        }
        for each in overview(campaign)
    ]
    return ListsTable(rows).as_html(request)


def decided_html(request: HttpRequest, campaign: PromotionCampaign) -> str:
    """Every player that was decided on by hand, with the reason; "" where nobody was."""
    found = sorted(decisions_in_force(campaign).values(), key=lambda each: -each.pk)
    table = paged(DecidedTable, request, Pages(found, _decided_records))
    return table.as_html(request) if found else ""


def _decided_records(decisions: list[CampaignDecision]) -> list[dict]:
    known = people((each.player_id for each in decisions), desk=True)
    # The dossier goes by the number of the list, also where it was merged into another since.
    numbers = dict(Player.objects.filter(pk__in=known).values_list("pk", "number"))
    return [
        {
            "name": known[each.player_id]["name"],
            "url": reverse("campaign_player", args=[each.campaign_id, numbers[each.player_id]]),
            "target": goes_words(each.target and each.target.code),
            "by": each.by.get_username(),
            "reason": each.reason,
        }
        for each in decisions
    ]
