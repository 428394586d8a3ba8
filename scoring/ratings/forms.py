"""Forms for Go players: asking for the link to one's rating, and changing the data of a Go player."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import Player
from scoring.ratings.models import RatedPlayer, RatedPlayerChange
from tournaments.forms import PlayerNumberField
from ui.fields import LineField


class PinForm(forms.Form):
    """The PIN of a player in the European Go Database."""

    pin = forms.RegexField(
        r"^[0-9]{8}$",
        label=_("PIN of the European database"),
        help_text=_("Eight digits. It stands on your page of the European Go Database."),
        error_messages={"invalid": _("A PIN has eight digits.")},
        widget=forms.TextInput({"inputmode": "numeric", "autocomplete": "off"}),
    )


class RatedPlayerForm(forms.ModelForm):
    """The data of a Go player that the office may change, and the reason for the change."""

    number = PlayerNumberField(
        label=_("Federation number"),
        required=False,
        help_text=_("Of the same person in the federation's register, if any."),
        follows_merges=True,
    )
    reason = LineField(label=_("Reason"), max_length=RatedPlayerChange._meta.get_field("reason").max_length)

    class Meta:
        model = RatedPlayer
        fields = ["name", "given_name", "country", "pin", "hidden"]
        field_classes = {"name": LineField, "given_name": LineField}  # noqa: RUF012
        labels = {"name": _("Name as Go files write it, surname first")}  # noqa: RUF012

    field_order = ("name", "given_name", "country", "pin", "number", "hidden", "reason")

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.player_id:
            self.fields["number"].initial = self.instance.player.current.number

    def clean_country(self) -> str:
        return self.cleaned_data["country"].upper()

    def clean_number(self) -> Player | None:
        """Refuse a player who has another Go rating."""
        player = self.cleaned_data["number"]
        if player and RatedPlayer.objects.filter(player=player).exclude(pk=self.instance.pk).exists():
            text = gettext("Number %(number)s has a Go rating already.")
            raise ValidationError(text % {"number": player.number})
        return player

    def values(self) -> dict:
        """Return {field name: value} for `scoring.ratings.services.people.change_data`."""
        data = self.cleaned_data
        return {**{name: data[name] for name in self._meta.fields}, "player": data["number"]}
