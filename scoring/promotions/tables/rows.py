"""Records of a campaign's lists for tables and downloads. Names are looked up page by page."""

from collections.abc import Sequence

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from players.models import Category, Player
from scoring.ledger.queries.people import current_fields, display_name, people, url_builder
from scoring.promotions.list_wording import decided_words, move_words, public_words, state_words
from scoring.promotions.models import CampaignChange, CampaignDecision, PromotionCampaign
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.queries.campaigns import Row, decisions_in_force
from scoring.promotions.queries.pages import overview
from scoring.promotions.queries.plans import Reversal
from scoring.promotions.tables.campaigns import DecidedTable, ListsTable
from ui.paging import Pages, paged


class ListRows:
    """Records of list rows for paging, for `ReviewTable` or, if `public`, for `OfficialTable`.

    desk: show the names of hidden players, as on the review page but not in its downloads
    campaign_id: add links to the players' dossiers in this campaign, as on the review page
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
        self.all_rows, self.document = rows, document
        self.campaign_id, self.public, self.desk = campaign_id, public, desk

    def count(self) -> int:
        """Return the number of rows."""
        return len(self.all_rows)

    def rows(self, start: int, stop: int) -> list[dict]:
        """Return the records from `start` up to `stop`. Makes one query."""
        some = self.all_rows[start:stop]
        persons = self._people([row.place.entrant.player_id for row in some])
        return [self._record(row, persons[row.place.entrant.player_id]) for row in some]

    def _people(self, ids: list[int]) -> dict[int, dict]:
        url_of = url_builder()
        players = Player.objects.filter(pk__in=ids)
        # A merged player has the name of the surviving player, and the number from the list.
        rows = players.values_list("pk", "number", *current_fields(), "club__name", "club__region__name")
        return {
            pk: {
                "name": display_name(*current, desk=self.desk),
                "url": url_of(*current),
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
    """Return the source of a `ChangeTable` of the changes that the planned reversal would not undo."""
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
