"""The colour of the points: which of the league's requirements they count towards.

Derived whenever it is asked for and never stored: no award depends on it.
"""

import re

IN_PERSON = "in_person"
CLUB, NATIONAL = "club", "national"
# Overall awards of a regional are gold; red is what a regional gives besides, which nothing here awards.
OVERALL = {"sectional": "silver", "regional": "gold"}
# A national event with a masterpoint limit gives gold if the limit is this or more.
NATIONAL_GOLD_FROM = 750
NONE, NOT_STATED = "none", ""
# The order in which they are listed: the hardest to come by first.
PIGMENTS = ("platinum", "gold", "silver", "black", NONE, NOT_STATED)
_NUMBER = re.compile(r"[0-9]+")


def pigment(kind: str, venue: str, rating: str = "", limit: str = "") -> str:
    """The colour of an event's awards, one of PIGMENTS (handbook, section three).

    ``none`` is unpigmented, as everything played online is. Empty where the sources do not say: of unit
    championships, and of national events with a lower limit or one without a number.

    kind: ``club`` or ``overall``
    limit: the masterpoint limit as the event calls it ("750", "0-1500"); empty means that there is none
    """
    if venue != IN_PERSON:
        return NONE
    if kind == CLUB:
        return "black"
    if rating != NATIONAL:
        return OVERALL.get(rating, NOT_STATED)
    if not limit:
        return "platinum"
    numbers = [int(each) for each in _NUMBER.findall(limit)]
    return "gold" if numbers and max(numbers) >= NATIONAL_GOLD_FROM else NOT_STATED
