"""Remember which corrections a player has seen."""

from datetime import datetime

from django.utils import timezone

from players.models import Player
from scoring.ledger.models import SeenCorrections


def see_corrections(player: Player, until: datetime) -> None:
    """Store that a player has seen the corrections up to this time, which never moves back.

    A time in the future counts as now.
    """
    row, _created = SeenCorrections.objects.get_or_create(player=player, defaults={"until": until})
    row.until = min(max(row.until, until), timezone.now())
    row.save(update_fields=["until"])
