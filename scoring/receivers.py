"""What scoring does when other rooms change something it shows."""

from scoring.services import standings


def refresh_standings(sender, player_ids: set[int], **kwargs) -> None:
    """A changed category, licence or name: the standings follow in the same transaction."""
    standings.refresh(player_ids)
