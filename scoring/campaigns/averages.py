"""A player's modified average (porcentaje medio modificado): what a session is worth, and the mean of a year.

The federation's definition could not be obtained: all of this is a ruling (docs/modified-average.md).
"""

from collections.abc import Iterable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import NamedTuple

UNIT = Decimal("0.0001")  # of C4, of shifts and of averages; finer than what any page shows
SCALE = 10_000
TENTHS = 10  # the weight is given for a tenth of C4


class Method(StrEnum):
    """How a session's percentage was worked out."""

    BOARDS = "boards"  # the strength of the opponents taken out, from the results of the boards
    FIELD = "field"  # shifted by the category of the field
    PLAIN = "plain"  # as the ranking states it


class SessionLine(NamedTuple):
    """One tournament of one player. `raw` is the stated percentage, `value` what goes into the average.

    `field_c4` and `shift` (percentage points) are there where the method is `field`.
    """

    tournament_id: int
    day: date
    boards: int
    raw: Decimal | None
    value: Decimal
    method: str
    field_c4: Decimal | None
    shift: Decimal | None


def rounded(value: Decimal) -> Decimal:
    """To four decimals, halves away from zero."""
    return value.quantize(UNIT, ROUND_HALF_UP)


def shift(weight: Decimal, field_c4: Decimal, own_c4: Decimal) -> Decimal:
    """Percentage points for a field of this C4 and a player whose category is worth `own_c4`; four decimals.

    weight: percentage points for a tenth of C4
    """
    return rounded(weight * TENTHS * (field_c4 - own_c4))


def valued(
    strategy: str, raw: Decimal | None, adjusted: Decimal | None, moved: Decimal | None
) -> tuple[Decimal, Method] | None:
    """A session's percentage and how it was found; None for a session that has none.

    strategy: a `PromotionRuleSet.Average`: strength, field or plain
    adjusted: the percentage with the opponents' strength taken out, None without board results
    moved: the shift for the field, None where the session or the player has no C4
    """
    if strategy == "strength" and adjusted is not None:
        return adjusted, Method.BOARDS
    if raw is None:
        return None
    if strategy == "plain" or moved is None:
        return raw, Method.PLAIN
    return raw + moved, Method.FIELD


def average(lines: Iterable[SessionLine]) -> Decimal | None:
    """The mean weighted by boards, rounded half up to four decimals; None without boards.

    Exact while no value has more than four decimals, which none of ours has.
    """
    boards = 0
    total = Decimal(0)
    for line in lines:
        boards += line.boards
        total += line.boards * line.value
    if not boards:
        return None
    units = int(total * SCALE)
    return Decimal((2 * units + boards) // (2 * boards)).scaleb(
        -4
    )  # in integers: fractions take thrice as long
