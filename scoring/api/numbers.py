"""Numbers as texts with a point, as all documents of the interface have them."""

from decimal import Decimal
from typing import Annotated

from ninja import Field

from scoring.engine.points import plain
from scoring.ledger.texts import decimal
from scoring.regulations.texts import Amount

Points = Annotated[str, Field(pattern=r"^-?[0-9]+\.[0-9]{2}$", examples=["214.35"])]
Number = Annotated[str, Field(pattern=r"^-?[0-9]+(\.[0-9]+)?$", examples=["1.74"])]


def points(hundredths: int) -> str:
    """Return points, in hundredths, with two decimals: "214.35"."""
    return f"{Decimal(hundredths) / 100:.2f}"


def points_or_none(hundredths: int | None) -> str | None:
    """Return points, in hundredths, with two decimals; None if they are not known."""
    return None if hundredths is None else points(hundredths)


def number(value: Amount) -> str:
    """Return a number with all its decimals, at most 30 significant digits."""
    return plain(decimal(value))


def number_or_none(value: Amount | None) -> str | None:
    """Return a number with all its decimals; None if there is none."""
    return None if value is None else number(value)
