"""The office's form for factors that a regulation leaves to the federation."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.ledger.models import ScoringFactor
from scoring.ledger.models.factors import OFFICE_FACTORS
from scoring.ledger.place_wording import NAMES, RATINGS
from scoring.regulations.acbl import CLUB_AWARDS, OVERALL
from scoring.regulations.acbl.shared import LARGEST_FACTOR

DEPTH = _("Depth: share of the field that earns points")


def factor_name(name: str) -> str | Promise:
    """Return the label of a factor."""
    return DEPTH if name == "depth" else NAMES[name]


if TYPE_CHECKING:
    Form = forms.ModelForm[ScoringFactor]
else:
    Form = forms.ModelForm  # at run time, ModelForm cannot be subscripted


class FactorForm(Form):
    """A form for the value of a factor, with its source.

    The value applies to tournaments that end on `valid_from` or later.
    """

    class Meta:
        model = ScoringFactor
        fields = ("regulation", "name", "case", "value", "source", "valid_from")
        widgets = {"valid_from": forms.DateInput({"type": "date"}, format="%Y-%m-%d")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        titles = [(scheme.code, gettext(scheme.title)) for scheme in (OVERALL, CLUB_AWARDS)]
        self.fields["regulation"] = forms.ChoiceField(label=_("Regulation"), choices=titles)
        names = [(name, factor_name(name)) for name in OFFICE_FACTORS[OVERALL.code]]
        self.fields["name"] = forms.ChoiceField(label=_("Factor"), choices=names)
        self.fields["case"].help_text = _(
            "Of M the masterpoint limit, of T the type of contest, of R the rating: unit, sectional, "
            "regional or national. Blank where it depends on nothing."
        )

    def clean(self) -> dict[str, Any]:
        super().clean()
        values = self.cleaned_data
        name, case = values.get("name"), values.get("case", "")
        if name not in OFFICE_FACTORS.get(values.get("regulation", ""), ()):
            self.add_error("name", gettext("This regulation has no such factor."))
        elif name == "depth" and values.get("value") and values["value"] > 1:
            self.add_error("value", gettext("A depth is a share: 1 at most."))
        elif name == "depth" and case:
            self.add_error("case", gettext("The depth depends on nothing: leave it blank."))
        elif name == "R" and case not in RATINGS:
            self.add_error("case", gettext("Write unit, sectional, regional or national."))
        return values

    def clean_value(self) -> Decimal:
        value: Decimal = self.cleaned_data["value"]
        if not 0 < value <= LARGEST_FACTOR:
            raise ValidationError(gettext("A factor is more than 0 and 1000 at most."))
        return value
