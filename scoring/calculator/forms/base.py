"""What the calculator's forms share. Their fields are the parameters of pages that people send each other."""

from collections.abc import Mapping
from datetime import date
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring import regulations
from scoring.calculator.working import MOST_CONTESTANTS, page_address
from scoring.ledger.wording import regulation_name
from scoring.regulations.sbf_2019.tables import PLACES_TABLES

# The regulations by who wrote them, as the first field offers them.
GROUPS = (
    ("AEB", ("aeb",)),
    (_("Swedish federation"), ("sbf", "sbf-silver")),
    ("ACBL", ("acbl",)),
    (_("European Go Federation"), ("egf",)),
    (_("Strength of the opponents"), ("strength",)),
)


def regulation_choices() -> list:
    """Every regulation, the latest of each family first, by who wrote it."""
    return [
        (
            str(label),
            [
                (each.code, regulation_name(each.code))
                for family in families
                for each in reversed(regulations.of_family(family))
            ],
        )
        for label, families in GROUPS
    ]


class NumberField(forms.DecimalField):
    """A number with a comma or a point, so that one address works in both languages."""

    def __init__(self, **kwargs) -> None:
        super().__init__(**{"required": False, **kwargs})
        self.widget = forms.TextInput({"inputmode": "decimal", "maxlength": 12})

    def to_python(self, value):
        return super().to_python(value.replace(",", ".", 1) if isinstance(value, str) else value)


def contestants_field(help_text: Any) -> forms.IntegerField:
    """How many took part."""
    return forms.IntegerField(
        label=_("Contestants"), min_value=1, max_value=MOST_CONTESTANTS, help_text=help_text
    )


class CalculatorForm(forms.Form):
    """A question to one regulation. A subclass adds its fields and `rivals`, what it can be compared with."""

    template: ClassVar[str]  # of the page, in the folder calculator/
    EXAMPLE: ClassVar[Mapping[str, str]] = {}

    reglamento = forms.ChoiceField(label=_("Regulation"))

    def __init__(self, given: Mapping[str, str], regulation: Any, day: date) -> None:
        self.regulation, self.day = regulation, day
        super().__init__({"reglamento": regulation.code, **self.completed(given)})
        self.fields["reglamento"].choices = regulation_choices()
        if rivals := self.rivals():
            choices = [("", _("nothing")), *rivals]
            self.fields["comparar"] = forms.ChoiceField(
                label=_("Compare with"), required=False, choices=choices
            )

    def completed(self, given: Mapping[str, str]) -> dict[str, str]:
        """The parameters of an address, with the example for those that it leaves out."""
        data = {**self.EXAMPLE, **given}
        asked = data.get("comparar", "")
        if asked in COMPARABLE and asked not in dict(self.rivals()):
            data["comparar"] = ""  # of a regulation chosen before: nothing is left to compare with
        return data

    def rivals(self) -> list[tuple[str, str]]:
        """(value, name) of what the chosen regulation can be compared with."""
        return [
            (each.code, regulation_name(each.code))
            for each in reversed(regulations.of_family(self.regulation.family))
            if each is not self.regulation
        ]

    @property
    def title(self) -> str:
        """The name of the chosen regulation."""
        return regulation_name(self.regulation.code)

    @property
    def schemes(self) -> list[Any]:
        """The regulation of a valid form and, if there is one, the regulation to compare it with."""
        code = self.cleaned_data.get("comparar")
        return [self.regulation, regulations.get(code)] if code else [self.regulation]

    @property
    def references(self) -> list[tuple[str, str]]:
        """(code, name) of the regulations that a valid form is about."""
        return [(each.code, regulation_name(each.code)) for each in self.schemes]

    @property
    def asked_fields(self) -> list[forms.BoundField]:
        """All fields but the choice of the regulation, in their order."""
        return [self[name] for name in self.fields if name != "reglamento"]

    @property
    def parameters(self) -> dict[str, Any]:
        """What the address of a valid form says besides the regulation, empty values included."""
        return {name: self.cleaned_data.get(name) for name in self.fields if name != "reglamento"}

    @property
    def address(self) -> str:
        """The address of a valid form's page, without what says nothing."""
        said = {
            name: f"{value:f}" if hasattr(value, "as_tuple") else value
            for name, value in self.parameters.items()
            if value not in (None, "")
        }
        return page_address({"reglamento": self.regulation.code, **said})


# Everything that some regulation can be compared with.
COMPARABLE = {*(each.code for each in regulations.ALL), *PLACES_TABLES}
