"""Forms that change accounts. Their method `change` returns a `players.services.account_changes.Change`."""

from django import forms
from django.contrib.auth import get_user_model
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.club_fields import ClubField
from players.models import Proposal, Region, Role
from players.services import account_changes as changes
from players.services import sign_in
from players.services.account_changes import Change
from tournaments.forms import PlayerNumberField
from ui.fields import LineField

REASON_LENGTH = Proposal._meta.get_field("reason").max_length
CLUB_ROLES = {Role.Kind.DIRECTOR, Role.Kind.CLUB_ADMIN}


class ChangeForm(forms.Form):
    """Base of the forms that change an account.

    The reason is required only if a second person must approve the change.
    """

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        required=False,  # the service raises an error if it is needed
        help_text=_("Needed where a second person has to approve it."),
    )

    field_order = ["kind", "club", "region", "number", "email", "reason"]

    def __init__(self, account, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.account = account

    def change(self) -> Change:
        """Return the requested change. The form must be valid."""
        raise NotImplementedError


class GiveRoleForm(ChangeForm):
    """Give the account a role in a club, a region or the whole federation."""

    kind = forms.ChoiceField(label=_("Role"), choices=Role.Kind.choices)
    club = ClubField(
        label=_("Club"),
        required=False,
        empty_label="—",
        help_text=_("For a director or a club administrator."),
    )
    region = forms.ModelChoiceField(
        Region.objects.all(),
        label=_("Region"),
        required=False,
        empty_label="—",
        help_text=_("For a region's administrator."),
    )

    def clean(self) -> dict:
        """Require the club or region that the role needs, and refuse one that the role does not need."""
        cleaned = super().clean()
        kind = cleaned.get("kind")
        required = {"club": kind in CLUB_ROLES, "region": kind == Role.Kind.REGION_ADMIN}
        for name, is_required in required.items():
            if is_required and not cleaned.get(name) and name not in self.errors:
                self.add_error(name, gettext("Say for which one: this role is not for the whole federation."))
            elif not is_required and cleaned.get(name):
                self.add_error(name, gettext("Leave this empty: the role is not for one of these."))
        return cleaned

    def change(self) -> Change:
        values = self.cleaned_data
        return changes.GiveRole(self.account, values["kind"], values["club"], values["region"])


class TakeRoleForm(ChangeForm):
    """Take a role away from the account."""

    role = forms.ModelChoiceField(Role.objects.none(), widget=forms.HiddenInput)

    def __init__(self, account, data=None, **kwargs) -> None:
        if data:  # The page has one such form for each role, so their fields need different ids.
            kwargs["auto_id"] = f"take{data.get('role', '')}_%s"
        super().__init__(account, data, **kwargs)
        self.fields["role"].queryset = account.roles.select_related("club", "region")

    def change(self) -> Change:
        role = self.cleaned_data["role"]
        return changes.TakeRole(self.account, role.kind, role.club, role.region)


class LinkForm(ChangeForm):
    """Link the account to its player."""

    number = PlayerNumberField()

    def change(self) -> Change:
        return changes.Link(self.account, self.cleaned_data["number"])


class UnlinkForm(ChangeForm):
    """Unlink the account from its player."""

    def change(self) -> Change:
        return changes.Unlink(self.account, self.account.player)


class AddressForm(ChangeForm):
    """Change or remove the account's e-mail address."""

    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("Links for a new password go there. Empty: the office prints codes instead."),
    )

    def change(self) -> Change:
        return changes.SetAddress(self.account, self.cleaned_data["email"])


class NameForm(ChangeForm):
    """Change the name of the account's owner."""

    first_name = LineField(label=_("First name"), max_length=150, required=False)
    last_name = LineField(label=_("Surname"), max_length=150, required=False)

    def __init__(self, account, *args, **kwargs) -> None:
        super().__init__(account, *args, **kwargs)
        del self.fields["reason"]  # nobody has to approve it
        for name in ("first_name", "last_name"):
            self.initial.setdefault(name, getattr(account, name))

    def change(self) -> Change:
        values = self.cleaned_data
        return changes.SetName(self.account, values["first_name"] or "", values["last_name"] or "")


class CodeForm(ChangeForm):
    """Request permission to print a code. With the code, the account's user sets a new password.

    A second person gives the permission.
    """

    def change(self) -> Change:
        return changes.AllowCode(self.account)


class FactorsForm(ChangeForm):
    """Remove the second factors of an account whose owner lost them."""

    def change(self) -> Change:
        return changes.RemoveFactors(self.account)


class OpenForm(ChangeForm):
    """Close an open account, or reopen a closed one."""

    def change(self) -> Change:
        return (changes.Close if self.account.is_active else changes.Reopen)(self.account)


# The forms by the `action` that the account's page posts.
FORMS: dict[str, type[ChangeForm]] = {
    "give": GiveRoleForm,
    "take": TakeRoleForm,
    "link": LinkForm,
    "unlink": UnlinkForm,
    "address": AddressForm,
    "name": NameForm,
    "code": CodeForm,
    "factors": FactorsForm,
    "open": OpenForm,
}


class NewAccountForm(forms.ModelForm):
    """Create an account. Roles are given later."""

    class Meta:
        model = get_user_model()
        fields = ["username", "first_name", "last_name", "email"]
        help_texts = {"username": _("Letters, digits and @ . + - _ only; the person signs in with it.")}

    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("Links for a new password go there. Empty: the office prints codes instead."),
    )

    def clean_username(self) -> str:
        """Refuse a username of digits only: people sign in with their federation number."""
        username = self.cleaned_data["username"]
        if sign_in.normal_number(username):
            raise forms.ValidationError(sign_in.ONLY_DIGITS)
        return username

    def clean_email(self) -> str:
        """Refuse the address of another account: password links would reach the wrong person."""
        email = self.cleaned_data["email"]
        if email and get_user_model().objects.filter(email__iexact=email).exists():
            raise forms.ValidationError(gettext("Another account has that address."))
        return email


class FindAccountForm(forms.Form):
    """Filter the list of accounts."""

    q = forms.CharField(label=_("Name, username or address"), max_length=100, required=False)
    rol = forms.ChoiceField(label=_("with the role"), required=False)

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rol"].choices = [("", _("any role, or none")), *Role.Kind.choices]
