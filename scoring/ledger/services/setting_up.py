"""Detect a federation that is still being set up, before its first tournament."""

from django.conf import settings

from players.models import Proposal
from scoring.ledger.services import approval
from tournaments.models import Tournament


def being_set_up() -> bool:
    """Return whether the federation is being set up. Players' first categories then need no second person.

    The same applies to their first points. This ends permanently when the first tournament is confirmed: even
    if that tournament is returned and deleted, its proposal remains, because proposals are never deleted.
    """
    return settings.FEDERATION_SETUP and not (
        Tournament.objects.exists() or Proposal.objects.filter(kind=approval.KIND).exists()
    )
