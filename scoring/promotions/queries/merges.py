"""Numbers of the frozen lists that were, or may be, merged into others while a campaign runs.

Applying leaves a merged number as it is, and the number kept has no line, or one without what it was given:
people have to decide on it, so pages name both.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from players.models import Player
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.queries.campaigns import Row, category_in_list, rows_of

State = PromotionCampaign.State
RUNNING = (State.FROZEN, State.APPROVED, State.PUBLISHED)  # there are lists, and they are not applied yet


class Listed(NamedTuple):
    """A player's number in the lists of a campaign; `player.merged_into` is loaded."""

    campaign: PromotionCampaign
    player: Player
    row: Row


def listed_of(campaign: PromotionCampaign, players: Iterable[Player]) -> list[Listed]:
    """Those of the players who are in the frozen lists, each with the line in force."""
    known = {player.pk: player for player in players}
    rows = rows_of(campaign, known)
    return [Listed(campaign, player, rows[pk]) for pk, player in known.items() if pk in rows]


def merged_since(campaign: PromotionCampaign) -> list[Listed]:
    """Numbers of the lists that were merged into others since they were frozen, by number."""
    merged = Player.objects.exclude(merged_into=None)
    rows = rows_of(campaign, list(merged.values_list("pk", flat=True)))
    found = merged.filter(pk__in=rows).select_related("merged_into").order_by("number") if rows else []
    return [Listed(campaign, player, rows[player.pk]) for player in found]


def running_lists(players: Sequence[Player]) -> list[Listed]:
    """Where these players are in the lists of campaigns that run, by campaign and in their order."""
    running = PromotionCampaign.objects.filter(state__in=RUNNING).select_related("snapshot")
    return [each for campaign in running for each in listed_of(campaign, players)]


def number_in_list(campaign: PromotionCampaign, player: Player) -> Player | None:
    """The number under which a player is in the lists: their own, or one merged into it; None: under none."""
    if category_in_list(campaign, player.pk):
        return player
    merged = player.merged.order_by("number")
    return next((each for each in merged if category_in_list(campaign, each.pk)), None)
