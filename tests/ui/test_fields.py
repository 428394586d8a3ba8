"""Fields of forms."""

from functools import partial

import pytest
from django.contrib import admin
from django.forms import ModelForm, modelform_factory

from players.admin import PlayerForm
from players.models import Club, Region
from scoring.annulments.forms import AnnulmentForm
from scoring.calendar.forms import AnnouncementForm, CancelForm
from scoring.clubs.forms import NameForm, TokenForm
from scoring.promotions.forms.rule_sets import RuleSetForm
from scoring.uploads.forms.boards import BoardForm
from scoring.uploads.forms.details import HeaderForm, MakeCorrectionForm, ReasonForm
from scoring.uploads.forms.go import GoDetailsForm
from ui.fields import LineField


def of_admin(model) -> type[ModelForm]:
    return modelform_factory(
        model,
        formfield_callback=partial(admin.site.get_model_admin(model).formfield_for_dbfield, request=None),
        fields=["name"],
    )


@pytest.mark.parametrize("text", ["Ana\nGil", " Ana \r\n Gil ", "Ana\u2028\tGil", "Ana\u00a0 Gil"])
def test_a_text_of_one_line_has_no_line_breaks_and_no_repeated_spaces(text):
    assert LineField().clean(text) == "Ana Gil"
    assert LineField(required=False).clean(" \n ") == ""


@pytest.mark.parametrize(
    ("form", "names"),
    [
        (lambda: PlayerForm, ["given_name", "surname"]),
        (lambda: NameForm, ["given_name", "surname"]),
        (lambda: of_admin(Club), ["name"]),
        (lambda: of_admin(Region), ["name"]),
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
