"""The tables and curves of an AEB regulation, each with the article that prints it; a field's strength."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from scoring.engine.points import EXACT, plain, root

ROOT_SIGN = {2: "√{x}", 4: "{x}^¼"}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: the code used in files, the coefficient and the English label for forms."""

    code: str
    value: Decimal
    label: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table, with its rows in the printed order.

    ``aliases`` maps codes of other years to codes of the table.
    """

    name: str
    article: str
    rows: tuple[Row, ...]
    aliases: dict[str, str] = field(default_factory=dict)

    def find(self, code: str) -> Row | None:
        """Return the row with this code or alias, None if there is none."""
        code = self.aliases.get(code, code)
        return next((row for row in self.rows if row.code == code), None)

    def row(self, code: str) -> Row:
        """Return the row with this code or alias, which the caller knows to be in the table."""
        row = self.find(code)
        assert row is not None  # `Scheme.check` refuses an event with a code that the table lacks
        return row

    @property
    def lowest(self) -> Decimal:
        return min(row.value for row in self.rows)


@dataclass(frozen=True, slots=True)
class RootCurve:
    """A coefficient that is factor · root(x) + offset between two bounds, with a root of degree 2 or 4.

    At the bounds and beyond them the printed values apply, even where the curve then has a jump.
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
        """Return the formula's value without the bounds, to 60 digits."""
        return EXACT.add(EXACT.multiply(self.factor, root(x, self.degree)), self.offset)

    def branch(self, x: Decimal) -> str:
        """Return the rule that applies at x: ``low``, ``formula`` or ``high``."""
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
        """Return the formula with this symbol or number for x, such as "0.23·√m − 0.035"."""
        sign = "−" if self.offset < 0 else "+"
        term = ROOT_SIGN[self.degree].format(x=x)
        return f"{plain(self.factor)}·{term} {sign} {plain(self.offset.copy_abs())}"


@dataclass(frozen=True, slots=True)
class MinimumBoards:
    """The fewest scheduled boards with which an event earns points."""

    boards: int
    article: str


@dataclass(frozen=True, slots=True)
class MinimumLicences:
    """The share of players, in per cent, who must hold a licence for events of these types to earn points."""

    per_cent: int
    event_types: tuple[str, ...]
    article: str


@dataclass(frozen=True, slots=True)
class FieldStrength:
    """The number of players by category and without category, and the sum of their values (article 2.4)."""

    counts: dict[str, int]
    unclassified: int
    total: Decimal

    @property
    def classified(self) -> int:
        return sum(self.counts.values())
