"""Collect the settings of the federation that a regulation's page and calculator depend on."""

from datetime import date

from django.conf import settings

from scoring import regulations
from scoring.regulations.context import Context
from scoring.regulations.declaration import Regulation


def context_of(regulation: Regulation, day: date) -> Context:
    """Return the context of a regulation's page and calculator, as of `day`.

    It holds the day, the settings `PLACE_RULE` and `BRONZE_DECIMALS`, and all regulations of the same family.
    """
    return Context(
        day, settings.PLACE_RULE, settings.BRONZE_DECIMALS, regulations.of_family(regulation.family)
    )
