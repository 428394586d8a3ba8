"""Compute the modified average (porcentaje medio modificado) of every player, without a database.

The federation's definition could not be obtained: the method is our own ruling (docs/modified-average.md).

A large federation has a million sessions a year, so sessions are NumPy columns, not objects. Percentages,
values of C4 (the coefficient of the field's strength) and shifts are integers in ten-thousandths, finer than
any page shows. Sums and roundings are exact.
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
NONE = -(10**12)  # stands for a missing percentage or shift; real values never reach it
TENTHS = 10  # tenths in 1: the weight is per tenth of C4

Whole = NDArray[np.int64]


class Method(StrEnum):
    """How a session's percentage was adjusted for the modified average."""

    BOARDS = "boards"  # adjusted for the strength of the opponents, from the board results
    FIELD = "field"  # adjusted for the strength of the field (C4)
    PLAIN = "plain"  # as given in the ranking


METHODS = tuple(Method)
BOARDS, FIELD, PLAIN = range(len(METHODS))


class SessionLine(NamedTuple):
    """One tournament of one player. `raw` is the percentage in the ranking, `value` the adjusted one.

    `field_c4` (the strength of the field) and `shift` (in percentage points) are None unless the method is
    `field`.
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
    """The tournaments as columns, one row per tournament, ordered by day and id.

    c4: the strength of the field
    worth: array of shape (tournaments, categories): the value of each category for C4 under the tournament's
        regulation, or NONE if the regulation lacks the category
    """

    tournament: Whole
    day: Sequence[date]
    boards: Whole
    c4: Whole
    worth: Whole


class Seats(NamedTuple):
    """Participations of players in tournaments as columns, one row per participation.

    player, event: positions in the lists of players and of tournaments
    boards: boards played, 0 if unknown
    raw: the percentage in the ranking, or NONE
    adjusted: the percentage adjusted for the opponents' strength, NONE without board results
    """

    player: Whole
    event: Whole
    boards: Whole
    raw: Whole
    adjusted: Whole


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions that count for the averages, as columns, ordered by player, day and tournament.

    starts: array of shape (players + 1,): the first row of each player, then the number of rows
    event: position in `events`
    raw, value: the percentage in the ranking, and the adjusted one that is averaged
    method: position in METHODS
    field_c4, shift: the strength of the field and the adjustment by it; NONE unless the method is FIELD
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
        """Return each player's modified average: the mean of the adjusted percentages, weighted by boards.

        Rounded half up to four decimals. None for a player without boards.
        """
        boards = _sums(self.boards, self.starts)
        total = _sums(self.boards * self.value, self.starts)
        averages = (2 * total + boards) // np.maximum(2 * boards, 1)
        return [
            Decimal(average).scaleb(-4) if played else None
            for average, played in zip(averages.tolist(), boards.tolist(), strict=True)
        ]


def units(value: Decimal) -> int:
    """Convert a C4 (strength of the field) to integer ten-thousandths. Halves round away from zero."""
    return int((value * SCALE).to_integral_value(ROUND_HALF_UP))


def shifts(weight: Decimal, field_c4: Whole, own_c4: Whole) -> Whole:
    """Return by how much each session's percentage is adjusted for its field, in ten-thousandths.

    This is `weight` × 10 × (`field_c4` − `own_c4`), with halves rounded away from zero.

    weight: percentage points for each tenth by which the two C4 differ
    field_c4: the C4 of the session
    own_c4: the C4 value of the player's own category
    """
    factor, divisor = (weight * TENTHS).as_integer_ratio()
    moved = factor * (field_c4 - own_c4)
    return np.sign(moved) * ((2 * np.abs(moved) + divisor) // (2 * divisor))


def sessions(strategy: str, weight: Decimal, events: Events, seats: Seats, categories: Whole) -> Sessions:
    """Adjust the percentage of each participation, and return those that count for the averages.

    Participations without the percentage that the strategy needs are left out.

    strategy: a `PromotionRuleSet.Average`: strength, field or plain
    weight: as in `shifts`
    categories: array of shape (players,): the column of `events.worth` for each player's category
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
    """Return the sum of each player's rows. `starts` is that of `Sessions`."""
    totals = np.concatenate([[0], np.cumsum(values)])
    return totals[starts[1:]] - totals[starts[:-1]]
