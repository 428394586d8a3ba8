"""Which of the calculator's forms an address asks for."""

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
    """The adjustment for strength needs the results of every board: there is nothing to type."""

    template = "strength"

    def rivals(self) -> list[tuple[str, str]]:
        return []


FORMS: dict[str, type[CalculatorForm]] = {
    "aeb": AebForm,
    "sbf": SwedishForm,
    "sbf-silver": SwedishForm,
    "acbl": AmericanForm,
    "egf": GoForm,
    "strength": StrengthForm,
}


def in_force(day: date) -> Scheme:
    """The regulation that the page starts with."""
    family = sorted(regulations.of_family(FAMILY), key=lambda each: each.valid_from)
    return [each for each in family if each.valid_from <= day or each is family[0]][-1]


def form_of(given: Mapping[str, str], day: date) -> CalculatorForm:
    """The form of the regulation that the parameters name; of an unknown one, with the error beside it."""
    known = {each.code: each for each in regulations.ALL}
    regulation = known.get(given.get("reglamento", ""), in_force(day))
    return FORMS[regulation.family](given, regulation, day)
