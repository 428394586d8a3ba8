"""Forms of the office's pages of accounts; each makes one of `players.services.account_changes`."""

from django import forms
from django.contrib.auth import get_user_model
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import Club, Proposal, Region, Role
from players.services import account_changes as changes
from players.services.account_changes import Change
from scoring.office.forms.lists import PlayerNumberField

REASON_LENGTH = Proposal._meta.get_field("reason").max_length
OF_CLUB = {Role.Kind.DIRECTOR, Role.Kind.CLUB_ADMIN}


class ChangeForm(forms.Form):
    """What all changes of one account have in common: the reason, for a second person."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        required=False,  # the service says when it is needed
        help_text=_("Needed where a second person has to approve it."),
    )

    field_order = ["kind", "club", "region", "number", "email", "reason"]

    def __init__(self, account, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.account = account

    def change(self) -> Change:
        """The change that was asked for; only of a valid form."""
        raise NotImplementedError


class GiveRoleForm(ChangeForm):
    """A role for an account: of a club, of a region, or of the whole federation."""

    kind = forms.ChoiceField(label=_("Role"), choices=Role.Kind.choices)
    club = forms.ModelChoiceField(
        Club.objects.all(),
        label=_("Club"),
        required=False,
        help_text=_("For a director or a club administrator."),
    )
    region = forms.ModelChoiceField(
        Region.objects.all(), label=_("Region"), required=False, help_text=_("For a region's administrator.")
    )

    def clean(self) -> dict:
        """The club or region that the role is for, and no other."""
        cleaned = super().clean()
        kind = cleaned.get("kind")
        wanted = {"club": kind in OF_CLUB, "region": kind == Role.Kind.REGION_ADMIN}
        for name, needed in wanted.items():
            if needed and not cleaned.get(name) and name not in self.errors:
                self.add_error(name, gettext("Say for which one: this role is not for the whole federation."))
            elif not needed and cleaned.get(name):
                self.add_error(name, gettext("Leave this empty: the role is not for one of these."))
        return cleaned

    def change(self) -> Change:
        typed = self.cleaned_data
        return changes.GiveRole(self.account, typed["kind"], typed["club"], typed["region"])


class TakeRoleForm(ChangeForm):
    """A role of the account to take away."""

    role = forms.ModelChoiceField(Role.objects.none(), widget=forms.HiddenInput)

    def __init__(self, account, data=None, **kwargs) -> None:
        if data:  # a page has one of these for each role
            kwargs["auto_id"] = f"take{data.get('role', '')}_%s"
        super().__init__(account, data, **kwargs)
        self.fields["role"].queryset = account.roles.select_related("club", "region")

    def change(self) -> Change:
        role = self.cleaned_data["role"]
        return changes.TakeRole(self.account, role.kind, role.club, role.region)


class LinkForm(ChangeForm):
    """Whose account it is."""

    number = PlayerNumberField()

    def change(self) -> Change:
        return changes.Link(self.account, self.cleaned_data["number"])


class UnlinkForm(ChangeForm):
    """Nobody's any more."""

    def change(self) -> Change:
        return changes.Unlink(self.account, self.account.player)


class AddressForm(ChangeForm):
    """Another e-mail address, or none."""

    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("Links for a new password go there. Empty: the office prints codes instead."),
    )

    def change(self) -> Change:
        return changes.SetAddress(self.account, self.cleaned_data["email"])


class OpenForm(ChangeForm):
    """Close an open account, or open a closed one."""

    def change(self) -> Change:
        return (changes.Close if self.account.is_active else changes.Reopen)(self.account)


# What the page of an account posts in `action`.
FORMS: dict[str, type[ChangeForm]] = {
    "give": GiveRoleForm, "take": TakeRoleForm, "link": LinkForm, "unlink": UnlinkForm,
    "address": AddressForm, "open": OpenForm,
}  # fmt: skip


class NewAccountForm(forms.ModelForm):
    """A new account; its roles come after it."""

    class Meta:
        model = get_user_model()
        fields = ["username", "first_name", "last_name", "email"]
        help_texts = {"username": _("Letters, digits and @ . + - _ only; the person signs in with it.")}

    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("Links for a new password go there. Empty: the office prints codes instead."),
    )

    def clean_email(self) -> str:
        """No two accounts have one address: a link for a new password would go to both."""
        email = self.cleaned_data["email"]
        if email and get_user_model().objects.filter(email__iexact=email).exists():
            raise forms.ValidationError(gettext("Another account has that address."))
        return email


class FindAccountForm(forms.Form):
    """Which accounts to list."""

    q = forms.CharField(label=_("Name, username or address"), max_length=100, required=False)
    rol = forms.ChoiceField(label=_("with the role"), required=False)

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rol"].choices = [("", _("any role, or none")), *Role.Kind.choices]
