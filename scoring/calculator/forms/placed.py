"""The calculator's form for points by place, built from the declaration in the regulation's folder."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import partial

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring import regulations
from scoring.calculator.forms.base import CalculatorForm, NumberField, contestants_field
from scoring.calculator.working.placed import Question, question
from scoring.ledger.models import ScoringFactor
from scoring.ledger.texts import say
from scoring.ledger.wording import regulation_name
from scoring.regulations import calculation
from scoring.regulations.places.scheme import PlaceScheme

# The most digits of a number, by its number of decimals. Numbers of tables have one decimal, factors four.
MOST_DIGITS = {1: 5, 4: 8}


class PlacedForm(CalculatorForm):
    """A form for a hypothetical tournament under one regulation, two regulations or two variants of one."""

    template = "placed"

    participantes = contestants_field(_("Pairs or, in an individual, players."))

    def __init__(self, query: Mapping[str, str], regulation: PlaceScheme, day: date) -> None:
        super().__init__(query, regulation, day)
        codes = {regulation.code, self.data.get("comparar")}
        family = regulations.of_family(regulation.family)
        calculations = {scheme.code: calculation_of(scheme.code) for scheme in family if scheme.code in codes}
        for code, declared in calculations.items():
            self.fields |= _fields(code, declared.fields)
        comparison = {"comparar": self.fields.pop("comparar")} if "comparar" in self.fields else {}
        self.fields |= comparison
        for declared in calculations.values():
            self.fields |= {field.name: DRAW[type(field)](field) for field in declared.factors}

    @property
    def example(self) -> dict[str, str]:
        """The values with which the form is filled, including those for the family's other regulations."""
        values: dict[str, str] = {}
        for scheme in regulations.of_family(self.regulation.family):
            values |= calculation_of(scheme.code).example(self.context)
        return values | dict(self.calculation.example(self.context))

    def alternatives(self) -> list[tuple[str, str]]:
        """Return (value, name) of the variants of the regulation or, if none, of the other regulations."""
        variants = self.calculation.variants
        if variants is None:
            return super().alternatives()
        return [(name, self._variant_name(name)) for name in self.calculation.variant_names]

    def _variant_name(self, name: str) -> str:
        return say(self.calculation.variants.label % {"name": name})

    @property
    def schemes(self) -> list[PlaceScheme]:
        return [self.regulation] if self.calculation.variants else super().schemes

    def clean(self) -> dict:
        cleaned, variants = super().clean(), self.calculation.variants
        if variants and cleaned.get("comparar") and cleaned["comparar"] == cleaned.get(variants.field):
            cleaned["comparar"] = ""  # do not compare a variant with itself
        return cleaned

    @property
    def questions(self) -> list[Question]:
        """The questions of a valid form: the hypothetical tournament under each regulation or variant.

        They take one query for each regulation that uses factors.
        """
        variants = self.calculation.variants
        if variants is None:
            return [self._question(scheme, regulation_name(scheme.code), {}) for scheme in self.schemes]
        names = [self.cleaned_data[variants.field], *filter(None, [self.cleaned_data["comparar"]])]
        return [
            self._question(self.regulation, self._variant_name(name), {variants.field: name})
            for name in names
        ]

    def _question(self, scheme: PlaceScheme, label: str, changed: Mapping[str, str]) -> Question:
        declared = calculation_of(scheme.code)
        cleaned = {**self.cleaned_data, **changed}
        factors = {field.key: cleaned.get(field.name) for field in declared.factors}
        return question(
            label,
            scheme,
            declared,
            cleaned["participantes"],
            # A `CaseField` has no form field while the office has not entered any case.
            {field.key: cleaned.get(field.name, "") for field in declared.fields},
            self.day,
            {factor: value for factor, value in factors.items() if value is not None},
        )


def calculation_of(code: str) -> calculation.PlacesCalculation:
    """Return the form declaration of a regulation that awards points by place."""
    return regulations.DECLARATIONS[code].calculation


def _fields(code: str, declared: Sequence[calculation.FormField]) -> dict[str, forms.Field]:
    """Return the form fields for the declared fields of a regulation, by name.

    This takes one query if a field offers the cases that the office has entered.
    """
    cases = _cases(code, [field for field in declared if isinstance(field, calculation.CaseField)])
    drawn: dict[str, forms.Field] = {}
    for field in declared:
        if not isinstance(field, calculation.CaseField):
            drawn[field.name] = DRAW[type(field)](field)
        elif choices := cases[field.factor]:
            drawn[field.name] = forms.ChoiceField(
                label=say(field.label), required=False, choices=[("", _("Any")), *choices]
            )
    return drawn


def _cases(code: str, declared: list[calculation.CaseField]) -> dict[str, list[tuple[str, str]]]:
    """Return {name of a factor: form choices of the cases for which the office has entered it}."""
    names = [field.factor for field in declared]
    if not names:
        return {}
    factors = ScoringFactor.objects.filter(regulation=code, name__in=names).exclude(case="")
    entered = sorted(set(factors.values_list("name", "case")))
    return {name: [(case, case) for factor, case in entered if factor == name] for name in names}


def _whole(field: calculation.WholeField) -> forms.Field:
    return forms.IntegerField(
        label=say(field.label), min_value=field.least, max_value=field.most, help_text=say(field.help)
    )


def _number(field: calculation.NumberField) -> forms.Field:
    return NumberField(
        label=say(field.label),
        min_value=field.least,
        max_value=field.most,
        max_digits=MOST_DIGITS[field.decimals],
        decimal_places=field.decimals,
        help_text=say(field.help),
        validators=[partial(_check_step, field)] if field.step else [],
    )


def _check_step(field: calculation.NumberField, value: Decimal) -> None:
    # A number outside its limits already has an error, and may have too many digits for the division.
    if field.least <= value <= field.most and value % field.step:
        raise forms.ValidationError(say(field.not_a_step))


def _choice(field: calculation.ChoiceField) -> forms.Field:
    choices = [(value, say(label)) for value, label in field.choices]
    if field.whole:
        return forms.TypedChoiceField(label=say(field.label), choices=choices, coerce=int)
    return forms.ChoiceField(label=say(field.label), choices=choices)


DRAW = {
    calculation.WholeField: _whole,
    calculation.NumberField: _number,
    calculation.ChoiceField: _choice,
}
