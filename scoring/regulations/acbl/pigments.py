"""The colour of masterpoints, which decides which of the ACBL's requirements they count towards.

The colour is derived when a page shows it and never stored, because no award depends on it.
"""

import re

IN_PERSON = "in_person"
CLUB, NATIONAL = "club", "national"
# Overall awards of a regional are gold. Its other awards are red; this package does not compute them.
OVERALL = {"sectional": "silver", "regional": "gold"}
# A national event with a masterpoint limit of at least this much gives gold points.
NATIONAL_GOLD_FROM = 750
NONE, NOT_STATED = "none", ""
# Colours, the hardest to win first, as pages list them.
PIGMENTS = ("platinum", "gold", "silver", "black", NONE, NOT_STATED)
_NUMBER = re.compile(r"[0-9]+")


def pigment(kind: str, venue: str, rating: str = "", limit: str = "") -> str:
    """Return the colour of an event's awards, one of PIGMENTS (handbook, section three).

    Everything played online is unpigmented (``none``). The colour is the empty string where the sources do
    not give it: for unit championships, and for national events whose limit is below 750 points or has no
    number.

    kind: ``club`` or ``overall``
    limit: the masterpoint limit as the event names it ("750", "0-1500"); empty if there is none
    """
    if venue != IN_PERSON:
        return NONE
    if kind == CLUB:
        return "black"
    if rating != NATIONAL:
        return OVERALL.get(rating, NOT_STATED)
    if not limit:
        return "platinum"
    numbers = [int(digits) for digits in _NUMBER.findall(limit)]
    return "gold" if numbers and max(numbers) >= NATIONAL_GOLD_FROM else NOT_STATED
