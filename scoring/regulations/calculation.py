"""What the calculator asks about a hypothetical tournament, as data.

`scoring.calculator` builds its forms from these declarations and computes the answers.
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

    name: the query parameter; never rename it, because people share the links
    key: the name of the event's field that takes the value
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
    """One of the cases for which the office has entered a factor, or any case.

    The form has no such field if the office has entered no cases.

    factor: name of the factor
    """

    factor: str


FormField = WholeField | NumberField | ChoiceField | CaseField


@dataclass(frozen=True, slots=True)
class Variants:
    """The values of a choice field that the calculator compares, instead of comparing regulations.

    field: name of the choice field
    label: the label of a variant; ``%(name)s`` stands for its value
    """

    field: str
    label: Text


@dataclass(frozen=True, slots=True)
class PlacesCalculation:
    """How to calculate points by place, from the number of contestants and the fields.

    fields: the form's fields besides the number of contestants
    event: builds the event from the keyword arguments of its ranking, the fields' values by key, and the
    factors by name
    example: returns the values that the page shows without a query string, by name of the field
    factors: fields for factors that the reader may enter, which replace the office's
    needed: names of the factors without which nothing can be calculated
    """

    fields: Sequence[FormField]
    event: Callable[[Mapping[str, Any], Mapping[str, Any], dict[str, Decimal]], PlacedEvent]
    example: Callable[[Context], Mapping[str, str]]
    factors: Sequence[NumberField] = ()
    needed: Sequence[str] = ()
    variants: Variants | None = None

    @property
    def variant_names(self) -> list[str]:
        """The values of the choice field of `variants`; empty if there are no variants."""
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

    example: the values that the page shows without a query string, by name of the field
    players: the number of players of the example, by category
    """

    example: Mapping[str, str]
    players: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RatingCalculation:
    """How to calculate a rating: the fields are the reader's rating and games.

    example: the values that the page shows without a query string, by name of the field
    """

    example: Mapping[str, str]


Calculation = PlacesCalculation | PointsCalculation | RatingCalculation
