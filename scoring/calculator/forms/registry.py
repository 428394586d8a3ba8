"""The choice of the calculator's form by regulation."""

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
    """A form without fields: the adjustment for strength needs the results of every board."""

    template = "strength"

    def alternatives(self) -> list[tuple[str, str]]:
        return []


# The form by what the regulation's folder declares for the calculator.
FORMS: dict[type, type[CalculatorForm]] = {
    PointsCalculation: AebForm,
    PlacesCalculation: PlacedForm,
    RatingCalculation: GoForm,
    NoneType: StrengthForm,
}


def default_regulation(day: date) -> Scheme:
    """Return the AEB regulation in force on the day, or the first one on an earlier day."""
    family = sorted(regulations.of_family(FAMILY), key=lambda scheme: scheme.valid_from)
    return [scheme for scheme in family if scheme.valid_from <= day or scheme is family[0]][-1]


def form_for(query: Mapping[str, str], day: date) -> CalculatorForm:
    """Return the form of the regulation in the query, or of the default, which reports an unknown code."""
    by_code = {regulation.code: regulation for regulation in regulations.ALL}
    regulation = by_code.get(query.get("reglamento", ""), default_regulation(day))
    declared = regulations.DECLARATIONS[regulation.code].calculation
    return FORMS[type(declared)](query, regulation, day)
