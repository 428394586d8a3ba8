"""Everybody's modified averages (porcentaje medio modificado): what sessions are worth, and the means. Pure.

The federation's definition could not be obtained: all of this is a ruling (docs/modified-average.md).

A big federation has a million sessions a year, so they are columns of numbers and not objects. Percentages,
C4 and shifts are whole ten-thousandths, finer than what any page shows; sums and roundings are exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SCALE = 10_000
NONE = -(10**12)  # a percentage or a shift that is not there: none is so low
TENTHS = 10  # the weight is given for a tenth of C4

Whole = NDArray[np.int64]


class Method(StrEnum):
    """How a session's percentage was worked out."""

    BOARDS = "boards"  # the strength of the opponents taken out, from the results of the boards
    FIELD = "field"  # shifted by the category of the field
    PLAIN = "plain"  # as the ranking states it


METHODS = tuple(Method)
BOARDS, FIELD, PLAIN = range(len(METHODS))


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


class Events(NamedTuple):
    """Tournaments by day and id, one a row.

    worth: (tournaments, categories), what each category is worth in the C4 of the tournament's regulation, or
        NONE where it does not know the category
    """

    tournament: Whole
    day: Sequence[date]
    boards: Whole
    c4: Whole
    worth: Whole


class Seats(NamedTuple):
    """Who sat where, one a row: positions of the player and of the event.

    boards: 0 where nobody counted them
    raw: the stated percentage, or NONE
    adjusted: the one with the opponents' strength taken out, NONE without board results
    """

    player: Whole
    event: Whole
    boards: Whole
    raw: Whole
    adjusted: Whole


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions that count, one a row, by player, day and tournament.

    starts: (players + 1,), where the rows of each player begin, and how many there are
    event: position in `events`
    method: position in METHODS
    field_c4, shift: NONE where the method is not FIELD
    """

    events: Events
    starts: Whole
    event: Whole
    boards: Whole
    raw: Whole
    value: Whole
    method: Whole
    field_c4: Whole
    shift: Whole

    def means(self) -> list[Decimal | None]:
        """Each player's mean weighted by boards, rounded half up to four decimals; None without boards."""
        boards = _sums(self.boards, self.starts)
        total = _sums(self.boards * self.value, self.starts)
        found = (2 * total + boards) // np.maximum(2 * boards, 1)
        return [
            Decimal(mean).scaleb(-4) if played else None
            for mean, played in zip(found.tolist(), boards.tolist(), strict=True)
        ]


def units(value: Decimal) -> int:
    """A C4 in whole ten-thousandths, halves away from zero."""
    return int((value * SCALE).to_integral_value(ROUND_HALF_UP))


def shifts(weight: Decimal, field_c4: Whole, own_c4: Whole) -> Whole:
    """Percentage points for fields of these C4 and players whose categories are worth `own_c4`.

    weight: percentage points for a tenth of C4. Halves are rounded away from zero.
    """
    factor, divisor = (weight * TENTHS).as_integer_ratio()
    moved = factor * (field_c4 - own_c4)
    return np.sign(moved) * ((2 * np.abs(moved) + divisor) // (2 * divisor))


def sessions(strategy: str, weight: Decimal, events: Events, seats: Seats, categories: Whole) -> Sessions:
    """What each session is worth. Those without the percentage that the strategy takes are left out.

    strategy: a `PromotionRuleSet.Average`: strength, field or plain
    categories: (players,), the column of `events.worth` that each player is judged by
    """
    counts = seats.raw != NONE
    if strategy == "strength":
        counts |= seats.adjusted != NONE
    rows = np.flatnonzero(counts)
    rows = rows[np.argsort((seats.player * len(events.day) + seats.event)[rows], kind="stable")]
    player, event, boards, raw, adjusted = (column[rows] for column in seats)
    own_c4 = events.worth[event, categories[player]]
    method = np.full(len(rows), PLAIN)
    if strategy != "plain":
        method[own_c4 != NONE] = FIELD
    if strategy == "strength":
        method[adjusted != NONE] = BOARDS
    by_field = method == FIELD
    field_c4 = events.c4[event]
    moved = shifts(weight, field_c4, own_c4)
    return Sessions(
        events=events,
        starts=np.searchsorted(player, np.arange(len(categories) + 1)),
        event=event,
        boards=np.where(boards > 0, boards, events.boards[event]),
        raw=raw,
        value=np.where(by_field, raw + moved, np.where(method == BOARDS, adjusted, raw)),
        method=method,
        field_c4=np.where(by_field, field_c4, NONE),
        shift=np.where(by_field, moved, NONE),
    )


def _sums(values: Whole, starts: Whole) -> Whole:
    """The sum of the rows of each player."""
    until = np.concatenate([[0], np.cumsum(values)])
    return until[starts[1:]] - until[starts[:-1]]
