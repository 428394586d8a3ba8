"""Today's date."""

from datetime import date

from django.utils import timezone


def today() -> date:
    """Return today's date in the federation's time zone."""
    return timezone.localdate()
