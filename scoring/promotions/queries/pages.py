"""Data for the pages of a campaign: a summary of each list, and the sessions of a player."""

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
    """A summary of one category's list: the numbers of players, of those who move, and of decisions.

    `cut` is the fewest hundredths of a point that suffice for a place.
    """

    category: str
    target: str | None
    players: int
    moves: int
    cut: int | None
    decided: int


def overview(campaign: PromotionCampaign) -> list[Overview]:
    """Return a summary of each list with the decisions in force, highest category first."""
    moves = Counter(row.category for row in campaigns.movers(campaign))
    decided = set(campaigns.decisions_in_force(campaign))
    by_hand = campaigns.listed_among(campaign, decided)
    summaries = []
    for code, document in reversed(campaigns.documents_of(campaign.snapshot).items()):
        places = document.selection.places
        cut = document.selection.cut
        summaries.append(Overview(code, document.target, len(places), moves[code], cut, by_hand[code]))
    return summaries


@lru_cache(maxsize=2)  # 13 MB each for 150,000 players
def _sessions(digest: str, pk: int) -> str:
    # The key includes the digest of the contents, in case keys repeat in another database.
    return SnapshotList.objects.values_list("sessions", flat=True).get(pk=pk)


def sessions_of(campaign: PromotionCampaign, code: str, player_id: int) -> list[dict[str, Any]]:
    """Return the sessions behind a player's modified average, latest first.

    Each is a dict of the fields of `SessionLine`, with the tournament's `name` and `url`.
    """
    lists = SnapshotList.objects.filter(snapshot=campaign.snapshot_id)
    pk = lists.values_list("pk", flat=True).get(category__code=code)
    lines = documents.sessions_of(_sessions(campaign.snapshot.digest, pk), player_id)
    tournaments = Tournament.objects.in_bulk([line.tournament_id for line in lines])
    return [
        {
            **line._asdict(),
            "name": tournaments[line.tournament_id].name,
            "url": tournaments[line.tournament_id].get_absolute_url(),
        }
        for line in sorted(lines, key=lambda line: (line.day, line.tournament_id), reverse=True)
    ]
