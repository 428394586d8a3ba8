"""Forms to propose adjustments, merges and scoring a tournament again, and to return a proposal."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.models import PlayerMerge, Proposal
from scoring.ledger import systems
from scoring.ledger.models import LedgerEntry
from scoring.ledger.wording import regulation_name
from scoring.office.services.adjustments import Adjustment
from tournaments.forms import PlayerNumberField
from tournaments.models import Tournament
from ui.formatting import parse_points

TITLE_LENGTH = LedgerEntry._meta.get_field("title").max_length
MOST = 10_000_000  # hundredths; a larger number is probably a typing error


class ReturnForm(forms.Form):
    """The reason for returning a proposal to the person who prepared it."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=Proposal._meta.get_field("decision_reason").max_length,
        required=False,  # the service's message is clearer
        help_text=_("Whoever prepared it reads this."),
    )


# --- Adjustments -----------------------------------------------------------------------------------------
def reason_field() -> forms.CharField:
    """Return a form field for the reason of an adjustment. The player's page shows it beside the points."""
    return forms.CharField(
        label=_("Reason"),
        max_length=Proposal._meta.get_field("reason").max_length,
        help_text=_("Everybody can read it beside the points on the player's page."),
    )


def document_field() -> forms.CharField:
    """Return a form field for the reference of the document that records the decision."""
    return forms.CharField(
        label=_("Document"),
        max_length=Proposal._meta.get_field("evidence").max_length,
        help_text=_("Minutes with their date and point, a letter, a web address. The player reads it too."),
    )


class PointsField(forms.CharField):
    """Points with a sign, written as on pages ("12,5", "-3"). The cleaned value is in integer hundredths."""

    def clean(self, value: str) -> int | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            points = parse_points(text.removeprefix("+"), get_language() or "")
        except ValueError:
            raise ValidationError(gettext("Write points with at most two decimals.")) from None
        if not points or abs(points) > MOST:
            raise ValidationError(gettext("An adjustment gives or takes up to 100,000 points, and not none."))
        return points


class AdjustmentForm(forms.Form):
    """An adjustment of a player's points, with its reason and document."""

    points = PointsField(label=_("Points"), help_text=_("With a minus sign they are taken."))
    title = forms.CharField(
        label=_("Tournament or matter"),
        max_length=TITLE_LENGTH,
        help_text=_("What the points are for, as the player's page names it."),
    )
    played_on = forms.DateField(
        label=_("As of"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=_("They count for twelve months from this day."),
    )
    online = forms.TypedChoiceField(
        label=_("Venue"),
        choices=[("", _("In person")), ("1", _("Online"))],
        required=False,
        coerce=lambda value: value == "1",
        empty_value=False,
    )
    family = forms.ChoiceField(label=_("Points system"))
    reason = reason_field()
    evidence = document_field()

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        offered = systems.offered()
        self.fields["family"].choices = [(system.family, system.label) for system in offered]
        if len(offered) == 1:
            self.fields["family"].widget = forms.HiddenInput()
            self.initial.setdefault("family", offered[0].family)

    def adjustment(self, player_id: int) -> Adjustment:
        """Return the adjustment of this player's points. The form must be valid."""
        values = self.cleaned_data
        names = ("played_on", "title", "online", "points", "family")
        return Adjustment(player_id, **{name: values[name] for name in names})


class TakeBackForm(forms.Form):
    """The reason and document for taking an adjustment back."""

    reason = reason_field()
    evidence = document_field()


# --- Merges ----------------------------------------------------------------------------------------------
class TwoNumbersForm(forms.Form):
    """The two federation numbers to compare. The cleaned value of each is its player."""

    cede = PlayerNumberField(label=_("Number to give up"))
    queda = PlayerNumberField(label=_("Number to keep"))


class DuplicateAwardsConfirmation(forms.Form):
    """Confirm a merge of two numbers although both have an award with the same title and day.

    The merge keeps both awards.

    seen: fingerprint of the awards that the page showed
    """

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64, required=False)
    meant = forms.BooleanField(
        label=_("I have looked at these awards: both stay, and both count."), required=False
    )

    @property
    def confirmed(self) -> str:
        """Return the fingerprint of the awards shown if the box was ticked, else ""."""
        values = self.cleaned_data if self.is_valid() else {}
        return values["seen"] if values.get("meant") else ""


class MergeReasonForm(forms.Form):
    """The reason for merging two numbers or undoing the merge."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=PlayerMerge._meta.get_field("reason").max_length,
        help_text=_("Everybody can read it beside the points on the player's page."),
    )


# --- Scoring again ---------------------------------------------------------------------------------------
class RegulationForm(forms.Form):
    """Choose the regulation under which to compute the tournament's points for comparison.

    The cleaned value is the regulation object.
    """

    reglamento = forms.ChoiceField(label=_("Score by"))

    def __init__(self, data: Any, regulations: list[Any], own: Any) -> None:
        """Offer these regulations as choices.

        own: the regulation in force on the tournament's last day, which is labelled as such
        """
        super().__init__(data)
        self.by_code = {regulation.code: regulation for regulation in regulations}
        self.fields["reglamento"].choices = [
            (code, f"{regulation_name(code)}{gettext(' (that of its day)') if regulation is own else ''}")
            for code, regulation in self.by_code.items()
        ]

    def clean_reglamento(self) -> Any:
        return self.by_code[self.cleaned_data["reglamento"]]


class RescoreForm(forms.Form):
    """The reason for scoring the tournament again."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=Tournament._meta.get_field("override_reason").max_length,
        help_text=_("Everybody can read it beside the points."),
    )
