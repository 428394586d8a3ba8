"""The form of a Go upload: the file, and details that it lacks."""

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Submit
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.ratings.models import RatingTournament
from tournaments.formats import limits


class GoUploadForm(forms.Form):
    """A Go upload. Blank fields are taken from the file."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("The result table of the European Go Database (.h9), or OpenGotha's XML."),
    )
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

    def clean_file(self):
        """Refuse files larger than the readers accept."""
        file = self.cleaned_data["file"]
        if file.size > limits.UPLOAD_BYTES:
            raise ValidationError(
                gettext("The file is larger than %(limit)s MB.") % {"limit": limits.UPLOAD_BYTES // 2**20}
            )
        return file

    def details(self) -> dict[str, str]:
        """Return the values in the form that an upload stores."""
        data = self.cleaned_data
        return {
            "name": " ".join(data["name"].replace("\x00", " ").split()),
            "start_date": data["start_date"].isoformat() if data["start_date"] else "",
            "end_date": data["end_date"].isoformat() if data["end_date"] else "",
            "tournament_class": data["tournament_class"],
        }
