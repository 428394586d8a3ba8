"""The form for a rule set with its rules, one per category. It is saved as a whole."""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, ClassVar

from crispy_forms.helper import FormHelper
from django import forms
from django.db.models import Q
from django.forms.utils import ErrorDict
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import Category
from scoring.promotions.criteria import CRITERIA
from scoring.promotions.forms.fields import two_decimals
from scoring.promotions.models import PromotionRule, PromotionRuleSet, RuleSetChange
from scoring.promotions.services import rule_sets
from scoring.promotions.wording import source_of
from ui.fields import LineField

NOTE_LENGTH = RuleSetChange._meta.get_field("note").max_length
# The form field of a figure, by the figure's name, if the two names differ.
FIELD_NAMES = {"valid_from": "first_year"}
# Figures that every category has to have of its own.
OWN_FIGURES = frozenset({"target", "demotion_target"})


class FiguresForm(forms.Form):
    """A form for the columns of a model instance that `FIGURES` names.

    `apply` sets the columns on the instance. This is not a ModelForm, because `services.rule_sets` validates
    the values, with messages of its own.
    """

    FIGURES: ClassVar[Sequence[str]]

    def __init__(self, data: Any, instance: Any, **kwargs) -> None:
        self.instance = instance
        initial = {name: getattr(instance, name) for name in self.FIGURES}
        super().__init__(data, initial=initial, **kwargs)

    def apply(self) -> None:
        """Set the cleaned figures on the instance, without saving it."""
        for name in self.FIGURES:
            setattr(self.instance, name, self.cleaned_data[name])


class RuleSetForm(FiguresForm):
    """The form for the figures of a rule set that apply to all categories, and for the reason of a change."""

    FIGURES = ("name", "average", "field_weight", "claims_days", "source", "confirmed")

    name = LineField(label=_("Name"), max_length=80)
    first_year = forms.IntegerField(
        label=_("First year"),
        min_value=2000,
        max_value=2100,
        help_text=_(
            "The first year end these figures hold for. The years before it keep the rules that they have."
        ),
    )
    average = forms.ChoiceField(
        label=_("Modified average"),
        choices=PromotionRuleSet.Average.choices,
        help_text=_("How a player's modified average is worked out."),
    )
    field_weight = two_decimals(
        _("Percentage points for a tenth of C4"),
        99,
        help_text=_("What a session without boards is shifted by for each tenth between field and player."),
    )
    claims_days = forms.IntegerField(
        label=_("Days for claims"),
        min_value=1,
        max_value=90,
        help_text=_("How long a published list can be contested."),
    )
    source = forms.CharField(
        label=_("Source"),
        max_length=300,
        help_text=_("The document the figures come from, its date and page. Nothing is confirmed without."),
    )
    confirmed = forms.BooleanField(
        label=_("Confirmed by the federation"),
        required=False,
        help_text=_("Until then pages call these rules proposed. Each category is confirmed by itself."),
    )
    note = forms.CharField(
        label=_("Why, and by which document"),
        max_length=NOTE_LENGTH,
        help_text=_("It stays in the history with every figure before and after."),
    )
    read = forms.CharField(widget=forms.HiddenInput, max_length=64)

    def __init__(self, data: Any, instance: PromotionRuleSet, read: str) -> None:
        super().__init__(data, instance)
        first = (rule_sets.open_from(instance) if instance.pk else None) or instance.valid_from.year
        self.initial |= {"first_year": first, "read": read}
        self.stored = (instance.name, instance.valid_from.year) if instance.pk else None
        self.initial["source"] = source_of(instance)

    def clean_source(self) -> str:
        """Return the source to store.

        The form shows the source text of the shipped rule sets in the user's language. If the user has not
        changed that text, return the original.
        """
        source = self.cleaned_data["source"]
        return rule_sets.PROPOSAL if source == gettext(rule_sets.PROPOSAL) else source

    def apply(self) -> None:
        super().apply()
        year = self.cleaned_data["first_year"]
        self.instance.valid_from = rule_sets.year_end(year)
        if self.stored and self.instance.name == self.stored[0] and year > self.stored[1]:
            # This creates a new set, and the user has not named it.
            self.instance.name = rule_sets.usual_name(self.instance.family, year)


