"""Forms for the data of an uploaded tournament, and for the decision about a repeated ranking.

Checks that need the ranking are made elsewhere.
"""

from collections.abc import Sequence
from datetime import date

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout, Submit
from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.club_fields import ClubField
from players.models import Club
from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.ledger import event_types, systems
from scoring.ledger.evaluation import FAMILY
from scoring.uploads.forms.systems import (
    BLANK,
    WholeNumberField,
    add_fields,
    check_system,
    set_kind_choices,
    system_details,
    system_of,
)
from tournaments.formats import registry
from tournaments.formats.types import Issue
from tournaments.forms import UploadedFilesField
from tournaments.models import Announcement, ResultUpload, SeparateEvent, Tournament
from tournaments.services.issues import describe, issue
from tournaments.services.scorings import OF_PAIRS, SCORINGS, SECTIONS_APART
from ui.fields import LineField

PASTE_LENGTH = 200_000
FILES_HELP = _(
    "%(formats)s, up to %(limit)s MB. Several files of one event together: result and list of names, "
    "sessions, sections."
)


def event_type_choices(day: date | None) -> list:
    """Return the choices of tournament types in force on `day`. If `day` is None, return those of all years.

    The types of earlier years allow uploading the result of an old tournament before its date is read from
    the file. They are also offered for a day without a regulation, which `clean_end_date` reports.
    """
    return event_types.as_choices(event_types.own_groups(day, day) or event_types.own_groups())


