"""Forms of the club desk."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.access import name_for
from players.models import Club, ClubToken, Licence, Player, Proposal
from scoring.clubs.access import sees_hidden_members
from scoring.clubs.acts.licences import without_licence
from scoring.clubs.requests import LEAVE, LICENCES, NEW_PLAYER, RENAME, TRANSFER
from ui.fields import LineField
from ui.formatting import format_date

MOST_FOUND = 20
NAME_LENGTHS = {name: Player._meta.get_field(name).max_length for name in ("given_name", "surname")}
REASON_LENGTH = Proposal._meta.get_field("reason").max_length


class RequestForm(forms.Form):
    """Base of the forms that send a request to the office.

    club, user: the club and the account that ask
    day: today
    asked: the query parameters of the page, which choose what the form offers
    """

    reason = forms.CharField(
        label=_("Note for the office"),
        required=False,
        max_length=REASON_LENGTH,
        widget=forms.Textarea({"rows": 2}),
    )

    def __init__(self, *args: Any, club: Club, user: Any, day: date, asked: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club, self.user, self.day, self.asked = club, user, day, asked
        self.prepare()
        self.order_fields([*(name for name in self.fields if name != "reason"), "reason"])

    def prepare(self) -> None:
        """Set the choices and initial values that depend on the club."""

    def send(self) -> Proposal:
        """Send the request of the valid form. Raises ValidationError."""
        raise NotImplementedError

    def offer(self, field: str, players: Iterable[Player]) -> None:
        """Make the players the choices of a field, with their names as the account may see them."""
        sees_names = sees_hidden_members(self.user, self.club)
        names = ((player, player.desk_name if sees_names else player.public_name) for player in players)
        choices = [(player.number, f"{name}, {player.number}") for player, name in names]
        self.fields[field].choices = choices  # type: ignore[attr-defined]

    @property
    def chosen(self) -> Player:
        """The player chosen in the field `player` of the valid form."""
        return Player.objects.select_related("club__region").get(number=self.cleaned_data["player"])


class TransferForm(RequestForm):
    """Choose a player of the register, who becomes a member of the club.

    The players offered are those that the query parameter `q` finds by name or number. Hidden players are
    found by number only.
    """

    player = forms.ChoiceField(label=_("Player"), widget=forms.RadioSelect)

    def prepare(self) -> None:
        players = Player.objects.search(self.asked.get("q", "")[:100]).filter(deceased_on=None)
        offered = players.exclude(club=self.club).with_licence(self.day).select_related("club")
        choices = [(player.number, self._label(player)) for player in offered[:MOST_FOUND]]
        self.fields["player"].choices = choices  # type: ignore[attr-defined]
        self.initial["player"] = choices[0][0] if len(choices) == 1 else None

    def _label(self, player: Any) -> str:
        licence = gettext("with a licence") if player.licensed else gettext("without a licence")
        club = player.club.name if player.club else gettext("without a club")
        return f"{name_for(self.user, player)}, {player.number}, {club}, {licence}"

    def send(self) -> Proposal:
        return TRANSFER.ask(self.club, self.chosen, self.user, self.cleaned_data["reason"])


class NameForm(RequestForm):
    """Base of the forms with a name."""

    given_name = LineField(label=_("First name"), max_length=NAME_LENGTHS["given_name"])
    surname = LineField(label=_("Surname"), max_length=NAME_LENGTHS["surname"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in NAME_LENGTHS.keys() & cleaned.keys():
            if not any(char.isalpha() for char in cleaned[name]):
                self.add_error(name, gettext("A name must have letters."))
        return cleaned

    @property
    def name(self) -> dict[str, str]:
        """The given_name and surname of the valid form."""
        return {name: self.cleaned_data[name] for name in NAME_LENGTHS}


class NewPlayerForm(NameForm):
    """The data of a person who gets a number."""

    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("The player makes an account with it. Only the office and the player see it afterwards."),
    )

    def send(self) -> Proposal:
        person = {**self.name, "email": self.cleaned_data["email"]}
        return NEW_PLAYER.ask(self.club, person, self.user, self.cleaned_data["reason"])


class MemberForm(RequestForm):
    """Base of the forms that choose a member. The query parameter `jugador` presets the number."""

    player = forms.ChoiceField(label=_("Member"))

    def prepare(self) -> None:
        self.offer("player", Player.objects.unmerged().filter(club=self.club))
        choices = self.fields["player"].choices  # type: ignore[attr-defined]
        self.fields["player"].choices = [("", "—"), *choices]  # type: ignore[attr-defined]
        self.initial["player"] = self.asked.get("jugador", "")


class LeaveForm(MemberForm):
    """Choose a member who leaves the club."""

    def send(self) -> Proposal:
        return LEAVE.ask(self.club, self.chosen, self.user, self.cleaned_data["reason"])


class RenameForm(NameForm, MemberForm):
    """Choose a member, and write the new name."""

    def send(self) -> Proposal:
        return RENAME.ask(self.club, self.chosen, self.name, self.user, self.cleaned_data["reason"])


class LicencesForm(RequestForm):
    """Choose the members who get a licence of a season.

    The query parameter `temporada` is the season: this year or the next. Offered are the members without a
    licence who are in no request that waits. Those with a licence in the season before are ticked.
    """

    players = forms.MultipleChoiceField(
        label=_("Members without a licence"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def prepare(self) -> None:
        self.seasons = (self.day.year, self.day.year + 1)
        next_one = self.asked.get("temporada") == str(self.seasons[1])
        self.season = self.seasons[next_one]
        last_day = date(self.season - 1, 12, 31)
        before = Licence.objects.valid_on(last_day).filter(player=OuterRef("pk"))
        lacking = without_licence(self.club, self.season, self.day).annotate(renews=Exists(before))
        asked_for = LICENCES.asked_for(self.club, self.season)
        members: list[Any] = [member for member in lacking if member.pk not in asked_for]
        self.offer("players", members)
        self.initial["players"] = [member.number for member in members if member.renews]

    def send(self) -> Proposal:
        numbers = self.cleaned_data["players"]
        ids = list(Player.objects.filter(number__in=numbers).values_list("pk", flat=True))
        return LICENCES.ask(self.club, self.season, ids, self.user, self.cleaned_data["reason"])


# Slug of a request -> its form.
FORMS: dict[str, type[RequestForm]] = {
    TRANSFER.slug: TransferForm,
    NEW_PLAYER.slug: NewPlayerForm,
    LICENCES.slug: LicencesForm,
    RENAME.slug: RenameForm,
    LEAVE.slug: LeaveForm,
}


class InvitationForm(forms.Form):
    """The e-mail address of a person who is invited to direct tournaments of the club."""

    email = forms.EmailField(
        label=_("E-mail address"),
        max_length=150,
        widget=forms.EmailInput({"autocomplete": "off"}),
        help_text=_("People who have an account accept with it; others create one."),
    )


class CodesForm(forms.Form):
    """Choose members for whom codes are printed.

    members: with `printed_at`, as `members_without_account` returns them
    names: by federation number, as the account may see them
    """

    player = forms.MultipleChoiceField(
        label=_("Members without an account"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Tick the members for whom you print a code.")},
    )

    def __init__(self, *args, members: Sequence[Any], names: dict[str, str], **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.members = members
        choices = [(player.number, self._label(player, names[player.number])) for player in members]
        self.fields["player"].choices = choices  # type: ignore[attr-defined]

    def _label(self, player: Any, name: str) -> str:
        label = f"{name}, {player.number}"
        if player.printed_at is None:
            return label
        day = format_date(timezone.localtime(player.printed_at).date(), get_language() or "")
        return gettext("%(member)s (has a code of %(day)s, which becomes void)") % {
            "member": label,
            "day": day,
        }

    @property
    def chosen(self) -> list[Player]:
        """The players chosen in the valid form."""
        numbers = set(self.cleaned_data["player"])
        return [player for player in self.members if player.number in numbers]


class TokenForm(forms.Form):
    """The name of a new token, and whether it may confirm.

    Two tokens that work cannot have the same name. So sending the form twice does not make a second token.

    confirming: whether the account may let a token confirm; otherwise the form does not ask
    """

    name = LineField(
        label=_("Which computer or program is it for?"),
        max_length=ClubToken._meta.get_field("name").max_length,
        help_text=_("For example: the bar's computer."),
    )
    may_confirm = forms.BooleanField(
        label=_("It may also confirm files without errors and without warnings to tick"),
        required=False,
        help_text=_("Otherwise a director looks at every file and confirms it here."),
    )

    def __init__(self, *args, club: Club, confirming: bool, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        if not confirming:
            del self.fields["may_confirm"]

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if self.club.tokens.current().filter(name__iexact=name).exists():
            raise forms.ValidationError(
                _(
                    "The club has a token with this name, and its secret is not shown again: "
                    "revoke that one, or choose another name."
                )
            )
        return name
