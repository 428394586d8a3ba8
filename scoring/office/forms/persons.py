"""Forms that add persons, change their entries and correct their licences."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.club_fields import ClubField
from players.models import Club, Licence, Player, PlayerChange
from scoring.office.queries.persons import FIRST_YEAR, same_names
from ui.clock import today
from ui.fields import LineField

REASON_LENGTH = PlayerChange._meta.get_field("reason").max_length


IN_THE_COPY = _(
    "It stays in the history. The office and auditors read it, and the person too, in the copy of their data."
)


def reason_field(help_text: Any = IN_THE_COPY) -> forms.CharField:
    """Return a form field for the reason of a change. The service requires it."""
    return forms.CharField(label=_("Reason"), max_length=REASON_LENGTH, help_text=help_text)


def day_field(label: Any, **options: Any) -> forms.DateField:
    """Return a form field for a day."""
    return forms.DateField(
        label=label, widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"), **options
    )


class PersonForm(forms.ModelForm):
    """The entry of a person in the register, with the reason for the change."""

    reason = reason_field()

    class Meta:
        model = Player
        fields = (
            "number",
            "given_name",
            "surname",
            "club",
            "email",
            "birth_year",
            "hidden",
            "deceased_on",
        )
        field_classes = {"given_name": LineField, "surname": LineField, "club": ClubField}  # noqa: RUF012
        widgets = {  # noqa: RUF012
            "deceased_on": forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
            "number": forms.TextInput({"inputmode": "numeric", "autocomplete": "off"}),
            "birth_year": forms.NumberInput({"inputmode": "numeric"}),
            "email": forms.EmailInput({"autocomplete": "off"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = self.instance.club_id
        clubs = Club.objects.filter(active=True) | Club.objects.filter(pk=own)
        self.fields["club"].queryset = clubs  # type: ignore[attr-defined]
        self.fields["club"].empty_label = gettext("without a club")  # type: ignore[attr-defined]

    def clean_number(self) -> str:
        """Return the number without spaces, dots and leading zeros."""
        number = re.sub(r"[\s.]", "", self.cleaned_data["number"]).lstrip("0")
        if not number.isascii() or (number and not number.isdecimal()):
            raise forms.ValidationError(gettext("A federation number has digits only."))
        return number

    def clean_birth_year(self) -> int | None:
        year = self.cleaned_data["birth_year"]
        if year and not FIRST_YEAR <= year <= today().year:
            text = gettext("Write the year with four digits, from %(first)s until today.")
            raise forms.ValidationError(text % {"first": FIRST_YEAR})
        return year

    def clean_deceased_on(self):
        day = self.cleaned_data["deceased_on"]
        if day and day > today():
            raise forms.ValidationError(gettext("This day has not come yet."))
        return day

    def _post_clean(self) -> None:
        """Leave the instance alone: the service validates and stores the values."""

    @property
    def values(self) -> dict[str, Any]:
        """The values of the player's fields, by name."""
        return {name: self.cleaned_data[name] for name in self._meta.fields}


class EditPersonForm(PersonForm):
    """Change the entry of a person.

    seen: the `fingerprint` of the entry that the form shows
    """

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)


class NewPersonForm(PersonForm):
    """Add a person. If the register has persons of such a name, a tick says that it is another one.

    alike: the registered persons of such a name; set by validation
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["number"].required = False
        self.fields["number"].help_text = gettext("Empty: the number after the highest.")
        del self.fields["hidden"], self.fields["deceased_on"]
        self.order_fields(["given_name", "surname", "club", "birth_year", "email", "number", "reason"])
        self.alike: list[Player] = []

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if {"given_name", "surname"} <= cleaned.keys():
            self.alike = same_names(cleaned["given_name"], cleaned["surname"])
        if self.alike and self.data.get("another", "") != self.shown:
            self.add_error(
                None, gettext("The register has persons of such a name: look whether it is one of them.")
            )
        return cleaned

    @property
    def shown(self) -> str:
        """The value of the tick: the numbers of the persons that the page names beside it."""
        return " ".join(player.number for player in self.alike)

    @property
    def values(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self._meta.fields if name in self.fields}


class LicenceForm(forms.ModelForm):
    """A licence of a person, with the reason for adding or correcting it."""

    reason = reason_field()

    class Meta:
        model = Licence
        fields = ("valid_from", "valid_to", "issuer", "equivalent")
        field_classes = {"issuer": LineField}  # noqa: RUF012
        widgets = {  # noqa: RUF012
            name: forms.DateInput({"type": "date"}, format="%Y-%m-%d") for name in ("valid_from", "valid_to")
        }

    def _post_clean(self) -> None:
        """Leave the instance alone: the service validates and stores the values."""

    @property
    def values(self) -> dict[str, Any]:
        """The values of the licence's fields, by name."""
        return {name: self.cleaned_data[name] for name in self._meta.fields}


class RemoveForm(forms.Form):
    """The reason for removing a licence."""

    reason = reason_field()
