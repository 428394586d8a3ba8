"""The fields of an upload's form that depend on the points system.

They are the event type and the further data that only one system uses.
"""

import re
from collections.abc import Mapping
from copy import deepcopy
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import get_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.ledger import systems
from scoring.ledger.models import ScoringFactor
from scoring.ledger.place_wording import RATINGS, RESTRICTIONS
from scoring.ledger.systems.aeb import FAMILY
from scoring.regulations.acbl.tables import MOST_SESSIONS
from scoring.regulations.sbf_2019.rules import MOST_DECIMALS
from scoring.regulations.sbf_2019.tables import PLACES_TABLES

BLANK = ("", "---------")
ANY_CASE = _("Any")
HALVES = re.compile(r"[0-9]{1,4}([.,][05]0*)?")
STORED_HALVES = re.compile(r"[0-9]+\.5")
OVERALL_ONLY = _("Overall awards only.")


class WholeNumberField(forms.IntegerField):
    """A whole number in an <input type="text">.

    From an <input type="number"> browsers send nothing if the text is not a number, so no error could be
    shown.
    """

    widget = forms.TextInput

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "inputmode": "numeric", "maxlength": 20}


class HalvesField(forms.Field):
    """A number such as 5 or 5.5, with a comma or a point, in an <input type="text">."""

    widget = forms.TextInput
    default_error_messages = {  # noqa: RUF012 (Django's own name)
        "invalid": _("Write a number from 1 on, with a half if need be: 5 or 5.5.")
    }

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "inputmode": "decimal", "maxlength": 20}

    def prepare_value(self, value: Any) -> Any:
        """Return a stored number with the language's decimal separator. Return any other text unchanged."""
        text = str(value)
        return text.replace(".", get_format("DECIMAL_SEPARATOR")) if STORED_HALVES.fullmatch(text) else value

    def to_python(self, value: Any) -> Decimal | None:
        text = str(value or "").strip()
        if not text:
            return None
        if not HALVES.fullmatch(text) or (number := Decimal(text.replace(",", "."))) < 1:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return number


def system_of(form: forms.Form) -> systems.System:
    """Return the points system of a form: the submitted one if it is offered, else the initial one."""
    initial = form.initial.get("family") or FAMILY
    submitted = form.data.get(form.add_prefix("family")) if form.is_bound else None
    offered = {system.family for system in systems.offered()}
    return systems.of(submitted if submitted in offered else initial)


FIELDS: dict[str, forms.Field] = {
    "decimals": WholeNumberField(
        label=_("Decimals of the points"),
        min_value=0,
        max_value=MOST_DECIMALS,
        required=False,
        help_text=_("If blank, as the regulation has it on that day."),
    ),
    "places_table": forms.ChoiceField(
        label=_("Table of places"),
        choices=[BLANK, *((name, name) for name in PLACES_TABLES)],
        required=False,
    ),
    "tables": HalvesField(
        label=_("Tables"),
        required=False,
        help_text=_("Overall awards only; if blank, from the number of players."),
    ),
    "rating": forms.ChoiceField(
        label=_("Rating of the tournament"),
        choices=[BLANK, *RATINGS.items()],
        required=False,
        help_text=OVERALL_ONLY,
    ),
    "sessions": WholeNumberField(
        label=_("Sessions"), min_value=1, max_value=MOST_SESSIONS, required=False, help_text=OVERALL_ONLY
    ),
    "restriction": forms.ChoiceField(
        label=_("Who may play"),
        choices=[BLANK, *RESTRICTIONS.items()],
        required=False,
        help_text=OVERALL_ONLY,
    ),
    "limit": forms.ChoiceField(label=_("Masterpoint limit"), required=False, help_text=OVERALL_ONLY),
    "contest": forms.ChoiceField(label=_("Type of contest"), required=False, help_text=OVERALL_ONLY),
}
# For a field that offers the cases for which the office has entered a factor, the name of the factor.
FACTORS = {"limit": "M", "contest": "T"}


def add_fields(form: forms.Form, system: systems.System) -> None:
    """Add a hidden field for the points system, and a field for each of the system's further data.

    Users choose the system with links or buttons outside these fields. A program may leave it out, and then
    the form is that of `system_of`.
    """
    form.fields["family"] = forms.ChoiceField(
        label=_("Points system"),
        choices=[(system.family, system.label)],
        initial=system.family,
        required=False,
        widget=forms.HiddenInput,
    )
    for name in system.params:
        form.fields[name] = deepcopy(FIELDS[name])
        if name in FACTORS:
            cases = ScoringFactor.objects.filter(name=FACTORS[name]).exclude(case="").order_by("case")
            names = cases.values_list("case", flat=True).distinct()
            form.fields[name].choices = [("", ANY_CASE), *((case, case) for case in names)]


def set_kind_choices(form: forms.Form, system: systems.System) -> None:
    """Set the choices of the field `event_type`. If the system has only one event type, remove the field.

    system: a points system with its own event types
    """
    if len(system.kinds) == 1:
        del form.fields["event_type"]
    else:
        form.fields["event_type"].choices = [BLANK, *system.kinds]


def check_system(form: forms.Form, system: systems.System, values: dict[str, Any]) -> None:
    """Check and complete the values of a form for a points system.

    If the system was left out, add it to `values`, except for the federation's own, which needs no value. If
    the system has only one event type, add that. Add an error if the event type is "overall" and
    the rating of the tournament is missing.
    """
    if "family" not in form.errors and system.family != FAMILY:
        values["family"] = system.family
    if len(system.kinds) == 1:
        values["event_type"] = system.kinds[0][0]
    if values.get("event_type") == "overall" and "rating" in values and not values["rating"]:
        form.add_error("rating", gettext("Overall awards depend on the rating: choose one."))


def system_details(values: dict[str, Any], stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the points system and its further data as JSON for storage.

    Decimals are text; blanks are left out.

    values: the valid values of the form
    stored: the values stored now, which are kept for fields with an invalid value
    """
    system = systems.of(values["family"])
    params = {name: values.get(name, stored.get(name)) for name in system.params}
    params = {name: value for name, value in params.items() if value not in (None, "")}
    if isinstance(params.get("tables"), Decimal):
        params["tables"] = f"{params['tables'].normalize():f}"
    return {"family": system.family, "params": params}
