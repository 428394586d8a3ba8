"""The base class of the calculator's forms. Renaming a form field breaks links, which contain its name."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.urls import reverse
from django.utils.formats import get_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring import regulations
from scoring.ledger import systems
from scoring.ledger.context import context_of
from scoring.ledger.wording import regulation_name
from scoring.regulations.calculation import PlacesCalculation
from scoring.regulations.families import FAMILIES

MOST_CONTESTANTS = 5_000
LISTED = 500  # the most places that a page lists


def page_address(parameters: Mapping[str, Any]) -> str:
    """Return the URL of the calculator with these query parameters, in this order."""
    return f"{reverse('calculator')}?{urlencode(parameters)}"


def regulation_choices(regulation: Any) -> list:
    """Return the listed regulations as form choices, grouped by publisher, the latest of each family first.

    regulation: the chosen one, whose family is listed even if it is not offered any more
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    for family in FAMILIES:
        if not (systems.is_listed(family.code) or family.code == regulation.family):
            continue
        choices = groups.setdefault(gettext(family.publisher), [])
        for listed in reversed(regulations.of_family(family.code)):
            choices.append((listed.code, regulation_name(listed.code)))
    return list(groups.items())


class NumberField(forms.DecimalField):
    """A number field that accepts a decimal comma or point, so that a link works in both languages."""

    def __init__(self, **kwargs) -> None:
        super().__init__(**{"required": False, **kwargs})
        self.widget = forms.TextInput({"inputmode": "decimal", "maxlength": 12})

    def to_python(self, value):
        return super().to_python(value.replace(",", ".", 1) if isinstance(value, str) else value)

    def prepare_value(self, value):
        """Show the figure of an address with the reader's decimal mark, and anything else as it was typed."""
        if isinstance(value, str) and re.fullmatch(r"\d+[.,]\d+", value):
            mark = get_format("DECIMAL_SEPARATOR")
            return re.sub("[.,]", mark, value)
        return value


def contestants_field(help_text: Any) -> forms.IntegerField:
    """Return a form field for the number of contestants."""
    return forms.IntegerField(
        label=_("Contestants"), min_value=1, max_value=MOST_CONTESTANTS, help_text=help_text
    )


class CalculatorForm(forms.Form):
    """Base class of the calculator's forms: each asks for a hypothetical tournament under one regulation.

    A subclass adds the fields that its regulations need. The user may compare the regulation with another
    one; a subclass may offer other choices, by replacing `alternatives`.
    """

    template: ClassVar[str]  # name of the page's template in the folder calculator/

    reglamento = forms.ChoiceField(label=_("Regulation"))

    def __init__(self, query: Mapping[str, str], regulation: Any, day: date) -> None:
        self.regulation, self.day = regulation, day
        self.calculation = regulations.DECLARATIONS[regulation.code].calculation
        self.context = context_of(regulation, day)
        super().__init__({"reglamento": regulation.code, **self.with_example(query)})
        self.fields["reglamento"].choices = regulation_choices(regulation)
        if alternatives := self.alternatives():
            choices = [("", _("nothing")), *alternatives]
            self.fields["comparar"] = forms.ChoiceField(
                label=_("Compare with"), required=False, choices=choices
            )

    def with_example(self, query: Mapping[str, str]) -> dict[str, str]:
        """Return the query parameters. Missing parameters get the values of the example."""
        data = {**self.example, **query}
        code = data.get("comparar", "")
        if code in comparable() and code not in dict(self.alternatives()):
            data["comparar"] = ""  # a value that only made sense for the regulation chosen before
        return data

    @property
    def example(self) -> Mapping[str, str]:
        """The initial values of the form, by query parameter."""
        return {}

    def alternatives(self) -> list[tuple[str, str]]:
        """Return (value, name) of each regulation or variant with which the regulation can be compared."""
        return [
            (candidate.code, regulation_name(candidate.code))
            for candidate in reversed(regulations.of_family(self.regulation.family))
            if candidate is not self.regulation
        ]

    @property
    def title(self) -> str:
        """The name of the chosen regulation."""
        return regulation_name(self.regulation.code)

    @property
    def schemes(self) -> list[Any]:
        """The regulation of a valid form and, if one is chosen, the regulation to compare it with."""
        code = self.cleaned_data.get("comparar")
        return [self.regulation, regulations.get(code)] if code else [self.regulation]

    @property
    def references(self) -> list[tuple[str, str]]:
        """The (code, name) of a valid form's regulation and, if chosen, of the one to compare it with."""
        return [(scheme.code, regulation_name(scheme.code)) for scheme in self.schemes]

    @property
    def question_fields(self) -> list[forms.BoundField]:
        """The form fields that the page shows below the choice of the regulation, in order."""
        return [self[name] for name in self.fields if name != "reglamento"]

    @property
    def parameters(self) -> dict[str, Any]:
        """The query parameters of a valid form, except the regulation. Empty parameters are included."""
        return {name: self.cleaned_data.get(name) for name in self.fields if name != "reglamento"}

    @property
    def address(self) -> str:
        """The URL of a valid form's page, without empty parameters."""
        parameters = {
            name: f"{value:f}" if hasattr(value, "as_tuple") else value
            for name, value in self.parameters.items()
            if value not in (None, "")
        }
        return page_address({"reglamento": self.regulation.code, **parameters})


def comparable() -> set[str]:
    """Return every value that the query parameter `comparar` can have in the form of any regulation.

    The values are codes of regulations and names of variants.
    """
    values = {regulation.code for regulation in regulations.ALL}
    for declaration in regulations.DECLARATIONS.values():
        if isinstance(declaration.calculation, PlacesCalculation):
            values |= set(declaration.calculation.variant_names)
    return values
