"""Build the context of a regulation's declaration from the federation's settings."""

from datetime import date

from django.conf import settings

from scoring import regulations
from scoring.regulations.context import Context
from scoring.regulations.declaration import Regulation


def context_of(regulation: Regulation, day: date) -> Context:
    """Return what the declaration depends on: the day, some settings, and the regulations of its family."""
    return Context(
        day, settings.PLACE_RULE, settings.BRONZE_DECIMALS, regulations.of_family(regulation.family)
    )
