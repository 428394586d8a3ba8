"""Forms of the office: lists to import, categories by hand, directors of a club."""

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import Category, CategoryAssignment, Player
from players.services.roles import account_named
from scoring.office.models import OfficeImport
from tournaments.formats.licence import normalise

REASON_LENGTH = CategoryAssignment._meta.get_field("reason").max_length
EVIDENCE_LENGTH = CategoryAssignment._meta.get_field("evidence").max_length


class ImportForm(forms.Form):
    """A list and what it is a list of."""

    kind = forms.ChoiceField(label=_("List of"), choices=OfficeImport.Kind.choices)
    file = forms.FileField(
        label=_("File"),
        help_text=_("CSV or XLSX with the headings of the template, at most 5 MB and 20,000 rows."),
        allow_empty_file=True,  # the reader says it better
    )

    def clean_file(self):
        """Refuse a huge file before it is read."""
        file = self.cleaned_data["file"]
        if file.size > settings.UPLOAD_LIMIT:
            sizes = {"size": filesizeformat(file.size), "limit": filesizeformat(settings.UPLOAD_LIMIT)}
            raise ValidationError(
                gettext("The file has %(size)s; the most is %(limit)s. Split the list in two.") % sizes
            )
        return file


class ApplyForm(forms.Form):
    """Consent to what the preview shows: `digest` says which preview."""

    digest = forms.CharField(widget=forms.HiddenInput, max_length=64)
    agreed = forms.BooleanField(label=_("I have read the warnings and the list is right."), required=False)


class SecondForm(forms.Form):
    """Asked where a second person decides on a list; the service says it where they are missing."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH, required=False)
    evidence = forms.CharField(
        label=_("Document"),
        max_length=EVIDENCE_LENGTH,
        required=False,
        help_text=_("Minutes with their date and point, a letter, a web address."),
    )


class UndoForm(forms.Form):
    """Why a list is undone; and, where a second person decides, the document that says so."""

    digest = forms.CharField(widget=forms.HiddenInput, max_length=64)
    reason = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH)
    evidence = forms.CharField(label=_("Document"), max_length=EVIDENCE_LENGTH)

    def __init__(self, *args, by_two: bool, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        if not by_two:
            del self.fields["evidence"]


class PlayerNumberField(forms.CharField):
    """A federation number, which cleans to its player."""

    def __init__(self, **kwargs) -> None:
        kwargs.setdefault("label", _("Player number"))
        super().__init__(max_length=20, **kwargs)
        self.widget.attrs.update(inputmode="numeric", autocomplete="off")

    def clean(self, value: str) -> Player | None:
        text = super().clean(value)
        if not text:
            return None
        player = Player.objects.select_related("merged_into").filter(number=normalise(text) or "").first()
        if player is None:
            raise ValidationError(gettext("There is no player with number %(number)s.") % {"number": text})
        if player.merged_into_id:
            message = gettext("Number %(number)s was merged into %(kept)s: use that one.")
            raise ValidationError(message % {"number": player.number, "kept": player.merged_into.number})
        return player


class FindPlayerForm(forms.Form):
    """Whom a page of the office is about: the player that its address names by number."""

    numero = PlayerNumberField()

    @classmethod
    def of(cls, request: HttpRequest) -> "FindPlayerForm":
        """The form of an address; unbound where the address names nobody."""
        return cls(request.GET if "numero" in request.GET else None)

    @property
    def player(self) -> Player | None:
        """The player, or None while nobody, or an unknown number, is named."""
        return self.cleaned_data["numero"] if self.is_bound and self.is_valid() else None


def evidence_field() -> forms.CharField:
    """Asked for with every reason: what somebody can look up years later."""
    return forms.CharField(
        label=_("Evidence"),
        max_length=EVIDENCE_LENGTH,
        help_text=_(
            "The document that the decision stands in: minutes with their date and point, a letter, a web "
            "address. The player can read this too."
        ),
    )


class CategoryForm(forms.Form):
    """A category or title by hand."""

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


class OvertakenForm(forms.Form):
    """Asked where another category takes the place of the one to be given: `follows` is its assignment."""

    follows = forms.IntegerField(widget=forms.HiddenInput, required=False)
    meant = forms.BooleanField(
        label=_("Give it all the same: I know that it holds only until that day."), required=False
    )

    @property
    def known(self) -> int | None:
        """The assignment (id) that the giver knows of, once they ticked that it is meant so."""
        said = self.cleaned_data if self.is_valid() else {}
        return said["follows"] if said.get("meant") else None


class RevokeForm(forms.Form):
    """Why a category is taken back."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH)
    evidence = evidence_field()


class DirectorForm(forms.Form):
    """An account that is to direct tournaments of a club."""

    account = forms.CharField(
        label=_("Username or e-mail address"),
        max_length=254,
        help_text=_("Of an account that exists; the federation office makes new ones."),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def clean_account(self):
        """The account itself."""
        return account_named(self.cleaned_data["account"])
