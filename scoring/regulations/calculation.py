"""Declarations of the calculator's form. Its fields describe a tournament that a user makes up.

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

CALCULATOR_BOARDS = 999  # the most boards that the calculator accepts; the engine accepts more


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the calculator's form.

    name: the query parameter; never rename it, because users share links that contain it
    key: the field of the engine's event that gets the value
    """

    name: str
    key: str
    label: Words
    help: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeField(Field):
    """A field for a whole number."""

    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberField(Field):
    """An optional field for a decimal number, which must be a multiple of ``step`` if ``step`` is set."""

    least: Decimal
    most: Decimal
    decimals: int
    step: Decimal | None = None
    not_a_step: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceField(Field):
    """A field for one of several values. ``whole`` says that the values are whole numbers."""

    choices: Sequence[tuple[str, Words]]
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseField(Field):
    """A choice field whose values are the cases of a factor, such as the masterpoint limits of the factor M.

    The cases are those for which the federation's office has entered a value of the factor. The form omits
    the field if there are none.

    factor: the name of the factor
    """

    factor: str


FormField = WholeField | NumberField | ChoiceField | CaseField


@dataclass(frozen=True, slots=True)
class Variants:
    """Lets the calculator compare two values of a choice field, instead of two regulations.

    field: the name of the choice field
    label: the name of the variant with one of the values; ``%(name)s`` stands for the value
    """

    field: str
    label: Text


@dataclass(frozen=True, slots=True)
class PlacesCalculation:
    """The calculator's form under a regulation that awards points by place.

    fields: the form's fields besides the number of contestants
    event: function that builds the engine's event. It takes three mappings: the event's keyword arguments for
        the ranking, {key of a field: its value}, and {name of a factor: its value}
    example: returns {field name: value} for the page without a query string
    factors: fields for the values of factors, which replace the values that the office entered
    needed: names of the factors without which nothing can be calculated
    variants: the choice field whose values are compared, if there is one
    """

    fields: Sequence[FormField]
    event: Callable[[Mapping[str, Any], Mapping[str, Any], dict[str, Decimal]], PlacedEvent]
    example: Callable[[Context], Mapping[str, str]]
    factors: Sequence[NumberField] = ()
    needed: Sequence[str] = ()
    variants: Variants | None = None

    @property
    def variant_names(self) -> list[str]:
        """The values of the choice field that `variants` names; empty if ``variants`` is None."""
        choices = [field for field in self.fields if isinstance(field, ChoiceField)]
        return [
            value
            for field in choices
            if self.variants and field.name == self.variants.field
            for value, _label in field.choices
        ]


@dataclass(frozen=True, slots=True)
class PointsCalculation:
    """The calculator's form for the AEB's points, whose fields are derived from the regulation's tables.

    example: {field name: value} for the page without a query string
    players: {category: number of players} of the example
    """

    example: Mapping[str, str]
    players: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RatingCalculation:
    """The calculator's form for a rating, whose fields are a player's rating and games.

    example: {field name: value} for the page without a query string
    """

    example: Mapping[str, str]


Calculation = PlacesCalculation | PointsCalculation | RatingCalculation
