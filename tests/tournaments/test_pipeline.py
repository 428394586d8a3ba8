"""The steps that all kinds of upload share: storing, refusing, reading again, discarding, restoring."""

import hashlib
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.office.lists import imports
from scoring.office.models import OfficeImport
from scoring.office.services import retention
from scoring.ratings.models import GoUpload
from scoring.ratings.services import register
from tests import factories
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.office.lists import table, work
from tests.scoring.ratings import makers
from tests.scoring.uploads.makers import csv_of
from tournaments.formats.issues import issue
from tournaments.models import ResultUpload, StoredFile, Upload
from tournaments.services import pipeline, uploads

pytestmark = pytest.mark.django_db
MODELS = [ResultUpload, GoUpload, OfficeImport]
DETAILS = {"name": "", "start_date": "", "end_date": "", "tournament_class": ""}
BAD = b"%PDF-1.7 not a result"


@pytest.fixture
def office(client):
    account = factories.office()
    client.force_login(account)
    speak(client, "en")
    return account


def good(model: type[Upload]) -> bytes:
    """Return a file that can be read as an upload of this kind."""
    if model is ResultUpload:
        return csv_of(factories.pairs(factories.players(8)))
    return makers.FILE.encode() if model is GoUpload else table("players", "901;Ana;Prado Gil;;")


def received(model: type[Upload], by, data: bytes, name: str = "a.csv") -> Upload:
    if model is ResultUpload:
        return uploads.receive(by, factories.club(), name, data, {})
    if model is GoUpload:
        return register.receive(by, name, data, DETAILS)
    upload = imports.receive("players", name, data, by)
    work()
    upload.refresh_from_db()
    return upload


def again(upload: Upload) -> Upload:
    return type(upload).objects.get(pk=upload.pk)


def press(client, upload: Upload, action: str):
    return client.post(upload.get_absolute_url(), {"action": action}, follow=True)


@pytest.mark.parametrize("model", MODELS)
def test_an_upload_stores_the_file_and_its_digest_and_shortens_a_long_name(model, office):
    upload = received(model, office, BAD, "x" * 200 + ".csv")
    assert bytes(upload.file.content) == BAD
    assert (upload.sha256, upload.size) == (hashlib.sha256(BAD).hexdigest(), len(BAD))
    assert upload.file_name == "x" * 196 + ".csv"


@pytest.mark.parametrize("model", MODELS)
def test_an_unreadable_file_is_refused_and_cannot_be_read_again(model, office, client):
    upload = received(model, office, BAD)
    assert upload.state == "refused" and not model.objects.drafts()
    page = open_page(client, upload.get_absolute_url())
    if model is OfficeImport:
        assert "none of it can be applied" in page.text
    else:
        assert page.headings()[0] == "This file could not be read"
        assert "There is nothing to review" in page.text
    assert "Read the file again" not in page.text
    with pytest.raises(pipeline.NotUnderReview):
        pipeline.read_again(upload)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("interrupted", [True, False])
def test_a_file_whose_reading_was_interrupted_can_be_read_again(model, interrupted, office, client):
    upload = again(received(model, office, good(model)))
    result = pipeline.KINDS[model].result
    if interrupted:
        changed = {"file_format": "", "parsed": result("unknown", "a.csv").to_json()}
    else:
        stopped = result("unknown", "a.csv", issues=(issue("too_slow", seconds=20),))
        changed = {"state": "refused", "parsed": stopped.to_json()}
    model.objects.filter(pk=upload.pk).update(**changed)
    page = client.get(upload.get_absolute_url())
    codes = {group["code"] for group in page.context["groups"]}
    assert ("not_read" if interrupted else "too_slow") in codes
    assert "Read the file again" in page.content.decode()
    assert "The file was read again." in press(client, upload, "read-again").content.decode()
    assert (again(upload).state, again(upload).parsed) == ("review", upload.parsed)


@pytest.mark.parametrize("model", MODELS)
def test_a_discarded_draft_can_be_restored_while_its_file_is_kept(model, office, client):
    upload = received(model, office, good(model))
    pipeline.discard(upload)
    with pytest.raises(pipeline.NotUnderReview):
        pipeline.discard(upload)
    page = client.get(upload.get_absolute_url()).content.decode()
    assert "This draft was discarded." in page and "Take this draft back" in page
    press(client, upload, "recover")
    assert (again(upload).state, again(upload).discarded_at) == ("review", None)

    pipeline.discard(upload)
    model.objects.update(discarded_at=timezone.now() - timedelta(days=9))
    assert retention.delete_due_files(timezone.localdate()) == 1
    assert not StoredFile.objects.exists()
    assert "Take this draft back" not in client.get(upload.get_absolute_url()).content.decode()
    press(client, upload, "recover")
    assert again(upload).state == "discarded"


@pytest.mark.parametrize("model", MODELS)
def test_a_restored_refused_file_is_still_refused(model, office):
    upload = received(model, office, BAD)
    pipeline.discard(upload)
    pipeline.recover(upload)
    assert again(upload).state == "refused"


def test_deleting_the_file_of_a_discarded_import_also_deletes_what_was_read_from_it(office):
    batch = received(OfficeImport, office, good(OfficeImport))
    pipeline.discard(batch)
    assert again(batch).parsed and again(batch).rows.exists()
    OfficeImport.objects.update(discarded_at=timezone.now() - timedelta(days=9))
    retention.delete_due_files(timezone.localdate())
    assert again(batch).parsed == {} and not again(batch).rows.exists()


@pytest.mark.parametrize("name", ["office_import_review", "go_upload_review"])
def test_auditors_see_a_discarded_upload_but_cannot_restore_it(name, office, client):
    model = OfficeImport if name.startswith("office") else GoUpload
    upload = received(model, office, good(model))
    pipeline.discard(upload)
    auditor = factories.user()
    factories.role(auditor, "auditor")
    client.force_login(auditor)
    address = reverse(name, args=[upload.pk])
    assert "Take this draft back" not in client.get(address).content.decode()
    assert client.post(address, {"action": "recover"}).status_code == 403
    assert again(upload).state == "discarded"
