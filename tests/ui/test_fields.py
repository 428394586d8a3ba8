"""Fields of forms."""

import pytest

from scoring.annulments.forms import AnnulmentForm
from scoring.calendar.forms import AnnouncementForm, CancelForm
from scoring.clubs.forms import NameForm, TokenForm
from scoring.office.forms.organisations import ClubForm, RegionForm
from scoring.office.forms.persons import PersonForm
from scoring.promotions.forms.rule_sets import RuleSetForm
from scoring.uploads.forms.boards import BoardForm
from scoring.uploads.forms.details import HeaderForm, MakeCorrectionForm, ReasonForm
from scoring.uploads.forms.go import GoDetailsForm
from ui.fields import LineField


@pytest.mark.parametrize("text", ["Ana\nGil", " Ana \r\n Gil ", "Ana\u2028\tGil", "Ana\u00a0 Gil"])
def test_a_text_of_one_line_has_no_line_breaks_and_no_repeated_spaces(text):
    assert LineField().clean(text) == "Ana Gil"
    assert LineField(required=False).clean(" \n ") == ""


@pytest.mark.parametrize(
    ("form", "names"),
    [
        (lambda: PersonForm, ["given_name", "surname"]),
        (lambda: NameForm, ["given_name", "surname"]),
        (lambda: ClubForm, ["name"]),
        (lambda: RegionForm, ["name"]),
        (lambda: AnnouncementForm, ["name", "note"]),
        (lambda: CancelForm, ["reason"]),
        (lambda: TokenForm, ["name"]),
        (lambda: HeaderForm, ["name"]),
        (lambda: GoDetailsForm, ["name"]),
        (lambda: RuleSetForm, ["name"]),
        (lambda: BoardForm, ["reason"]),
        (lambda: ReasonForm, ["reason"]),
        (lambda: MakeCorrectionForm, ["reason"]),
        (lambda: AnnulmentForm, ["reason"]),
    ],
)
def test_names_are_texts_of_one_line(form, names):
    fields = form().base_fields
    assert {name: type(fields[name]) for name in names} == dict.fromkeys(names, LineField)
