"""The federation's settings, as the declarations of regulations need them."""

from datetime import date

from django.conf import settings

from scoring import regulations
from scoring.regulations.context import Context
from scoring.regulations.declaration import Regulation


def context_of(regulation: Regulation, day: date) -> Context:
    """Return what the page and the calculation of a regulation depend on."""
    family = regulations.of_family(regulation.family)
    return Context(day, settings.PLACE_RULE, settings.BRONZE_DECIMALS, family)
