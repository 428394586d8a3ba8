"""The choice of the calculator's form by regulation."""

from collections.abc import Mapping
from datetime import date

from scoring import regulations
from scoring.calculator.forms.aeb import AebForm
from scoring.calculator.forms.base import CalculatorForm
from scoring.calculator.forms.go import GoForm
from scoring.calculator.forms.placed import AmericanForm, SwedishForm
from scoring.ledger.evaluation import FAMILY
from scoring.regulations.aeb.scheme import Scheme


class StrengthForm(CalculatorForm):
    """A form without fields: the adjustment for strength needs the results of every board."""

    template = "strength"

    def alternatives(self) -> list[tuple[str, str]]:
        return []


FORMS: dict[str, type[CalculatorForm]] = {
    "aeb": AebForm,
    "sbf": SwedishForm,
    "sbf-silver": SwedishForm,
    "acbl": AmericanForm,
    "egf": GoForm,
    "strength": StrengthForm,
}


def default_regulation(day: date) -> Scheme:
    """Return the AEB regulation in force on the day, or the first one on an earlier day."""
    family = sorted(regulations.of_family(FAMILY), key=lambda scheme: scheme.valid_from)
    return [scheme for scheme in family if scheme.valid_from <= day or scheme is family[0]][-1]


def form_for(query: Mapping[str, str], day: date) -> CalculatorForm:
    """Return the form of the regulation in the query, or of the default, which reports an unknown code."""
    by_code = {regulation.code: regulation for regulation in regulations.ALL}
    regulation = by_code.get(query.get("reglamento", ""), default_regulation(day))
    return FORMS[regulation.family](query, regulation, day)
