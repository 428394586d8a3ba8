"""Whether the federation is still being set up: before its first tournament there is nothing to move."""

from django.conf import settings

from tournaments.models import Tournament


def being_set_up() -> bool:
    """Whether players without categories or points get their first ones from one person alone."""
    return settings.FEDERATION_SETUP and not Tournament.objects.exists()
