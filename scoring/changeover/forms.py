"""Forms to begin, apply and undo a changeover."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from players.models import Proposal
from scoring.changeover.models import Changeover
from scoring.changeover.services import File
from tournaments.forms import SeveralFilesInput
from ui.clock import today

MOST_FILES = 30
SUFFIXES = (".csv", ".txt", ".gz", ".zip")
REASON_LENGTH = Proposal._meta.get_field("reason").max_length
EVIDENCE_LENGTH = Proposal._meta.get_field("evidence").max_length


class HistoryField(forms.FileField):
    """One or several CSV files, plain or compressed. The value is a list of `File`."""

    def __init__(self, *, several: bool, **options: Any) -> None:
        widget = SeveralFilesInput if several else forms.ClearableFileInput
        super().__init__(widget=widget({"accept": ",".join(SUFFIXES)}), max_length=255, **options)

    def clean(self, data: Any, initial: Any = None) -> list[File]:
        sent = data if isinstance(data, list | tuple) else [data]
        if len(sent) > MOST_FILES:
            raise ValidationError(_("At most %(limit)s files.") % {"limit": MOST_FILES})
        files = [file for item in sent or [None] if (file := super(HistoryField, self).clean(item, initial))]
        if sum(file.size for file in files) > settings.UPLOAD_SUM_LIMIT:
            limit = settings.UPLOAD_SUM_LIMIT // 2**20
            text = _(
                "Together the files are larger than %(limit)s MB: upload them compressed, as .zip or .gz."
            )
            raise ValidationError(text % {"limit": limit})
        return [_checked(file) for file in files]


def _checked(file: UploadedFile) -> File:
    name = file.name or ""
    if not name.lower().endswith(SUFFIXES):
        raise ValidationError(_("%(name)s is neither a CSV file nor a compressed one.") % {"name": name})
    if (file.size or 0) > settings.UPLOAD_LIMIT:
        limit = settings.UPLOAD_LIMIT // 2**20
        text = _("%(name)s is larger than %(limit)s MB: upload it compressed, as .zip or .gz.")
        raise ValidationError(text % {"name": name, "limit": limit})
    return File(name, file.read())


class ChangeoverForm(forms.Form):
    """Upload the history of a former program, and its last list to compare it with."""

    history = HistoryField(
        several=True,
        label=_("Awards of the former program"),
        help_text=_(
            "CSV files, for example one for each year, plain or compressed as .zip or .gz. Columns: number, "
            "end date, tournament, venue, points."
        ),
    )
    old_list = HistoryField(
        several=False,
        label=_("Its last list of points"),
        required=False,
        help_text=_("A CSV file with number and points. Every player's points are compared with it."),
    )
    list_day = forms.DateField(
        label=_("Day of that list"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    period = forms.ChoiceField(
        label=_("The list counts the points"), choices=Changeover.Period.choices, required=False
    )

    def clean_list_day(self) -> Any:
        day = self.cleaned_data["list_day"]
        if day and day > today():
            raise ValidationError(_("This day has not come yet."))
        return day

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("old_list") and not values.get("list_day") and "list_day" not in self.errors:
            self.add_error("list_day", _("Write of which day the list is."))
        return values


class ApplyForm(forms.Form):
    """Apply a changeover. The hidden digest identifies what the page showed.

    Reason and document are required by the service if a second person must approve it.
    """

    digest = forms.CharField(widget=forms.HiddenInput, max_length=64)
    accept_differences = forms.BooleanField(
        label=_("I know the differences from the old list; the points of the files hold."), required=False
    )
    reason = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH, required=False)
    evidence = forms.CharField(
        label=_("Document"),
        max_length=EVIDENCE_LENGTH,
        required=False,
        help_text=_("Minutes with their date and point, a letter, a web address."),
    )

    def __init__(self, *args: Any, differences: bool, second: bool, **kwargs: Any) -> None:
        """Leave out what is not asked: the tick without differences, the reason if one person is enough."""
        super().__init__(*args, **kwargs)
        if not differences:
            del self.fields["accept_differences"]
        if not second:
            del self.fields["reason"], self.fields["evidence"]


class UndoForm(forms.Form):
    """The reason and document for taking all awards back."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH)
    evidence = forms.CharField(label=_("Document"), max_length=EVIDENCE_LENGTH)
