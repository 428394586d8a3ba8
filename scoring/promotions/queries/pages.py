"""What the pages of a campaign need besides its lists: figures of each list, sessions of a player."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scoring.promotions.models import PromotionCampaign, SnapshotList
from scoring.promotions.pure import documents
from scoring.promotions.queries import campaigns
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Overview:
    """One category of a campaign: how many are in its list, move, and were decided by hand."""

    category: str
    target: str | None
    players: int
    moves: int
    cut: int | None
    decided: int


def overview(campaign: PromotionCampaign) -> list[Overview]:
    """The categories of the frozen lists, highest first, as they stand with what was decided."""
    moves = Counter(row.category for row in campaigns.movers(campaign))
    decided = set(campaigns.decisions_in_force(campaign))
    by_hand = campaigns.listed_among(campaign, decided)
    found = []
    for code, document in reversed(campaigns.documents_of(campaign.snapshot).items()):
        places = document.selection.places
        cut = document.selection.cut
        found.append(Overview(code, document.target, len(places), moves[code], cut, by_hand[code]))
    return found


@lru_cache(maxsize=2)  # 13 MB each for 150,000 players
def _sessions(digest: str, pk: int) -> str:
    # The digest is in the key because it says what the list holds, whatever database it is in.
    return SnapshotList.objects.values_list("sessions", flat=True).get(pk=pk)


def sessions_of(campaign: PromotionCampaign, code: str, player_id: int) -> list[dict[str, Any]]:
    """The sessions behind a player's modified average, latest first: the line's fields, `name` and `url`."""
    lists = SnapshotList.objects.filter(snapshot=campaign.snapshot_id)
    pk = lists.values_list("pk", flat=True).get(category__code=code)
    lines = documents.sessions_of(_sessions(campaign.snapshot.digest, pk), player_id)
    known = Tournament.objects.in_bulk([line.tournament_id for line in lines])
    return [
        {
            **line._asdict(),
            "name": known[line.tournament_id].name,
            "url": known[line.tournament_id].get_absolute_url(),
        }
        for line in sorted(lines, key=lambda line: (line.day, line.tournament_id), reverse=True)
    ]
