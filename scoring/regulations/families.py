"""The families of regulations, in the order in which pages list them."""

from __future__ import annotations

from dataclasses import dataclass

from .labels import gettext_noop


@dataclass(frozen=True, slots=True)
class Family:
    """Regulations of one kind of points or rating.

    heading: the heading of the family in lists; families with the same heading are listed together
    publisher: the federation that publishes the regulations; the calculator groups its choices by it
    dated: whether each regulation replaces the one before, so that a tournament's date determines its
    regulation; in other families the regulation is chosen by code
    """

    code: str
    heading: str
    publisher: str
    dated: bool = False


SWEDISH_POINTS = gettext_noop("Swedish bronze and silver points")
SWEDISH_FEDERATION = gettext_noop("Swedish federation")

FAMILIES = (
    Family("aeb", gettext_noop("Points of the AEB"), "AEB", dated=True),
    Family("sbf", SWEDISH_POINTS, SWEDISH_FEDERATION, dated=True),
    Family("sbf-silver", SWEDISH_POINTS, SWEDISH_FEDERATION),
    Family("acbl", gettext_noop("ACBL masterpoints"), "ACBL"),
    Family("egf", gettext_noop("Go ratings"), gettext_noop("European Go Federation"), dated=True),
    Family("strength", gettext_noop("Strength of the opponents"), gettext_noop("Strength of the opponents")),
)
