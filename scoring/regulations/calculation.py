"""What the calculator asks about a tournament that was never played, as data.

The room of the calculator draws the fields and asks the regulation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from scoring.engine.placed import PlacedEvent

from .context import Context
from .texts import Text, Words


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form.

    name: in the address of the page, which people share
    key: what the event calls its value
    """

    name: str
    key: str
    label: Words
    help: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeField(Field):
    """A whole number."""

    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberField(Field):
    """A number that may be left blank, a multiple of ``step`` if there is one."""

    least: Decimal
    most: Decimal
    decimals: int
    step: Decimal | None = None
    not_a_step: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceField(Field):
    """One of several values; ``whole`` if they are whole numbers."""

    choices: Sequence[tuple[str, Words]]
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseField(Field):
    """One of the cases for which the office has entered a factor, or any; absent if there is none."""

    factor: str


FormField = WholeField | NumberField | ChoiceField | CaseField


@dataclass(frozen=True, slots=True)
class Variants:
    """Values of a choice that are compared with each other, where no other regulation can be.

    label: names one of them, ``%(name)s``
    """

    field: str
    label: Text


@dataclass(frozen=True, slots=True)
class PlacesCalculation:
    """How to calculate points by place, from the number of contestants and the fields.

    fields: what is asked besides the contestants
    event: returns the event, from arguments of its ranking, the fields' values by key, and factors by name
    example: what a bare page shows, by name of the field
    factors: fields of the reader's own factors, which replace the office's
    needed: names of factors without which nothing can be calculated
    """

    fields: Sequence[FormField]
    event: Callable[[Mapping[str, Any], Mapping[str, Any], dict[str, Decimal]], PlacedEvent]
    example: Callable[[Context], Mapping[str, str]]
    factors: Sequence[NumberField] = ()
    needed: Sequence[str] = ()
    variants: Variants | None = None

    @property
    def variant_names(self) -> list[str]:
        """The values that are compared with each other."""
        choices = [field for field in self.fields if isinstance(field, ChoiceField)]
        return [
            value
            for field in choices
            if self.variants and field.name == self.variants.field
            for value, _label in field.choices
        ]


@dataclass(frozen=True, slots=True)
class PointsCalculation:
    """How to calculate the AEB's points: the fields follow from the tables.

    example: what a bare page shows, by name of the field
    players: the players of the example, by category
    """

    example: Mapping[str, str]
    players: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RatingCalculation:
    """How to calculate a rating: the fields are the reader's rating and games.

    example: what a bare page shows, by name of the field
    """

    example: Mapping[str, str]


Calculation = PlacesCalculation | PointsCalculation | RatingCalculation
