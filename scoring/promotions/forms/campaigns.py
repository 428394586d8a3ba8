"""Forms for the steps of the year-end category change."""

from datetime import date

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import Category
from scoring.promotions.models import (
    CampaignAct,
    CampaignClaim,
    CampaignDecision,
    ClaimAnswer,
    PromotionRuleSet,
)

REASON_LENGTH = CampaignAct._meta.get_field("reason").max_length
TEXT_LENGTH = CampaignClaim._meta.get_field("text").max_length
STAYS = "-"


def day_field(**options) -> forms.DateField:
    """Return a field for a day with the browser's date picker."""
    widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(widget=widget, **options)


def reason_field(**options) -> forms.CharField:
    """Return a field for the reason of a step, one line for the log."""
    return forms.CharField(label=_("Reason"), max_length=REASON_LENGTH, **options)


class DatesForm(forms.Form):
    """The rules and the dates of a campaign."""

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

    def clean(self) -> dict:
        """Check that the new categories begin after the last day for late results."""
        cleaned = super().clean()
        intake, effective = cleaned.get("intake_until"), cleaned.get("effective_on")
        if intake and effective and effective <= intake:
            self.add_error("effective_on", gettext("This day must be after the last day for late results."))
        return cleaned


class OpenForm(DatesForm):
    """A new campaign."""

    field_order = ["year", "rule_set", "intake_until", "effective_on"]

    year = forms.IntegerField(
        label=_("Year"), min_value=2000, max_value=2999, help_text=_("The points of this whole year count.")
    )


class PlainForm(forms.Form):
    """A step that only needs its button."""


class SureForm(forms.Form):
    """A step that is hard to undo: requires a reason, and a tick against mistakes."""

    reason = reason_field(help_text=_("It stays in the log of the campaign."))
    sure = forms.BooleanField(label=_("Yes, I want to do this."))


class ReasonForm(forms.Form):
    """A step that requires a reason."""

    reason = reason_field(help_text=_("It stays in the log of the campaign."))


class AgainForm(forms.Form):
    """A repeated freeze. Unlike the first one, it requires a reason."""

    reason = reason_field(help_text=_("Why the lists are made again. It stays in the log of the campaign."))


class ApproveForm(forms.Form):
    """Approval of the lists on the page, which `digest` identifies."""

    digest = forms.CharField(widget=forms.HiddenInput, max_length=64)
    sure = forms.BooleanField(label=_("I have looked at the lists and approve them."))


class PublishForm(forms.Form):
    """The last day on which players may contest the lists."""

    claims_until = day_field(label=_("Last day for claims"))


class ScheduleForm(forms.Form):
    """The day on which the change is applied automatically."""

    due_on = day_field(
        label=_("Apply on"), help_text=_("It is applied early on that day, if nothing is missing by then.")
    )

    def __init__(self, *args, first: date, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.first = first

    def clean_due_on(self) -> date:
        """Check that the day is not before `first`."""
        day = self.cleaned_data["due_on"]
        if day < self.first:
            raise ValidationError(gettext("This day is over: choose a later one."))
        return day


class ApplyForm(forms.Form):
    """Confirmation to change the categories."""

    sure = forms.BooleanField(label=_("Yes, give the new categories."))


class TargetField(forms.ChoiceField):
    """The category that a player moves to, or staying. Cleans to a Category, or to None for staying."""

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


class DecisionForm(forms.Form):
    """A decision that a player moves or stays, whatever the list says."""

    target = TargetField(label=_("The player"))
    reason = forms.CharField(
        label=_("Reason"),
        max_length=CampaignDecision._meta.get_field("reason").max_length,
        help_text=_("The committee reads it, and it stays in the log. The player's page does not show it."),
    )

    def __init__(self, *args, present: Category | None, targets: list[Category], **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["target"].offer(present, targets)


class ClaimForm(forms.Form):
    """A player's claim against the list."""

    text = forms.CharField(
        label=_("What you contest, and why"),
        max_length=TEXT_LENGTH,
        widget=forms.Textarea({"rows": 6}),
        help_text=_("Name the tournament or the figure that you think is wrong."),
    )


class AnswerForm(forms.Form):
    """The office's answer to a claim. An accepted claim needs a target for the player."""

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
        max_length=ClaimAnswer._meta.get_field("text").max_length,
        widget=forms.Textarea({"rows": 5}),
        help_text=_("The player reads it."),
    )

    def __init__(self, *args, present: Category | None, targets: list[Category], **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["target"].offer(present, targets)

    def clean(self) -> dict:
        """Check that an accepted claim says how the list changes."""
        cleaned = super().clean()
        if cleaned.get("accepted") and not self.data.get(self.add_prefix("target")):
            self.add_error("target", gettext("Say where the player goes now that the claim is accepted."))
        return cleaned
