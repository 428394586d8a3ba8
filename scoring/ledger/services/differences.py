"""What a correction would change, player by player."""

from dataclasses import dataclass

from players.models import Player
from scoring.ledger.evaluation import Evaluation
from scoring.ledger.queries.awards import effective_awards
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Difference:
    """A player's points of a tournament before and after a correction, in hundredths; None: not in it."""

    player_id: int
    old: int | None
    new: int | None


def differences(tournament: Tournament, evaluation: Evaluation) -> list[Difference]:
    """What a correction would change, player by player; those who keep their points are left out."""
    old = dict(effective_awards(tournament).values_list("player_id", "points"))
    given = evaluation.points_by_player
    kept = Player.objects.filter(pk__in=given).kept()
    # What a ranking gives to a merged number goes on to the one kept.
    new = {kept.get(player, player): points for player, points in given.items()}
    return [
        Difference(player, old.get(player), new.get(player))
        for player in sorted(old.keys() | new.keys())
        if old.get(player) != new.get(player)
    ]
