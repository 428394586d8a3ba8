"""Random sessions of a year for tests of the modified average, and a slow computation to compare with."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import floor
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from scoring.promotions.models import PromotionRuleSet
from scoring.promotions.pure import documents
from scoring.promotions.pure.averages import NONE, Events, Seats, SessionLine, Sessions, sessions
from scoring.promotions.queries.averages import sessions_by_month

UNIT = Fraction(1, 10_000)
HALF = Fraction(1, 2)


class Year(NamedTuple):
    """Random tournaments of a year: input for the application's computation and for a slow one.

    Percentages and C4 (the coefficient of the field's strength) are in ten-thousandths. A missing figure is
    None.

    strategy, weight: the rule set's method of the modified average and its `field_weight`
    tournaments: (id, day, boards, C4 of the field, C4 value of each category)
    seats: (index of the player, index of the tournament, boards, percentage, adjusted percentage)
    categories: for each player, the index of the category
    """

    strategy: str
    weight: Decimal
    tournaments: Sequence[tuple]
    seats: Sequence[tuple]
    categories: Sequence[int]

    def sessions(self) -> Sessions:
        """Return the sessions that count in the modified averages, as the application computes them."""
        ids, days, boards, c4, worth = zip(*self.tournaments, strict=True)
        events = Events(_column(ids), days, _column(boards), _column(c4), _table(worth))
        seats = _table(self.seats).reshape(-1, 5)
        return sessions(self.strategy, self.weight, events, Seats(*seats.T), _column(self.categories))

    def slow(self) -> list[list[SessionLine]]:
        """Return each player's session lines, computed in a slow and simple way: one seat after another.

        Tests compare the result with `sessions`.
        """
        result = [[] for _ in self.categories]
        for player, at, *rest in sorted(self.seats, key=lambda seat: seat[:2]):
            if line := self._line(self.tournaments[at], self.categories[player], *rest):
                result[player].append(line)
        return result

    def _line(self, tournament, category, boards, raw, adjusted) -> SessionLine | None:
        number, day, scheduled, c4, worth = tournament
        start = number, day, boards or scheduled, _decimal(raw)
        if self.strategy == "strength" and adjusted is not None:
            return SessionLine(*start, _decimal(adjusted), "boards", None, None)
        if raw is None:
            return None
        if self.strategy == "plain" or worth[category] is None:
            return SessionLine(*start, _decimal(raw), "plain", None, None)
        moved = slow_shift(self.weight, c4, worth[category])
        return SessionLine(*start, _decimal(raw + moved), "field", _decimal(c4), _decimal(moved))


def slow_shift(weight: Decimal, field_c4: int, own_c4: int) -> int:
    """Return how much a percentage is shifted for the strength of the field, in ten-thousandths.

    The field's C4 is compared with the value of the player's own category. A difference of 0.1 shifts the
    percentage by `weight` percentage points. Halves are rounded away from zero.
    """
    exact = Fraction(weight) * 10 * (field_c4 - own_c4)
    return (1 if exact >= 0 else -1) * floor(abs(exact) + HALF)


def average(lines: Sequence[SessionLine]) -> Decimal | None:
    """Return the mean percentage, weighted by boards; None without boards.

    It is rounded half up to four decimals.
    """
    boards = [Fraction(line.value) for line in lines for _ in range(line.boards)]
    if not boards:
        return None
    return Decimal(floor(sum(boards) / len(boards) / UNIT + HALF)).scaleb(-4)


def lines_of(
    rules: PromotionRuleSet, first: date, last: date, codes: Mapping[int, str]
) -> dict[int, tuple[SessionLine, ...]]:
    """Return {player id: sessions that count in the modified average}, as a frozen list stores them.

    Players without such sessions are left out.

    codes: {player id: category code}
    """
    players, parts = sorted(codes), map(documents.lines_texts, sessions_by_month(rules, first, last, codes))
    texts = map(documents.lines_text, zip(*parts, strict=True))
    text = documents.sessions_text(dict(zip(players, texts, strict=True)))
    lines = {player: documents.sessions_of(text, player) for player in players}
    return {player: item for player, item in lines.items() if item}


def _table(rows) -> np.ndarray:
    return np.array([[NONE if item is None else item for item in row] for row in rows], np.int64)


def _column(values) -> np.ndarray:
    return np.array(values, np.int64)


def _decimal(units: int | None) -> Decimal | None:
    return None if units is None else Decimal(units).scaleb(-4)


C4 = st.integers(10_000, 30_000)
STATED = st.integers(0, 100_000).map(lambda thousandths: thousandths * 10)
ADJUSTED = st.integers(-200_000, 1_200_000)


@st.composite
def years(draw, strategies=("strength", "field", "plain")) -> Year:
    """Draw a random `Year` with players of up to three categories.

    strategies: the methods of computing the modified average, one of which is drawn
    """
    steps, many = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    first = draw(st.dates(date(2022, 1, 1), date(2040, 12, 31)))
    ids = draw(st.lists(st.integers(1, 10**9), min_size=many, max_size=many, unique=True))
    tournaments = [
        (
            number,
            first + timedelta(days=day),
            draw(st.integers(0, 60)),
            draw(C4),
            [draw(st.none() | C4) for _ in range(steps)],
        )
        for number, day in zip(
            ids, sorted(draw(st.lists(st.integers(0, 9), min_size=many, max_size=many))), strict=True
        )
    ]
    categories = draw(st.lists(st.integers(0, steps - 1), max_size=5))
    places = list(product(range(len(categories)), range(many)))
    taken = draw(st.lists(st.sampled_from(places), unique=True, max_size=12)) if places else []
    seats = [
        (*place, draw(st.integers(0, 60)), draw(st.none() | STATED), draw(st.none() | ADJUSTED))
        for place in taken
    ]
    weight = draw(st.decimals(0, 10, places=2))
    return Year(draw(st.sampled_from(strategies)), weight, tournaments, seats, categories)