class HeaderForm(forms.Form):
    """The data of a tournament. The file's values are used for blank fields.

    `system` is the points system whose fields the form has; see `scoring.uploads.forms.systems`.
    """

    club = ClubField(Club.objects.none(), label=_("Club"), empty_label=_("choose"))
    name = LineField(
        label=_("Name"), max_length=Tournament._meta.get_field("name").max_length, required=False
    )
    event_type = forms.ChoiceField(
        label=_("Tournament type"),
        error_messages={
            "invalid_choice": _("The regulation in force on that day has no such type: choose again.")
        },
    )
    format = forms.ChoiceField(label=_("Format"), required=False)
    venue = forms.ChoiceField(label=_("Venue"), choices=Tournament.Venue.choices)
    end_date = forms.DateField(label=_("Last day"), required=False)
    start_date = forms.DateField(
        label=_("First day"), required=False, help_text=_("Only for a tournament of several days.")
    )
    boards = WholeNumberField(
        label=_("Boards played by the winner"), min_value=1, max_value=999, required=False
    )
    boards_scheduled = WholeNumberField(
        label=_("Boards scheduled"),
        min_value=1,
        max_value=999,
        required=False,
        help_text=_("If the winner sat out a round; otherwise the same."),
    )
    ranking = forms.ChoiceField(label=_("Rankings"), choices=Tournament.Ranking.choices, required=False)

    required_here: tuple[str, ...] = ()
    announcement: Announcement | None = None  # the announced tournament in the URL
    submit_label = _("Save")

    def __init__(self, *args, clubs: QuerySet[Club], day: date | None = None, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["club"].queryset = clubs
        self.has_one_club = clubs.count() == 1
        if self.has_one_club:
            self.fields["club"].initial = clubs.first()
        self.fields["format"].choices = [("", _("As in the file")), *Tournament.Format.choices]
        self.system = system_of(self)
        if systems.others() or self.system.family != FAMILY:
            add_fields(self, self.system)
            self.initial = {**self.initial, "family": self.system.family, **self.initial.get("params", {})}
        if self.system.kinds:
            set_kind_choices(self, self.system)
        else:
            self.fields["event_type"].choices = [BLANK, *event_type_choices(self._day() or day)]
        for name in ("start_date", "end_date"):
            self.fields[name].widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
            self.fields[name].input_formats = ["%Y-%m-%d", "%d/%m/%Y"]
        for name in self.required_here:
            self.fields[name].required = True
        self.helper = FormHelper()
        self.helper.attrs = {"novalidate": ""}
        self.helper.form_class = "form"
        self.helper.form_show_errors = True
        self.helper.layout = Layout(*self.fields)
        self.helper.add_input(Submit("save", self.submit_label))

    def _day(self) -> date | None:
        """Return the last day as typed, which determines the tournament types."""
        text = self.data.get(self.add_prefix("end_date"), "") if self.is_bound else ""
        try:
            return forms.DateField(input_formats=["%Y-%m-%d", "%d/%m/%Y"]).clean(text)
        except ValidationError:
            return None

    def clean_end_date(self) -> date | None:
        day = self.cleaned_data["end_date"]
        if day and day > timezone.localdate():
            raise ValidationError(describe(issue("date_in_future", value=day.isoformat())).message)
        # For other points systems, the review checks whether a regulation was in force.
        if day and self.system.family == FAMILY:
            try:
                regulations.in_force(FAMILY, day)
            except EngineError as error:
                message = describe(issue("no_regulation", value=day.isoformat())).message
                raise ValidationError(message) from error
        return day

    def clean(self) -> dict:
        values = super().clean()
        if "family" in self.fields:
            check_system(self, self.system, values)
        first, last = values.get("start_date"), values.get("end_date")
        if first and last and first > last:
            reversed_dates = issue("dates_reversed", value=first.isoformat(), last=last.isoformat())
            self.add_error("start_date", describe(reversed_dates).message)
        played, scheduled = values.get("boards"), values.get("boards_scheduled")
        if played and scheduled and played > scheduled:
            too_many = issue("boards_over_scheduled", value=played, scheduled=scheduled)
            self.add_error("boards", describe(too_many).message)
        return values

    def details(self) -> dict:
        """Return the valid values of the tournament's data."""
        values = self.cleaned_data
        stored = self.initial.get("params", {})
        system_values = system_details(values, stored) if values.get("family") else {}
        names = HeaderForm.base_fields.keys() - {"club"}
        return {**{name: values[name] for name in names if name in values}, **system_values}


REASON_LENGTH = ResultUpload._meta.get_field("correction_reason").max_length


def correction_reason_field() -> forms.CharField:
    return LineField(
        label=_("Reason for the correction"),
        max_length=REASON_LENGTH,
        help_text=_(
            "Everybody can read it, in the list of corrections and beside the points. If you have to name "
            "somebody, write the number."
        ),
    )


class ReasonForm(forms.Form):
    """The reason of a correction, which the director reads and may change before confirming."""

    reason = correction_reason_field()

    def __init__(self, *args, upload: ResultUpload, **kwargs) -> None:
        super().__init__(*args, initial={"reason": upload.correction_reason}, **kwargs)
        self.fields["reason"].widget = forms.Textarea(attrs={"rows": 2, "maxlength": REASON_LENGTH})


class CorrectionMixin:
    """Mixin that adds a field for the reason to the form of an upload that corrects a tournament."""

    def add_reason(self, correcting: bool) -> None:
        if correcting:
            self.fields["reason"] = correction_reason_field()
            self.helper.layout = Layout("reason", *[name for name in self.fields if name != "reason"])

    @property
    def reason(self) -> str:
        return self.cleaned_data.get("reason", "")


class UploadForm(CorrectionMixin, HeaderForm):
    """The form of step 1: a file. The review asks for what neither the file nor the club's last pool tells.

    The tournament's data can be written here already, but need not be.
    """

    file = UploadedFilesField(registry.RESULTS, label=_("Result file"), help_text=FILES_HELP)
    asked_first = ("file", "club", "reason")

    def __init__(self, *args, correcting: bool = False, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.go_files: list[UploadedFile] = []
        self.unread: list[tuple[UploadedFile, Issue]] = []
        self.takes_go = systems.offers_go() and not correcting
        if self.takes_go:
            options = {"label": _("Result file"), "help_text": FILES_HELP}
            self.fields["file"] = UploadedFilesField(registry.ANY_RESULTS, **options)
        for name in self.fields.keys() & {"event_type", "venue"}:
            self.fields[name].required = False
        for name in ("name", "end_date", "boards"):
            self.fields[name].help_text = _("If blank, as in the file.")
        if not correcting:
            self.fields["venue"].choices = [BLANK, *Tournament.Venue.choices]
        self.add_reason(correcting)

    def clean(self) -> dict:
        values = super().clean()
        if self.takes_go:
            self._part(values.get("file") or [])
        return values

    def _part(self, files: Sequence[UploadedFile]) -> None:
        """Part the files of Go tournaments from those of bridge, if there are any.

        `go_files` then has those of Go, and `unread`, if no other can be read, the others with the reason.
        Tournaments of Go need no club, so that the form has no error if all the files to upload are of Go.
        """
        contents = [(file, file.read()) for file in files]
        for file in files:
            file.seek(0)
        self.go_files = [file for file, data in contents if registry.is_of_go(file.name, data)]
        if not self.go_files:
            return
        others = [(file, data) for file, data in contents if file not in self.go_files]
        refused = [(file, registry.recognise(file.name, data, registry.RESULTS)) for file, data in others]
        if all(file_format is None for _file, (file_format, _issues) in refused):
            self.unread = [(file, issues[0]) for file, (_format, issues) in refused]
            self.errors.clear()

    @property
    def bridge_files(self) -> list[UploadedFile]:
        """The files to upload that are not of Go."""
        left_out = [*self.go_files, *(file for file, _issue in self.unread)]
        return [file for file in self.cleaned_data["file"] if file not in left_out]

    def data_fields(self) -> list[forms.BoundField]:
        """Return the fields of the tournament's data, which the page shows inside a <details> element."""
        return [field for field in self if field.name not in self.asked_first]

    @property
    def asks_file_alone(self) -> bool:
        """Whether the form can be sent as soon as a file is chosen: it asks for no club and no reason."""
        return self.has_one_club and "reason" not in self.fields

    @property
    def unfolded(self) -> bool:
        """Whether a field of `data_fields` has an error, so that its <details> element has to be open."""
        return any(field.errors for field in self.data_fields())


class TypedForm(CorrectionMixin, HeaderForm):
    """The form of step 1 without a file.

    The ranking may be pasted from a spreadsheet, or typed on the next page.
    """

    paste = forms.CharField(
        label=_("Ranking from a spreadsheet"),
        required=False,
        max_length=PASTE_LENGTH,
        widget=forms.Textarea({"rows": 6}),
        help_text=_(
            "If you have it in a spreadsheet with the headings of the template, copy the cells and paste "
            "them here. Otherwise leave it blank and type the ranking on the next page."
        ),
    )
    required_here = ("name", "format", "end_date", "boards")
    submit_label = _("Continue with the ranking")

    def __init__(self, *args, correcting: bool = False, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["format"].choices = Tournament.Format.choices
        if correcting:
            # The next page starts from the ranking of the tournament to correct.
            del self.fields["paste"]
        self.helper.layout = Layout(*self.fields)
        self.add_reason(correcting)


class DetailsForm(HeaderForm):
    """The tournament's data on the review page, filled in from the file.

    It is rendered inside the page's single HTML <form>. No value is required, because missing data are
    reported as issues of the draft.

    first: whether data are missing, so that the page's main button saves this form
    scored_here: whether the file has no ranking, so that the form asks how to score its boards
    sections: whether the boards were played in several sections, which can be scored apart
    ranked_by: the name of another file that has the ranking, which then counts unless a scoring is chosen
    """

    needed = ("name", "event_type", "format", "venue", "end_date", "boards")
    submit_label = _("Save these data")

    def __init__(
        self,
        *args,
        first: bool = False,
        scored_here: bool = False,
        sections: bool = False,
        ranked_by: str = "",
        **kwargs,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.ranked_by = ranked_by
        if scored_here:
            self._ask_scoring(sections)
        self.fields["format"].choices = [BLANK, *Tournament.Format.choices]
        if not self.initial.get("venue"):
            self.fields["venue"].choices = [BLANK, *Tournament.Venue.choices]
        for name in self.needed:
            if name in self.fields:
                self.fields[name].required = False
        self.quiet = False  # whether the page shows the errors outside this form
        self.first = first
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.inputs = []
        button = "btn-primary" if first else "btn-secondary"
        self.helper.layout = Layout(
            *self.fields,
            StrictButton(self.submit_label, type="submit", name="action", value="details", css_class=button),
        )

    def _ask_scoring(self, sections: bool) -> None:
        left_out = () if sections else SECTIONS_APART
        choices = [(code, label) for code, label in SCORINGS.items() if code not in left_out]
        help_text = gettext(
            "The file has the results of the boards; the ranking is computed from them. In IMPs, a board "
            "adjusted in percent counts 3 IMPs for each ten percent above or below fifty."
        )
        if self.ranked_by:
            name = {"name": self.ranked_by}
            choices = [choice for choice in choices if choice[0] in OF_PAIRS]
            choices.insert(0, ("", gettext("As in the ranking of “%(name)s”") % name))
            help_text = gettext("If you choose another way, the ranking is computed from the boards.")
        self.fields["scoring"] = forms.ChoiceField(
            label=_("How the boards are scored"), choices=choices, required=False, help_text=help_text
        )
        self.order_fields(["scoring", *HeaderForm.base_fields])

    def details(self) -> dict:
        """Return the valid values of the tournament's data, with the way of scoring if the form asks it."""
        scoring = self.cleaned_data.get("scoring")
        return super().details() | ({"scoring": scoring} if scoring or self.ranked_by else {})

    def shown(self) -> list[tuple[str, str]]:
        """Return (name, text) of every field, with the text that the unchanged form shows."""
        texts = []
        for name, field in self.fields.items():
            value = field.prepare_value(self.get_initial_for_field(field, name))
            text = field.widget.format_value(value)
            texts.append((name, (text[0] if isinstance(text, list) else text) or ""))
        return texts

    def mark_missing(self) -> None:
        """Add an error to every field that confirming needs and that has no value."""
        for name in self.needed:
            if name in self.fields and name not in self.errors and not self.cleaned_data.get(name):
                self.add_error(name, forms.Field.default_error_messages["required"])
        self.quiet = True


# --- The answers to a repeated ranking: it is a correction, or a separate event --------------------------
class MakeCorrectionForm(forms.Form):
    """The form that turns an upload into a correction of a tournament with the same ranking."""

    prefix = "corrects"
    reason = correction_reason_field()


class MarkSeparateForm(forms.Form):
    """The form by which the office declares an upload and a tournament to be two separate events."""

    prefix = "separate"
    reason = LineField(
        label=_("Why these are two events"),
        max_length=SeparateEvent._meta.get_field("reason").max_length,
    )
