"""The form with which a user uploads a Go tournament: the file, and the details that the file lacks."""

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Submit
from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.ratings.models import RatingTournament
from tournaments.formats import registry
from tournaments.forms import UploadedFileField


class GoUploadForm(forms.Form):
    """A form with a file of a Go tournament, and its name, days and class.

    Fields that are left blank are taken from the file.
    """

    file = UploadedFileField(registry.GO, label=_("File"))
    name = forms.CharField(label=_("Name"), max_length=150, required=False)
    start_date = forms.DateField(label=_("First day"), required=False)
    end_date = forms.DateField(label=_("Last day"), required=False)
    tournament_class = forms.ChoiceField(
        label=_("Class"),
        required=False,
        help_text=_("By speed: games of slow tournaments count whole, those of faster ones in part."),
    )

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["tournament_class"].choices = [
            ("", gettext("as the file says")),
            *RatingTournament.Class.choices,
        ]
        for name in ("start_date", "end_date"):
            self.fields[name].widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        self.helper = FormHelper()
        self.helper.add_input(Submit("send", gettext("See what it would change")))

    def details(self) -> dict[str, str]:
        """Return the entered name, days (YYYY-MM-DD) and class, by field name; "" for a blank field."""
        data = self.cleaned_data
        return {
            "name": " ".join(data["name"].replace("\x00", " ").split()),
            "start_date": data["start_date"].isoformat() if data["start_date"] else "",
            "end_date": data["end_date"].isoformat() if data["end_date"] else "",
            "tournament_class": data["tournament_class"],
        }
