"""Forms of clubs and regions, and of the list of roles."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.club_fields import filter_field
from players.models import Club, Region, Role
from scoring.office.forms.persons import reason_field
from ui.fields import LineField

NO_PERSON = _("It stays in the history. Only the office and auditors read it.")


class _OrganisationForm(forms.ModelForm):
    """Base of the forms of a club and of a region, with the reason for the change."""

    reason = reason_field(NO_PERSON)

    class Meta:
        fields: tuple[str, ...] = ()  # those of the subclass

    def _post_clean(self) -> None:
        """Leave the instance alone: the service validates and stores the values."""

    @property
    def values(self) -> dict[str, Any]:
        """The values of the fields, by name."""
        return {name: self.cleaned_data[name] for name in self._meta.fields if name in self.fields}


class ClubForm(_OrganisationForm):
    """The entry of a club."""

    class Meta:
        model = Club
        fields = ("code", "name", "region", "city")
        field_classes = {"code": LineField, "name": LineField, "city": LineField}  # noqa: RUF012


class RegionForm(_OrganisationForm):
    """The entry of a region."""

    class Meta:
        model = Region
        fields = ("code", "name")
        field_classes = {"code": LineField, "name": LineField}  # noqa: RUF012


class ClosingForm(forms.Form):
    """The reason for closing a club, or for opening it again."""

    reason = reason_field(NO_PERSON)


class FindClubForm(forms.Form):
    """Filter the list of clubs."""

    q = forms.CharField(label=_("Clubs called"), max_length=100, required=False)
    region = forms.ModelChoiceField(
        Region.objects.all(),
        label=_("of the region"),
        required=False,
        empty_label=_("any"),
        to_field_name="slug",
    )


class FindRoleForm(forms.Form):
    """Filter the list of roles."""

    rol = forms.ChoiceField(label=_("Role"), required=False)
    club = filter_field(_("in the club"))
    region = forms.ModelChoiceField(
        Region.objects.all(),
        label=_("in the region"),
        required=False,
        empty_label=_("any"),
        to_field_name="slug",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rol"].choices = [("", _("any")), *Role.Kind.choices]  # type: ignore[attr-defined]
