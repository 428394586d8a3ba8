"""Forms of cases: opening one, and writing in one."""

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.club_fields import ClubField
from players.models import Club
from scoring.cases.models import LONGEST_TEXT, Case
from scoring.cases.states import Act
from tournaments.models import Revision, Tournament
from ui.formatting import format_date

# Kinds for which the day and the club say where to look.
OF_A_DAY = (Case.Kind.MISSING, Case.Kind.NUMBER)


def text_field(label: str, rows: int = 6, *, required: bool = True) -> forms.CharField:
    """Return a field for a text of a case."""
    return forms.CharField(
        label=label, max_length=LONGEST_TEXT, required=required, widget=forms.Textarea({"rows": rows})
    )


class CaseForm(forms.Form):
    """Report that something is missing or wrong.

    tournament: the tournament that it is about; without one the form asks for the day and the club
    clubs: the clubs to choose from
    today: the last day that can be chosen
    """

    kind = forms.ChoiceField(label=_("What is wrong?"), choices=Case.Kind.choices, widget=forms.RadioSelect)
    day = forms.DateField(
        label=_("Day of play"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": _("Write the day as in 2026-11-23.")},
    )
    club = ClubField(
        label=_("Club"),
        queryset=Club.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=_("I do not know, or none"),
    )
    text = text_field(_("Write what happened"))

    def __init__(
        self, *args: Any, tournament: Tournament | None, clubs: Any, today: date, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.tournament, self.today = tournament, today
        self.fields["text"].help_text = _(
            "With whom you played and what you expected helps. The club's directors may read it, and the "
            "office."
        )
        if tournament:
            del self.fields["day"], self.fields["club"]
        else:
            self.fields["club"].queryset = clubs  # type: ignore[attr-defined]

    def clean_day(self) -> date | None:
        day = self.cleaned_data["day"]
        if day and day > self.today:
            raise forms.ValidationError(gettext("That day is still to come."))
        return day

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.tournament and cleaned.get("kind") in OF_A_DAY:
            if not cleaned.get("day") and "day" not in self.errors:
                self.add_error("day", gettext("Say on which day you played."))
            if not cleaned.get("club") and "club" not in self.errors:
                self.add_error("club", gettext("Say in which club you played."))
        return cleaned


CHANGED = _("The case has changed in the meantime. Look at it again.")
LABELS = {
    Act.WRITE: _("Add something"),
    Act.ANSWER: _("Your answer"),
    Act.REOPEN: _("What is still wrong?"),
}


class MessageForm(forms.Form):
    """Write in a case. The button that was pressed says what the text is.

    `seen` is how many messages the page showed.

    acts: the acts that are offered
    revisions: the rankings that an answer may name as the one that mended it
    clubs: the clubs to which the office may pass the case
    """

    act = forms.ChoiceField(widget=forms.HiddenInput, error_messages={"invalid_choice": CHANGED})
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)
    text = text_field("", 5, required=False)
    revision = forms.ModelChoiceField(
        label=_("Mended by this result, if it is"),
        queryset=Revision.objects.none(),
        required=False,
        empty_label=_("none"),
    )
    club = ClubField(
        label=_("Club that shall answer, if you pass it on"),
        queryset=Club.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=_("choose"),
    )

    def __init__(self, *args: Any, acts: list[Act], revisions: Any, clubs: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["act"].choices = [(act.value, act.value) for act in acts]  # type: ignore[attr-defined]
        labels = [label for act, label in LABELS.items() if act in acts]
        self.fields["text"].label = labels[0] if labels else _("Text")
        revision, club = self.fields["revision"], self.fields["club"]
        if Act.ANSWER in acts and revisions is not None:
            revision.queryset = revisions  # type: ignore[attr-defined]
            revision.label_from_instance = _revision_label  # type: ignore[attr-defined]
        else:
            del self.fields["revision"]
        if Act.HAND_OVER in acts and clubs is not None:
            club.queryset = clubs  # type: ignore[attr-defined]
        else:
            del self.fields["club"]


def _revision_label(revision: Revision) -> str:
    tournament = revision.tournament
    label = f"{tournament.name}, {format_date(tournament.end_date, get_language() or '')}"
    if revision.number == 1:
        return label
    return f"{label} ({gettext('correction %(number)s') % {'number': revision.number - 1}})"
