"""Compute how a correction would change points, player by player."""

from dataclasses import dataclass

from players.models import Player
from scoring.ledger.evaluation import Evaluation
from scoring.ledger.queries.awards import effective_awards
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class PointsChange:
    """A player's points of a tournament before and after a correction, in hundredths. None: no award."""

    player_id: int
    old: int | None
    new: int | None


def points_changes(tournament: Tournament, evaluation: Evaluation) -> list[PointsChange]:
    """Return the changes of the players whose points would differ, in order of player id."""
    old = dict(effective_awards(tournament).values_list("player_id", "points"))
    points_by_player = evaluation.points_by_player
    survivors = Player.objects.filter(pk__in=points_by_player).kept()
    # Posting transfers the award of a merged player to the surviving player.
    new = {survivors.get(player, player): points for player, points in points_by_player.items()}
    return [
        PointsChange(player, old.get(player), new.get(player))
        for player in sorted(old.keys() | new.keys())
        if old.get(player) != new.get(player)
    ]
