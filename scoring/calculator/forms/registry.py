"""Functions that choose the calculator's form for a regulation."""

from collections.abc import Mapping
from datetime import date
from types import NoneType

from scoring import regulations
from scoring.calculator.forms.aeb import AebForm
from scoring.calculator.forms.base import CalculatorForm
from scoring.calculator.forms.go import GoForm
from scoring.calculator.forms.placed import PlacedForm
from scoring.ledger.evaluation import FAMILY
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.calculation import PlacesCalculation, PointsCalculation, RatingCalculation


class StrengthForm(CalculatorForm):
    """A form without fields, because the adjustment for strength needs the results of every board."""

    template = "strength"

    def alternatives(self) -> list[tuple[str, str]]:
        return []


# The form class, by the type of the calculation that a regulation declares.
FORMS: dict[type, type[CalculatorForm]] = {
    PointsCalculation: AebForm,
    PlacesCalculation: PlacedForm,
    RatingCalculation: GoForm,
    NoneType: StrengthForm,
}


def default_regulation(day: date) -> Scheme:
    """Return the AEB regulation in force on the day, or the first one if the day is before all of them."""
    family = sorted(regulations.of_family(FAMILY), key=lambda scheme: scheme.valid_from)
    return [scheme for scheme in family if scheme.valid_from <= day or scheme is family[0]][-1]


def form_for(query: Mapping[str, str], day: date) -> CalculatorForm:
    """Return the form of the regulation that the query names.

    If its code is unknown, return the default regulation's form, which shows an error.
    """
    by_code = {regulation.code: regulation for regulation in regulations.ALL}
    regulation = by_code.get(query.get("reglamento", ""), default_regulation(day))
    declared = regulations.DECLARATIONS[regulation.code].calculation
    return FORMS[type(declared)](query, regulation, day)
