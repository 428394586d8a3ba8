"""The regulation AEB 2026.

Every event needs at least 20 boards. In a pool, at least 90 % of the players must be licensed.
"""

from datetime import date
from decimal import Decimal

from scoring.engine.points import EXACT, HUNDRED
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.aeb.venues import VENUES

from . import tables


def p_min(c1: Decimal, c5: Decimal, p_max: Decimal) -> Decimal:
    """Return the points of the last place (Pmin): a hundredth of the winner's points (article 3)."""
    return EXACT.divide(p_max, HUNDRED)


REGULATION = Scheme(
    code="aeb-2026",
    # The date printed on the document. This project ruled that it applies from that day on.
    valid_from=date(2026, 1, 1),
    event_types=tables.EVENT_TYPES,
    c2_curve=tables.C2,
    c3_curve=tables.C3,
    categories=tables.CATEGORIES,
    venues=VENUES,
    filing=tables.FILING,
    p_min_of=p_min,
    p_min_text="Pmin = Pmax/100",
    minimum_boards=tables.MINIMUM_BOARDS,
    minimum_licences=tables.MINIMUM_LICENCES,
)
