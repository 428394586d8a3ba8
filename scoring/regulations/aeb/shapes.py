"""Classes for the tables, coefficient curves and minimum requirements of an AEB regulation."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from scoring.engine.points import EXACT, plain, root

ROOT_SIGN = {2: "√{x}", 4: "{x}^¼"}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table of coefficients.

    code: the row's code, as input files use it
    value: the coefficient
    label: the row's English name, for forms
    """

    code: str
    value: Decimal
    label: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of coefficients, with its rows in the printed order and the article that prints it.

    ``aliases`` maps row codes that other years' regulations use to row codes of this table.
    """

    name: str
    article: str
    rows: tuple[Row, ...]
    aliases: dict[str, str] = field(default_factory=dict)

    def find(self, code: str) -> Row | None:
        """Return the row with this code or alias, or None."""
        code = self.aliases.get(code, code)
        return next((row for row in self.rows if row.code == code), None)

    def row(self, code: str) -> Row:
        """Return the row with this code or alias. The caller has checked that the table has it."""
        row = self.find(code)
        assert row is not None  # `Scheme.check` refuses an event with a code that the table lacks
        return row

    @property
    def lowest(self) -> Decimal:
        return min(row.value for row in self.rows)


@dataclass(frozen=True, slots=True)
class RootCurve:
    """The coefficient C2 or C3 as a function of x: factor · root(x) + offset, between two bounds of x.

    The root is a square root (``degree`` 2) or a fourth root (4). For x up to ``low``, the coefficient is the
    printed ``low_value``; from ``high`` on, it is the printed ``high_value``. The curve may jump at the
    bounds.
    """

    article: str
    equation: str
    variable: str
    factor: Decimal
    degree: int
    offset: Decimal
    low: int
    low_value: Decimal
    high: int
    high_value: Decimal

    def bare(self, x: Decimal) -> Decimal:
        """Return the value of the formula at x, to 60 digits, ignoring the bounds."""
        return EXACT.add(EXACT.multiply(self.factor, root(x, self.degree)), self.offset)

    def branch(self, x: Decimal) -> str:
        """Return which rule gives the coefficient at x: ``low``, ``formula`` or ``high``."""
        if x <= self.low:
            return "low"
        return "high" if x >= self.high else "formula"

    def value(self, x: Decimal) -> Decimal:
        """Return the coefficient at x, unrounded."""
        branch = self.branch(x)
        if branch == "low":
            return self.low_value
        return self.high_value if branch == "high" else self.bare(x)

    def text(self, x: str) -> str:
        """Return the formula as text, such as "0.23·√m − 0.035".

        x: the symbol or number to put in place of the variable
        """
        sign = "−" if self.offset < 0 else "+"
        term = ROOT_SIGN[self.degree].format(x=x)
        return f"{plain(self.factor)}·{term} {sign} {plain(self.offset.copy_abs())}"


@dataclass(frozen=True, slots=True)
class MinimumBoards:
    """The rule that an event earns no points if fewer than ``boards`` boards were scheduled."""

    boards: int
    article: str


@dataclass(frozen=True, slots=True)
class MinimumLicences:
    """The rule that an event of certain types earns points only if enough of its players hold a licence.

    per_cent: the least percentage of licensed players
    event_types: the codes of the event types to which the rule applies
    """

    per_cent: int
    event_types: tuple[str, ...]
    article: str

    def needed(self, participants: int) -> int:
        """Return how many of an event's players need a licence.

        It is rounded up with integers, which are exact: 18 of 20 players are 90 % and suffice. An event that
        lists no players needs no licences.
        """
        return -(-participants * self.per_cent // 100)


@dataclass(frozen=True, slots=True)
class FieldStrength:
    """The numbers from which the coefficient for the field's strength, C4, is computed (article 2.4).

    counts: the number of players by category code
    unclassified: the number of players without a category
    total: the sum of the values of all players' categories
    """

    counts: dict[str, int]
    unclassified: int
    total: Decimal

    @property
    def classified(self) -> int:
        return sum(self.counts.values())
