"""Detect a federation that is still being set up, before its first tournament."""

from django.conf import settings

from players.models import Proposal
from scoring.ledger.services import approval
from tournaments.models import Tournament


def being_set_up() -> bool:
    """Return whether first categories and points need no second person.

    This ends permanently when the first tournament is confirmed. If that tournament is returned and
    deleted, its proposal remains: the database never deletes proposals.
    """
    return settings.FEDERATION_SETUP and not _ever_confirmed()


def _ever_confirmed() -> bool:
    return Tournament.objects.exists() or Proposal.objects.filter(kind=approval.KIND).exists()
