"""The part of an upload's form about points systems: shown only where there is more than one."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring import systems
from scoring.models import ScoringFactor
from scoring.place_wording import RATINGS, RESTRICTIONS
from scoring.regulations.acbl.tables import MOST_SESSIONS
from scoring.regulations.sbf_2019.rules import MOST_DECIMALS
from scoring.regulations.sbf_2019.tables import PLACES_TABLES
from scoring.systems.aeb import FAMILY

BLANK = ("", "---------")
EVERY_CASE = _("Any")


def kind_choices() -> list:
    """The kinds of event of the other systems, a group each."""
    return [
        (system.label, [(code, str(label)) for code, label in system.kinds]) for system in systems.others()
    ]


def add_fields(form: forms.Form) -> None:
    """Add the choice of the system and each system's own data, none of which is required by itself."""
    swedish, american = _("Swedish points only."), _("ACBL overall awards only.")
    form.fields["family"] = forms.ChoiceField(
        label=_("Points system"),
        choices=[(system.family, system.label) for system in systems.offered()],
        initial=FAMILY,
    )
    form.fields["decimals"] = forms.IntegerField(
        label=_("Decimals of the points"), min_value=0, max_value=MOST_DECIMALS, required=False,
        help_text=_("Swedish points only; if blank, as the regulation has it on that day."),
    )  # fmt: skip
    form.fields["places_table"] = forms.ChoiceField(
        label=_("Table of places"), choices=[BLANK, *((name, name) for name in PLACES_TABLES)],
        required=False, help_text=swedish,
    )  # fmt: skip
    form.fields["tables"] = forms.DecimalField(
        label=_("Tables"), min_value=1, max_digits=6, decimal_places=1, step_size=0.5, required=False,
        help_text=_("ACBL overall awards only; if blank, from the number of players."),
    )  # fmt: skip
    form.fields["rating"] = forms.ChoiceField(
        label=_("Rating of the tournament"), choices=[BLANK, *RATINGS.items()], required=False,
        help_text=american,
    )  # fmt: skip
    form.fields["sessions"] = forms.IntegerField(
        label=_("Sessions"), min_value=1, max_value=MOST_SESSIONS, required=False, help_text=american
    )
    form.fields["restriction"] = forms.ChoiceField(
        label=_("Who may play"), choices=[BLANK, *RESTRICTIONS.items()], required=False, help_text=american
    )
    form.fields["limit"] = _case_field("M", _("Masterpoint limit"), american)
    form.fields["contest"] = _case_field("T", _("Type of contest"), american)


def _case_field(factor: str, label: Any, help_text: Any) -> forms.ChoiceField:
    """A choice among the cases for which the office has entered a factor."""
    cases = ScoringFactor.objects.filter(name=factor).exclude(case="").order_by("case")
    choices = [("", EVERY_CASE), *((case, case) for case in cases.values_list("case", flat=True).distinct())]
    return forms.ChoiceField(label=label, choices=choices, required=False, help_text=help_text)


def check(form: forms.Form, values: dict[str, Any]) -> None:
    """Make kind and system agree; a system with a single kind needs no choice of it."""
    system = systems.of(values.get("family") or FAMILY)
    kinds = dict(system.kinds)
    others = {code for each in systems.others() for code, _label in each.kinds}
    if len(kinds) == 1:
        form.errors.pop("event_type", None)
        values["event_type"] = next(iter(kinds))
    elif not _fits(values.get("event_type"), kinds, others):
        form.add_error("event_type", gettext("This points system has no such type: choose again."))
    if values.get("event_type") == "overall" and "rating" in values and not values["rating"]:
        form.add_error("rating", gettext("Overall awards depend on the rating: choose one."))


def _fits(event_type: str | None, kinds: dict, others: set[str]) -> bool:
    """Whether a system with these kinds takes the type; without kinds, whatever is no other's."""
    return event_type is None or (event_type in kinds if kinds else event_type not in others)


def details(values: dict[str, Any]) -> dict[str, Any]:
    """The system and its own data as an upload keeps them: JSON, decimals as text, nothing blank."""
    system = systems.of(values["family"])
    params = {name: values[name] for name in system.params if values.get(name) not in (None, "")}
    if "tables" in params:
        params["tables"] = f"{params['tables'].normalize():f}"
    return {"family": system.family, "params": params}
