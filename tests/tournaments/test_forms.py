"""The file field takes its accepted extensions and its help text from the declared formats."""

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from scoring.office.forms.lists import ImportForm
from scoring.uploads.forms.details import UploadForm
from scoring.uploads.forms.go import GoFileForm
from tests import factories
from tests.languages import speak
from tournaments.formats import registry
from tournaments.formats.declaration import UnsupportedFormat
from tournaments.forms import UploadedFileField

FORMS = {
    UploadForm: (
        registry.RESULTS,
        ", up to 20 MB. Several files of one event together: result and list of names, sessions, sections.",
    ),
    GoFileForm: (registry.GO, ", up to 20 MB."),
    ImportForm: (
        registry.TABLES,
        ", at most 20 MB; rows: at most 200,000. Any headings do: the page asks for what it cannot tell.",
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_file_field_offers_the_extensions_of_readable_formats(form):
    field = form.base_fields["file"]
    wanted, end = FORMS[form]
    *names, last = [item.name for item in registry.readable(wanted)]
    assert field.widget.attrs["accept"].split(",") == list(registry.extensions(wanted))
    with translation.override("en"):
        assert str(field.help_text) == f"{', '.join(names)} or {last}{end}"
    with translation.override("es"):
        assert " o " in str(field.help_text)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("size", "word"), [(0, "is empty"), (2**20 + 1, "than 1 MB.")])
def test_every_upload_form_refuses_empty_and_too_large_files(form, size, word, settings):
    settings.UPLOAD_LIMIT = 2**20
    field = form.base_fields["file"]
    for accepted in (1, 2**20):
        taken = field.clean(SimpleUploadedFile("martes.csv", b"x" * accepted))
        assert (taken[0] if isinstance(taken, list) else taken).size == accepted
    file = SimpleUploadedFile("martes.csv", b"x" * size)
    with translation.override("en"), pytest.raises(ValidationError, match=word) as error:
        field.clean(file)
    (message,) = error.value.messages
    assert message.startswith("martes.csv: The file ")


def test_all_formats_are_described_in_the_language_of_the_reader():
    field = UploadedFileField(registry.GO)
    with translation.override("es"):
        formats = field.formats
    assert formats["read"][-1] == {
        "name": "XML de OpenGotha", "extensions": ".xml", "text": "Torneos guardados por OpenGotha.",
    }  # fmt: skip
    named = {
        declared.code
        for declared in registry.FORMATS
        if isinstance(declared, UnsupportedFormat) and declared.extensions
    }
    assert len(formats["recognised"]) == len(named)
    assert {"access", "lin", "pairgoth", "text_document", "pdf", "picture", "zip"} <= named


@pytest.mark.django_db
@pytest.mark.parametrize("families", [["aeb"], ["aeb", "go"]])
def test_the_upload_page_lists_the_formats_of_the_systems_in_use(client, settings, families):
    settings.FAMILIES = families
    client.force_login(factories.director(factories.club()))
    speak(client, "en")
    page = client.get(reverse("upload_start")).content.decode()
    rates_go = "go" in families
    assert (".h9" in page, "Go tournament" in page) == (rates_go, rates_go)
    for declared in registry.FORMATS:
        if isinstance(declared, UnsupportedFormat):
            shown = bool(declared.extensions) and (rates_go or not declared.of_go)
            assert (declared.instead in page) == shown
        else:
            assert (escape(declared.reads) in page) == (rates_go or not isinstance(declared, registry.GO))
