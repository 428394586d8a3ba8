"""The form with the data of a Go tournament, on the review page."""

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.ratings.models import RatingTournament
from tournaments.formats import registry
from tournaments.forms import UploadedFileField
from ui.fields import LineField
from ui.text import one_line


class GoFileForm(forms.Form):
    """The file of a correction."""

    file = UploadedFileField(registry.GO, label=_("Result file"))


class GoDetailsForm(forms.Form):
    """Name, days and class of a Go tournament, filled in from the file.

    No value is required, because missing ones are reported as issues of the draft. The file's values are used
    for blank fields.

    first: whether a value is missing, so that the page's main button saves this form
    """

    tournament_class = forms.ChoiceField(
        label=_("Class"),
        required=False,
        choices=RatingTournament.Class.choices,
        widget=forms.RadioSelect,
        help_text=_("By speed: games of slow tournaments count whole, those of faster ones in part."),
    )
    name = LineField(label=_("Name"), max_length=150, required=False)
    start_date = forms.DateField(label=_("First day"), required=False)
    end_date = forms.DateField(label=_("Last day"), required=False)

    def __init__(self, *args, first: bool = False, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        for name in ("start_date", "end_date"):
            self.fields[name].widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
            self.fields[name].input_formats = ["%Y-%m-%d", "%d/%m/%Y"]
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        button = "btn-primary" if first else "btn-secondary"
        save = StrictButton(
            _("Save these data"), type="submit", name="action", value="save", css_class=button
        )
        self.helper.layout = Layout(*self.fields, save)

    def details(self) -> dict[str, str]:
        """Return the name, the days (YYYY-MM-DD) and the class, by field name; "" for a blank field."""
        return details_of(self.cleaned_data)


def details_of(data: dict) -> dict[str, str]:
    """Return the details of a Go upload from the cleaned data of a form, which may lack some of them."""
    return {
        "name": one_line((data.get("name") or "").replace("\x00", " ")),
        "start_date": data["start_date"].isoformat() if data.get("start_date") else "",
        "end_date": data["end_date"].isoformat() if data.get("end_date") else "",
        "tournament_class": data.get("tournament_class") or "",
    }
