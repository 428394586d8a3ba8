"""The federation's date."""

from datetime import date

from django.utils import timezone


def today() -> date:
    """The federation's date, by its own clock."""
    return timezone.localdate()
