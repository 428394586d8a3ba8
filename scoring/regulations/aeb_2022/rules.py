"""The regulation AEB 2022, which requires no minimum of boards or of licensed players."""

from datetime import date
from decimal import Decimal

from scoring.engine.points import EXACT, HUNDRED
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.aeb.venues import VENUES

from . import tables


def p_min(c1: Decimal, c5: Decimal, p_max: Decimal) -> Decimal:
    """Return the points of the last place (Pmin): C1·C5/100 (article 3). They do not depend on ``p_max``."""
    return EXACT.divide(EXACT.multiply(c1, c5), HUNDRED)


REGULATION = Scheme(
    code="aeb-2022",
    # The date printed on the document. This project ruled that it applies until the next document.
    valid_from=date(2022, 1, 2),
    event_types=tables.EVENT_TYPES,
    c2_curve=tables.C2,
    c3_curve=tables.C3,
    categories=tables.CATEGORIES,
    venues=VENUES,
    filing=tables.FILING,
    p_min_of=p_min,
    p_min_text="Pmin = C1·C5/100",
)
