"""Find listed players who were, or may be, merged while a campaign is running.

When the campaign is applied, a merged player is skipped. The surviving player is in no list, or is listed
without the merged player's points. Somebody has to decide what to do, so pages show both numbers.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from players.models import Player
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.pure import states
from scoring.promotions.queries.campaigns import Row, category_in_list, rows_of


class ListedPlayer(NamedTuple):
    """A player in a frozen list of a campaign, with the current row. `player.merged_into` is loaded."""

    campaign: PromotionCampaign
    player: Player
    row: Row


def listed_players(campaign: PromotionCampaign, players: Iterable[Player]) -> list[ListedPlayer]:
    """Return those of `players` who are in the campaign's frozen lists, with their current rows."""
    by_id = {player.pk: player for player in players}
    rows = rows_of(campaign, by_id)
    return [ListedPlayer(campaign, player, rows[pk]) for pk, player in by_id.items() if pk in rows]


def merged_since(campaign: PromotionCampaign) -> list[ListedPlayer]:
    """Return the listed players who have been merged since the freeze, ordered by number."""
    merged = Player.objects.exclude(merged_into=None)
    rows = rows_of(campaign, list(merged.values_list("pk", flat=True)))
    players = merged.filter(pk__in=rows).select_related("merged_into").order_by("number") if rows else []
    return [ListedPlayer(campaign, player, rows[player.pk]) for player in players]


def running_lists(players: Sequence[Player]) -> list[ListedPlayer]:
    """Return those of `players` who are in lists that are frozen and not applied yet.

    They are ordered by campaign, and then as in `players`.
    """
    running = PromotionCampaign.objects.filter(state__in=states.LISTED).select_related("snapshot")
    return [listed for campaign in running for listed in listed_players(campaign, players)]


def number_in_list(campaign: PromotionCampaign, player: Player) -> Player | None:
    """Return the player whose number is in the frozen lists: `player`, or else a player merged into it.

    Return None if no list contains such a number.
    """
    if category_in_list(campaign, player.pk):
        return player
    merged = player.merged.order_by("number")
    return next((number for number in merged if category_in_list(campaign, number.pk)), None)
