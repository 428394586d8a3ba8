"""Compute the modified average (porcentaje medio modificado) of every player, without a database.

The federation's definition could not be obtained: the method is our own ruling (docs/modified-average.md).

A large federation has a million sessions a year, so sessions are NumPy columns, not objects. Percentages, C4
values (C4 is the coefficient of the field's strength) and adjustments of percentages (shifts) are integers in
ten-thousandths. Sums and roundings are exact.
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
    """A player's tournament, with the percentage that counts in the modified average.

    raw: the percentage in the ranking, None if there is none
    value: the adjusted percentage
    method: how `raw` was adjusted, a `Method`
    field_c4, shift: the strength of the field, and the percentage points added for it; None unless the method
        is `field`
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
    """Tournaments as NumPy columns, one row per tournament, ordered by day and id.

    c4: the strength of the field, in ten-thousandths
    worth: array of shape (tournaments, categories) with the C4 value of each category under the tournament's
        regulation; NONE if the regulation lacks the category
    """

    tournament: Whole
    day: Sequence[date]
    boards: Whole
    c4: Whole
    worth: Whole


class Seats(NamedTuple):
    """Participations of players in tournaments as NumPy columns, one row per participation.

    player: index of the player in the list of players
    event: index of the tournament in `Events`
    boards: boards played, 0 if unknown
    raw: the percentage in the ranking, NONE if there is none
    adjusted: the percentage adjusted for the opponents' strength, NONE without board results
    """

    player: Whole
    event: Whole
    boards: Whole
    raw: Whole
    adjusted: Whole


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions that count for the averages, as NumPy columns, ordered by player, day and tournament.

    A tournament of several sessions counts as one session.

    starts: array of shape (players + 1,): index of each player's first row; the last item is the number of
        rows
    event: index of the tournament in `events`
    raw: the percentage in the ranking, NONE if there is none
    value: the adjusted percentage, which is averaged
    method: index in METHODS
    field_c4, shift: the strength of the field, and the percentage points added for it; NONE unless the method
        is FIELD
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

    def sums(self) -> "Sums":
        """Return what each player's sessions add up to."""
        boards = _sums(self.boards, self.starts)
        return Sums(np.diff(self.starts), boards, _sums(self.boards * self.value, self.starts))


class Sums(NamedTuple):
    """What each player's sessions add up to, as NumPy columns, one row per player.

    number: how many there are
    boards: boards played in them
    weighted: the adjusted percentages, each times its boards, in ten-thousandths
    """

    number: Whole
    boards: Whole
    weighted: Whole

    def plus(self, other: "Sums") -> "Sums":
        """Return the sums of other sessions of the same players added to these."""
        return Sums(*(own + more for own, more in zip(self, other, strict=True)))

    def means(self) -> list[Decimal | None]:
        """Return each player's modified average in percent, None for a player without boards.

        This is the mean of the adjusted percentages, weighted by boards and rounded half up to four decimals.
        """
        averages = (2 * self.weighted + self.boards) // np.maximum(2 * self.boards, 1)
        return [
            Decimal(average).scaleb(-4) if played else None
            for average, played in zip(averages.tolist(), self.boards.tolist(), strict=True)
        ]


def units(value: Decimal) -> int:
    """Convert a C4 value (strength of the field) to an integer in ten-thousandths.

    Halves are rounded away from zero.
    """
    return int((value * SCALE).to_integral_value(ROUND_HALF_UP))


def shifts(weight: Decimal, field_c4: Whole, own_c4: Whole) -> Whole:
    """Return the percentage points to add to each session's percentage for its field, in ten-thousandths.

    This is `weight` × 10 × (`field_c4` − `own_c4`), with halves rounded away from zero.

    weight: percentage points for each tenth by which the two C4 values differ
    field_c4: the C4 of the session
    own_c4: the C4 value of the player's own category
    """
    factor, divisor = (weight * TENTHS).as_integer_ratio()
    moved = factor * (field_c4 - own_c4)
    return np.sign(moved) * ((2 * np.abs(moved) + divisor) // (2 * divisor))


def sessions(strategy: str, weight: Decimal, events: Events, seats: Seats, categories: Whole) -> Sessions:
    """Return the sessions that count for the modified averages, with their adjusted percentages.

    A session counts if the ranking has a percentage for the player. With the strategy "strength", a session
    also counts if the player has a result adjusted for the opponents' strength.

    strategy: a `PromotionRuleSet.Average`, which says how percentages are adjusted: strength, field or plain
    weight: as in `shifts`
    categories: array of shape (players,): for each player, the index of the category's column in
        `events.worth`
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
    """Return the sum of each player's values.

    values: one value per row of `Sessions`, ordered by player
    starts: `Sessions.starts`, the index of each player's first row, followed by the number of rows
    """
    totals = np.concatenate([[0], np.cumsum(values)])
    return totals[starts[1:]] - totals[starts[:-1]]
