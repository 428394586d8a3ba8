"""Functions that rebuild the worked examples printed in the AEB's documents."""

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from scoring.engine.points import Curve
from scoring.engine.types import Contestant, Event, Seat
from scoring.regulations.page import Example
from scoring.regulations.texts import Words, _, verbatim, whole

from .scheme import Scheme

FORMULA = Curve(Decimal(20), Decimal(10), Decimal(1))  # the example below formula 1


def formula(year: str) -> list[Example]:
    """Return the three examples printed below formula 1: slope, intercept and the points of position 6.

    year: the last two digits of the document's year. They are part of the ids of its golden rows.
    """
    cut = _("cut off, not rounded")
    intercept = FORMULA.bare(Decimal(0))
    case = _("n = 20, Pmax = 10, Pmin = 1")
    return [
        Example(
            f"e{year}-01",
            _("%(given)s: slope") % {"given": case},
            "-8.073",
            FORMULA.bare(Decimal(1)) - intercept,
            cut,
        ),
        Example(f"e{year}-02", _("%(given)s: intercept") % {"given": case}, "18.073", intercept, cut),
        Example(f"e{year}-03", verbatim("%(given)s: P(6)") % {"given": case}, "5.44", FORMULA.at(Decimal(6))),
    ]


def c2(row: str, scheme: Scheme, boards: int, printed: str, reason: Words = "") -> Example:
    label = verbatim("C2, m = %(boards)s") % {"boards": whole(boards)}
    return Example(row, label, printed, scheme.c2(boards), reason)


def c3(row: str, scheme: Scheme, pairs: int, printed: str, reason: Words = "") -> Example:
    label = verbatim("C3, n = %(pairs)s") % {"pairs": whole(pairs)}
    return Example(row, label, printed, scheme.c3(pairs), reason)


def c4(row: str, scheme: Scheme, players: Mapping[str | None, int], printed: str) -> Example:
    """Return the document's example of the coefficient for the field's strength (C4).

    row: the id of the example's row in the golden files
    players: category code -> number of players; the code is None for players without a category
    printed: the coefficient as printed
    """
    codes = list(Counter(players).elements())
    contestants = tuple(
        Contestant(str(k), place=k, seats=(Seat(str(k), code, True),)) for k, code in enumerate(codes, 1)
    )
    event = Event("pool", "individual", 24, "in_person", contestants)
    return Example(row, _("C4 of the field of the example"), printed, scheme.score(event).coefficients["C4"])


def first_of_pool(scheme: Scheme, **values: Any) -> Decimal:
    """Return the winner's points in a club pool for pairs, played in person.

    values: further fields of the event, or other values for its type and venue
    """
    event = Event(
        format="pairs",
        contestants=(Contestant("1", i=Decimal(1)),),
        **{"event_type": "pool", "venue": "in_person", **values},
    )
    return scheme.score(event).p_max


def largest_pool(scheme: Scheme, category: str) -> Decimal:
    """Return the winner's points in a pool of the size with the largest C2 and C3: 120 boards and 120 pairs.

    category: the code of the category that all players have
    """
    value = scheme.categories.row(category).value
    return first_of_pool(scheme, boards=120, contestant_count=120, c4=value)
