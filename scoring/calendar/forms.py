"""Forms that announce, change and cancel tournaments."""

from collections.abc import Iterable
from datetime import date, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.access import roles_of
from players.club_fields import ClubField
from players.models import Club
from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.ledger import event_types
from scoring.ledger.announcing import clubs_to_announce, may_announce, types_to_announce
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.wording import event_type_name
from tournaments.models import Announcement, Tournament
from tournaments.models.announcements import LONGEST
from tournaments.services.announcements import MOST_WEEKS
from ui.clock import today
from ui.fields import LineField
from ui.formatting import format_date

AHEAD = timedelta(days=800)  # how far ahead a tournament may be announced


def _day_field(**options) -> forms.DateField:
    return forms.DateField(
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d", "%d/%m/%Y"],
        **options,
    )


class AnnouncementForm(forms.ModelForm):
    """The data of an announced tournament."""

    start_date = _day_field(label=_("Day"))
    end_date = _day_field(
        label=_("Last day"), required=False, help_text=_("Only for a tournament of several days.")
    )
    starts_at = forms.TimeField(
        label=_("Hour"),
        required=False,
        input_formats=["%H:%M", "%H.%M", "%H:%M:%S"],
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
    )
    boards = forms.IntegerField(
        label=_("Boards"),
        min_value=1,
        max_value=999,
        required=False,
        widget=forms.TextInput({"inputmode": "numeric", "maxlength": 20}),
    )
    event_type = forms.ChoiceField(
        label=_("Tournament type"),
        error_messages={
            "invalid_choice": _("You cannot announce tournaments of this type: ask the federation's office.")
        },
    )

    class Meta:
        model = Announcement
        fields = (
            "club", "name", "event_type", "start_date", "end_date", "starts_at", "boards", "format", "venue",
            "note",
        )  # fmt: skip
        field_classes = {"club": ClubField, "name": LineField, "note": LineField}  # noqa: RUF012
        help_texts = {"note": _("Hall, registration, price: everybody reads it.")}  # noqa: RUF012

    def __init__(self, *args, user, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        clubs = clubs_to_announce(user)
        self.fields["club"].queryset, self.fields["club"].empty_label = clubs, gettext("choose")
        if clubs.count() == 1:
            self.fields["club"].initial = clubs.first()
        self.fields["format"].choices = Tournament.Format.choices
        self.fields["venue"].choices = Tournament.Venue.choices
        self.fields["event_type"].choices = self._types()
        roles = roles_of(user)
        if roles.office or roles.regions:
            self.fields["boards"].help_text = gettext(
                "Needed for types that clubs do not file alone: the announcement stands for the approval."
            )

    def _types(self) -> list[Any]:
        """Return the types, by regulation, that the account may announce, and the stored type."""
        day = today()
        groups = types_to_announce(self.user, day, day + AHEAD)
        stored = self.instance.event_type
        other = (
            [(stored, event_type_name(stored))] if stored and stored not in event_types.flat(groups) else []
        )
        return [*event_types.as_choices(groups), *other]

    def clean_start_date(self) -> date:
        day = self.cleaned_data["start_date"]
        if day < today() and (self.instance.pk is None or day != self.instance.start_date):
            raise ValidationError(gettext("That day is over. A played tournament needs no announcement."))
        if day > today() + AHEAD:
            raise ValidationError(gettext("That day is too far ahead: check the year."))
        return day

    def clean(self) -> dict:
        values = super().clean()
        first = values.get("start_date")
        if first and "end_date" not in self.errors:
            values["end_date"] = values.get("end_date") or first
            self._check_days(first, values["end_date"])
        if not self.errors:
            self._check_type(values["club"], values["event_type"], values)
        return values

    def _check_days(self, first: date, last: date) -> None:
        if last < first:
            self.add_error("end_date", gettext("The last day is before the first."))
        elif last - first > LONGEST:
            self.add_error(
                "end_date", gettext("A tournament lasts a month at most: announce its stages separately.")
            )
        elif last < today():
            self.add_error("end_date", gettext("That day is over."))

    def _check_type(self, club: Club, event_type: str, values: dict) -> None:
        try:
            regulation = regulations.in_force(FAMILY, values["end_date"])
        except EngineError:
            self.add_error("start_date", gettext("No regulation is in force on that day."))
            return
        filing, name = regulation.filing, event_type_name(event_type)
        if not regulation.event_types.find(event_type):
            self.add_error("event_type", gettext("The regulation of that day has no such type."))
        elif not may_announce(self.user, club, event_type, values["end_date"]):
            text = gettext("You cannot announce “%(type)s” for this club: ask the federation's office.")
            self.add_error("event_type", text % {"type": name})
        elif not filing.fits(event_type, values["format"]):
            text = gettext("“%(type)s” is played in another format.")
            self.add_error("format", text % {"type": name})
        elif filing.needs_approval(event_type) and not values.get("boards"):
            text = gettext("Write how many boards are scheduled: the announcement stands for the approval.")
            self.add_error("boards", text)

    def _post_clean(self) -> None:
        """Do not change the instance: the services lock and save a fresh copy."""

    def values(self) -> dict:
        """Return the valid values, by the names of the fields of `Announcement`."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}

    def stale_message(self, names: Iterable[str]) -> str:
        """Return a message that the instance has changed since the page was shown, with its stored values.

        names: the fields whose values differ
        """
        text = gettext(
            "Somebody else has changed this tournament since the page was opened, so nothing is saved yet. "
            "What was typed here stays on the page: check it and save again. Stored now: %(values)s."
        )
        values = (f"{self.fields[name].label}: {self._stored_text(name)}" for name in names)
        return text % {"values": "; ".join(values)}

    def _stored_text(self, name: str) -> str:
        value = getattr(self.instance, name)
        if value in (None, ""):
            return "–"
        if isinstance(value, date):
            return format_date(value, get_language() or "")
        if isinstance(value, time):
            return f"{value:%H:%M}"
        return str(dict(getattr(self.fields[name], "choices", ())).get(value, value))


class NewAnnouncementForm(AnnouncementForm):
    """The form that announces a tournament, or a series: the same tournament in each of several weeks."""

    weeks = forms.IntegerField(
        label=_("How many weeks"),
        min_value=1,
        max_value=MOST_WEEKS,
        initial=1,
        widget=forms.TextInput({"inputmode": "numeric", "maxlength": 20}),
        help_text=_("1 for this day alone; 12 for this day and the same weekday of the next 11 weeks."),
    )

    def clean(self) -> dict:
        values = super().clean()
        if values.get("weeks", 1) > 1 and values.get("start_date") != values.get("end_date"):
            self.add_error("weeks", gettext("Only a tournament of one day can be repeated each week."))
        return values


class CancelForm(forms.Form):
    """The reason for cancelling an announced tournament, and whether later dates are cancelled with it."""

    reason = LineField(
        label=_("Reason"),
        max_length=Announcement._meta.get_field("cancel_reason").max_length,
        help_text=_("Everybody reads it."),
    )
    following = forms.BooleanField(label=_("Cancel the later dates of the series, too"), required=False)

    def __init__(self, *args, later: int, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        if not later:
            del self.fields["following"]
