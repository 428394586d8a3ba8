"""The tables an AEB regulation is made of. Every row says where it is printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from scoring.engine.points import EXACT, plain, root

ROOT_SIGN = {2: "√{x}", 4: "{x}^¼"}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: the code used in files, the coefficient, an English label for select boxes."""

    code: str
    value: Decimal
    label: str


@dataclass(frozen=True, slots=True)
class Table:
    """A printed table in its order. ``aliases`` are codes of another year that read as one of the rows."""

    name: str
    article: str
    rows: tuple[Row, ...]
    aliases: dict[str, str] = field(default_factory=dict)

    def find(self, code: str) -> Row | None:
        """The row with this code or alias."""
        code = self.aliases.get(code, code)
        return next((row for row in self.rows if row.code == code), None)

    @property
    def lowest(self) -> Decimal:
        return min(row.value for row in self.rows)


@dataclass(frozen=True, slots=True)
class RootCurve:
    """factor · root(x) + offset between two bounds, outside which the printed values hold, jumps included."""

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
        """The formula without the bounds, unrounded to 60 digits."""
        return EXACT.add(EXACT.multiply(self.factor, root(x, self.degree)), self.offset)

    def branch(self, x: Decimal) -> str:
        """``low``, ``formula`` or ``high``."""
        if x <= self.low:
            return "low"
        return "high" if x >= self.high else "formula"

    def value(self, x: Decimal) -> Decimal:
        """The coefficient at x, unrounded."""
        branch = self.branch(x)
        if branch == "low":
            return self.low_value
        return self.high_value if branch == "high" else self.bare(x)

    def text(self, x: str) -> str:
        """The formula in symbols for x, as in 0.23·√m − 0.035."""
        sign = "−" if self.offset < 0 else "+"
        term = ROOT_SIGN[self.degree].format(x=x)
        return f"{plain(self.factor)}·{term} {sign} {plain(self.offset.copy_abs())}"


@dataclass(frozen=True, slots=True)
class MinimumBoards:
    """No event counts with fewer boards scheduled."""

    boards: int
    article: str


@dataclass(frozen=True, slots=True)
class MinimumLicences:
    """Events of these types count only if this share (per cent) of the listed persons hold a licence."""

    per_cent: int
    event_types: tuple[str, ...]
    article: str


def gettext_noop(message: str) -> str:
    """Marks a label for translation; translating is left to whoever shows it."""
    return message
