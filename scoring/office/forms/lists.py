"""Forms to import lists, and to assign and revoke categories by hand."""

from datetime import date
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.models import Category, CategoryAssignment, Player
from scoring.office.models import OfficeImport
from tournaments.formats import registry
from tournaments.forms import PlayerNumberField, UploadedFileField
from ui.formatting import format_date

REASON_LENGTH = CategoryAssignment._meta.get_field("reason").max_length
EVIDENCE_LENGTH = CategoryAssignment._meta.get_field("evidence").max_length


class ImportForm(forms.Form):
    """Upload a list to import: of players, licences, categories or opening awards."""

    kind = forms.ChoiceField(label=_("List of"), choices=OfficeImport.Kind.choices)
    file = UploadedFileField(
        registry.TABLES,
        label=_("File"),
        help_text=_(
            "%(formats)s, at most %(limit)s MB; rows: at most %(rows)s. Any headings do: the page asks for "
            "what it cannot tell."
        ),
        too_large="list_too_large",
    )


class ApplyForm(forms.Form):
    """Apply an imported list. The hidden digest identifies the plan that the preview showed."""

    digest = forms.CharField(widget=forms.HiddenInput, max_length=64)


class SecondPersonForm(forms.Form):
    """The reason and document for applying an imported list.

    The form does not require them. The service does if a second person must approve the list.
    """

    reason = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH, required=False)
    evidence = forms.CharField(
        label=_("Document"),
        max_length=EVIDENCE_LENGTH,
        required=False,
        help_text=_("Minutes with their date and point, a letter, a web address."),
    )


class UndoForm(forms.Form):
    """The reason for undoing an imported list.

    The form also asks for a document if a second person must approve the undoing.
    """

    digest = forms.CharField(widget=forms.HiddenInput, max_length=64)
    reason = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH)
    evidence = forms.CharField(label=_("Document"), max_length=EVIDENCE_LENGTH)

    def __init__(self, *args, second: bool, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        if not second:
            del self.fields["evidence"]


class FindPlayerForm(forms.Form):
    """A form to find a player by the number in the query string."""

    numero = PlayerNumberField()

    @classmethod
    def from_request(cls, request: HttpRequest) -> "FindPlayerForm":
        """Return the form bound to the query string, or an unbound form if that has no number."""
        return cls(request.GET if "numero" in request.GET else None)

    @property
    def player(self) -> Player | None:
        """The player with the number; None if the form is unbound or the number is invalid."""
        return self.cleaned_data["numero"] if self.is_bound and self.is_valid() else None


def evidence_field() -> forms.CharField:
    """Return a form field for the document that records the decision."""
    return forms.CharField(
        label=_("Evidence"),
        max_length=EVIDENCE_LENGTH,
        help_text=_(
            "The document that the decision stands in: minutes with their date and point, a letter, a web "
            "address. The player can read this too."
        ),
    )


class CategoryForm(forms.Form):
    """Assign a category or title by hand."""

    category = forms.ModelChoiceField(Category.objects.all(), label=_("Category"), empty_label=None)
    valid_from = forms.DateField(
        label=_("From"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Tournaments scored before keep the coefficient C4 they were scored with."),
    )
    reason = forms.CharField(
        label=_("Reason"), max_length=REASON_LENGTH, help_text=_("It stays in the player's history.")
    )
    evidence = evidence_field()

    def __init__(self, *args: Any, day: date, **kwargs: Any) -> None:
        """Offer the categories of the ladder of `day` first, and those of earlier ladders in a group."""
        super().__init__(*args, **kwargs)
        offered = self.fields["category"].queryset  # type: ignore[attr-defined]
        ended = [item for item in offered if item.valid_to and item.valid_to < day]
        choices: list[Any] = [(item.pk, str(item)) for item in offered if item not in ended]
        for last in sorted({item.valid_to for item in ended}, reverse=True):
            title = gettext("Only until %(day)s") % {"day": format_date(last, get_language() or "")}
            choices.append((title, [(item.pk, str(item)) for item in ended if item.valid_to == last]))
        self.fields["category"].choices = choices  # type: ignore[attr-defined]


class LaterCategoryConfirmation(forms.Form):
    """Confirm assigning a category although the player already has an assignment from a later day on.

    The new category ends when the later one begins.

    follows: the id of the later assignment
    """

    follows = forms.IntegerField(widget=forms.HiddenInput, required=False)
    meant = forms.BooleanField(
        label=_("Give it all the same: I know that it holds only until that day."), required=False
    )

    @property
    def confirmed(self) -> int | None:
        """Return the id of the later assignment if the box was ticked, else None."""
        values = self.cleaned_data if self.is_valid() else {}
        return values["follows"] if values.get("meant") else None


class RevokeForm(forms.Form):
    """The reason and document for revoking a category."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH)
    evidence = evidence_field()
