"""Detect a federation that is still being set up, before its first tournament."""

from django.conf import settings

from tournaments.models import Tournament


def being_set_up() -> bool:
    """Return whether first categories and points need no second person."""
    return settings.FEDERATION_SETUP and not Tournament.objects.exists()