class RuleForm(FiguresForm):
    """The form for one category's rule, shown as one row of the page.

    The forms have no help texts, because the page explains the columns only once.
    """

    FIGURES = rule_sets.RULE_FIGURES

    confirmed = forms.BooleanField(label=_("Confirmed by the federation"), required=False)

    field_order = FIGURES

    def __init__(self, data: Any, instance: PromotionRule, categories: Sequence[Category]) -> None:
        own = instance.category
        super().__init__(data, instance, prefix=own.code.lower())
        up = [category for category in categories if category.order > own.order]
        down = [category for category in categories if category.order < own.order]
        self.fields |= deepcopy({criterion.column: criterion.field for criterion in CRITERIA})
        self.fields["target"] = category_field(_("Moves up to"), _("nobody moves up"), up)
        self.fields["demotion_target"] = category_field(_("Moves down to"), _("nobody moves down"), down)
        self.order_fields(self.field_order)
        self.initial |= {"target": instance.target_id, "demotion_target": instance.demotion_target_id}
        self.helper = FormHelper()
        self.helper.form_show_labels = False  # the table names the figure and the category
        for field in self.fields.values():
            field.widget.attrs["aria-label"] = f"{field.label}, {own.code}"


def category_field(label: Any, nobody: Any, categories: Iterable[Category]) -> forms.TypedChoiceField:
    """Return a form field to choose one of `categories`, or no category. It makes no queries.

    nobody: label of the choice of no category
    """
    by_id = {str(category.pk): category for category in categories}
    choices = [("", nobody), *((pk, category.code) for pk, category in by_id.items())]
    return forms.TypedChoiceField(
        label=label, choices=choices, coerce=by_id.__getitem__, empty_value=None, required=False
    )


@dataclass(frozen=True, slots=True)
class Figure:
    """A row of the form's table: one figure of the rules of all categories.

    cells: the form field of each category
    may_be_same: whether the value of the first category can be given to all
    """

    name: str
    label: Any
    cells: list[forms.BoundField]
    may_be_same: bool


def same_for_all(data: QueryDict, name: str, prefixes: Sequence[str]) -> QueryDict:
    """Return the data of the form with the first category's value of a figure in the rules of all categories.

    name: the figure; the data stay as they are if it is none that all categories can have in common
    prefixes: the prefixes of the rules' forms
    """
    copied = data.copy()
    if name not in rule_sets.RULE_FIGURES or name in OWN_FIGURES:
        return copied
    value = data.get(f"{prefixes[0]}-{name}")
    for prefix in prefixes[1:]:
        copied.pop(f"{prefix}-{name}", None)
        if value is not None:  # a box without a tick is not sent
            copied[f"{prefix}-{name}"] = value
    return copied


class RuleSetEditor:
    """The forms of a rule set and of its rules, handled together.

    read: digest of the figures as they are stored now; the form sends back the digest of those with which it
        was filled
    is_outdated: whether somebody else has stored changes since the form was filled
    """

    def __init__(
        self, data: Any, rule_set: PromotionRuleSet, rules: Iterable[PromotionRule], read: str
    ) -> None:
        self.is_outdated = data is not None and data.get("read", read) != read
        if self.is_outdated:
            # Whoever was warned may store: the figures that the form shows then are no accident.
            data = data.copy()
            data["read"] = read
        self.form = RuleSetForm(data, rule_set, read)
        reachable = Q(is_title=False) | Q(code__startswith=rule_sets.TITLES_BY_POINTS)
        categories = list(Category.objects.filter(reachable).order_by("order"))
        by_category = {rule.category_id: rule for rule in rules}
        self.rows = [
            RuleForm(data, by_category.get(category.pk) or PromotionRule(category=category), categories)
            for category in rule_sets.ladder_on(rule_set.valid_from)
        ]

    @property
    def figures(self) -> list[Figure]:
        """The rows of the form's table."""
        first = self.rows[0]
        return [
            Figure(name, field.label, [row[name] for row in self.rows], name not in OWN_FIGURES)
            for name, field in first.fields.items()
        ]

    @property
    def faulty_rows(self) -> list[RuleForm]:
        """The rule forms that have errors."""
        return [row for row in self.rows if row.errors]

    def leave_unchecked(self) -> None:
        """Let the forms show what was entered without errors, because nothing is to be stored yet."""
        for form in (self.form, *self.rows):
            form._errors, form.cleaned_data = ErrorDict(), {}

    def is_valid(self) -> bool:
        """Validate every field, then the rule set as a whole. Return whether there are no errors.

        Errors are added to the fields to which they belong.
        """
        all_forms = (self.form, *self.rows)
        if not all([form.is_valid() for form in all_forms]):
            return False
        for form in all_forms:
            form.apply()
        rows = {row.instance.category_id: row for row in self.rows}
        for category, field, text in rule_sets.problems(self.form.instance, self._rules()):
            form = self.form if category is None else rows[category]
            form.add_error(FIELD_NAMES.get(field, field), text)
        return not any(form.errors for form in all_forms)

    def save(self, by) -> PromotionRuleSet:
        """Save the rule set with its rules, and return it. Raises the same errors as `rule_sets.save`."""
        values = self.form.cleaned_data
        return rule_sets.save(
            self.form.instance, self._rules(), read=values["read"], by=by, note=values["note"]
        )

    def _rules(self) -> list[PromotionRule]:
        return [row.instance for row in self.rows]
