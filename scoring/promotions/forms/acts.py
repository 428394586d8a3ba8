"""The forms of the acts of a campaign."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import Category
from scoring.promotions.acts.base import REASON_LENGTH
from scoring.promotions.acts.claims import TEXT_LENGTH
from scoring.promotions.models import PromotionRuleSet

STAYS = "-"


def day_field(**options) -> forms.DateField:
    """Return a date field that uses the browser's date picker."""
    widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(widget=widget, **options)


def reason_field(**options) -> forms.CharField:
    """Return a single-line field for the reason of an act, which goes into the campaign's log."""
    return forms.CharField(label=_("Reason"), max_length=REASON_LENGTH, **options)


class ActForm(forms.Form):
    """The form of an act. Its cleaned data are keyword arguments of the act's `perform`.

    A form may have a required checkbox `sure` to confirm the act. It is not among the cleaned data.

    result: what `perform` returned, after a successful `submit`
    """

    result: Any = None

    def clean(self) -> dict:
        cleaned = super().clean()
        cleaned.pop("sure", None)
        return cleaned

    def submit(self, perform: Callable[..., Any], *args, **kwargs) -> bool:
        """Call `perform` with these arguments and the cleaned data. Return whether the act was performed.

        Return False if the form is unbound or invalid. If `perform` raises ValidationError, add the error to
        the form and return False. Whatever `perform` returns is stored as `result`.
        """
        if not self.is_valid():
            return False
        try:
            self.result = perform(*args, **kwargs, **self.cleaned_data)
        except ValidationError as error:
            self.add_error(None, error)
            return False
        return True


class ReasonForm(ActForm):
    """The form of an act that requires a reason."""

    reason = reason_field(help_text=_("It stays in the log of the campaign."))


class SureForm(ReasonForm):
    """The form of an act that is hard to undo. It requires a reason and a ticked confirmation."""

    sure = forms.BooleanField(label=_("Yes, I want to do this."))


class DatesForm(ActForm):
    """The form for the rule set and the dates of a campaign."""

    rule_set = forms.ModelChoiceField(
        PromotionRuleSet.objects.filter(family="aeb"), label=_("Rules"), empty_label=None
    )
    intake_until = day_field(
        label=_("Last day for late results"),
        help_text=_("The lists can be frozen from the day after."),
    )
    effective_on = day_field(
        label=_("The new categories hold from"),
        help_text=_(
            "After the claims are over. If the change is applied later, they hold from the day it is applied."
        ),
    )


class OpenForm(DatesForm):
    """The form to open a campaign."""

    field_order = ["year", "rule_set", "intake_until", "effective_on"]

    year = forms.IntegerField(
        label=_("Year"), min_value=2000, max_value=2999, help_text=_("The points of this whole year count.")
    )


class FreezeAgainForm(ActForm):
    """The form of a repeated freeze. Unlike the first freeze, it requires a reason."""

    reason = reason_field(help_text=_("Why the lists are made again. It stays in the log of the campaign."))


class TargetField(forms.ChoiceField):
    """A field to choose the category that a player moves to, or that the player stays.

    The cleaned value is a Category, or None if the player stays.
    """

    def __init__(self, **kwargs) -> None:
        super().__init__(widget=forms.RadioSelect, **kwargs)

    def offer(self, present: Category | None, targets: list[Category]) -> None:
        """Set the choices: moving to one of `targets`, or staying in `present`."""
        self.targets = {target.code: target for target in targets}
        stays = gettext("stays in %(code)s") % {"code": present.code} if present else gettext("stays")
        moves = [(code, gettext("moves to %(code)s") % {"code": code}) for code in self.targets]
        # Put the usual choices first: the first target, which is the next category up, and staying.
        self.choices = [*moves[:1], (STAYS, stays), *moves[1:]]

    def clean(self, value: str) -> Category | None:
        code = super().clean(value)
        return self.targets.get(code)


class TargetForm(ActForm):
    """Base class of forms with a `TargetField` named `target`."""

    def __init__(self, *args, present: Category | None, targets: list[Category], **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["target"].offer(present, targets)


class DecisionForm(TargetForm):
    """The form for a decision that a player moves or stays, whatever the list says."""

    target = TargetField(label=_("The player"))
    reason = reason_field(
        help_text=_("The committee reads it, and it stays in the log. The player's page does not show it.")
    )


class ApproveForm(ActForm):
    """The form to approve the lists that the page shows. `digest` is the digest of these lists."""

    digest = forms.CharField(widget=forms.HiddenInput, max_length=64)
    sure = forms.BooleanField(label=_("I have looked at the lists and approve them."))


class PublishForm(ActForm):
    """The form to publish the lists. It asks for the last day on which players may contest them."""

    claims_until = day_field(label=_("Last day for claims"))


class ClaimForm(ActForm):
    """The form for a player's claim against a published list."""

    text = forms.CharField(
        label=_("What you contest, and why"),
        max_length=TEXT_LENGTH,
        widget=forms.Textarea({"rows": 6}),
        help_text=_("Name the tournament or the figure that you think is wrong."),
    )


class AnswerForm(TargetForm):
    """The form for the office's answer to a claim.

    If the claim is accepted, the form requires a target: the player's new category, or that the player stays.
    """

    accepted = forms.TypedChoiceField(
        label=_("The claim is"),
        choices=[("1", _("accepted")), ("0", _("not accepted"))],
        coerce=lambda value: value == "1",
        widget=forms.RadioSelect,
    )
    target = TargetField(
        label=_("If it is accepted, the player"),
        required=False,
        help_text=_("Leave it empty when the claim is not accepted."),
    )
    text = forms.CharField(
        label=_("Answer"),
        max_length=TEXT_LENGTH,
        widget=forms.Textarea({"rows": 5}),
        help_text=_("The player reads it."),
    )

    def clean(self) -> dict:
        """Require a target if the claim is accepted."""
        cleaned = super().clean()
        if cleaned.get("accepted") and not self.data.get(self.add_prefix("target")):
            self.add_error("target", gettext("Say where the player goes now that the claim is accepted."))
        return cleaned


class ApplyForm(ActForm):
    """The form to apply a campaign. It asks only for a confirmation."""

    sure = forms.BooleanField(label=_("Yes, give the new categories."))


class ScheduleForm(ActForm):
    """The form to schedule the application of a campaign. It asks for the day."""

    due_on = day_field(
        label=_("Apply on"), help_text=_("It is applied early on that day, if nothing is missing by then.")
    )
