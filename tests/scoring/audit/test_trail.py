"""From points on a page to the bytes of the file, in three clicks."""

import hashlib

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Role
from scoring.ledger.models import ScoringRun
from tests import factories as make
from tests import triggers
from tests.languages import speak
from tests.pages import open_page
from tournaments.models import FurtherFile, ResultUpload, StoredFile

pytestmark = pytest.mark.django_db
CONTENT = b"Rank;Pair\n1;A\n"


def reader(kind) -> Client:
    account = make.user()
    make.role(account, kind)
    client = Client()
    speak(client, "en")
    client.force_login(account)
    return client


@pytest.fixture
def upload(pool) -> ResultUpload:
    made = ResultUpload.objects.create(
        club=pool.club, created_by=make.director(pool.club), file_name="pool.csv", file_format="table",
        state="confirmed", revision=pool.published, size=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).hexdigest(), file=StoredFile.objects.create(content=CONTENT),
    )  # fmt: skip
    FurtherFile.objects.create(upload=made, position=2, file_name="manos.pbn", size=7, sha256="ab" * 32)
    return made


def test_three_clicks_lead_from_a_number_to_the_bytes(pool, upload):
    entry = pool.entries.filter(kind="award").first()
    office = reader(Role.Kind.OFFICE)
    receipt = reverse("award", args=[entry.player.number, entry.pk])
    assert receipt in open_page(office, entry.player.get_absolute_url()).addresses
    inputs = reverse("run_inputs", args=[entry.run.uid])
    assert inputs in open_page(office, receipt, yo="1").addresses
    page = open_page(office, inputs)
    file = reverse("upload_file", args=[upload.pk])
    assert file in page.addresses
    assert CONTENT in b"".join(office.get(file))
    for words in (entry.run.input_digest, upload.sha256, "manos.pbn", "ab" * 32, "those that were scored"):
        assert words in page.text, words


def test_auditors_and_the_committee_read_the_digest_and_download_nothing(pool, upload):
    run = ScoringRun.objects.get(tournament=pool)
    for kind, sees in ((Role.Kind.AUDITOR, True), (Role.Kind.COMMITTEE, False)):
        page = open_page(reader(kind), reverse("run_inputs", args=[run.uid]))
        file, receipt = reverse("upload_file", args=[upload.pk]), reverse("upload_receipt", args=[upload.pk])
        assert upload.sha256 in page.text and file not in page.addresses
        assert (receipt in page.addresses) == sees
    entry = pool.entries.filter(kind="award").first()
    public = open_page(Client(), reverse("award", args=[entry.player.number, entry.pk]))
    assert reverse("run_inputs", args=[run.uid]) not in public.addresses


def test_after_its_term_the_digest_and_the_inputs_stay(pool, upload):
    run = ScoringRun.objects.get(tournament=pool)
    upload.file.delete()
    upload.further_files.all().delete()
    ResultUpload.objects.filter(pk=upload.pk).update(file=None, file_deleted_at=timezone.now())
    page = open_page(reader(Role.Kind.OFFICE), reverse("run_inputs", args=[run.uid]))
    assert upload.sha256 in page.text and "deleted on" in page.text and "no longer kept" in page.text
    assert reverse("upload_file", args=[upload.pk]) not in page.addresses
    assert str(pool.entries.first().player_id) in page.text


def test_changed_inputs_and_rankings_without_a_file_are_named(pool):
    run = ScoringRun.objects.get(tournament=pool)
    auditor, address = reader(Role.Kind.AUDITOR), reverse("run_inputs", args=[run.uid])
    assert "did not come from an upload" in open_page(auditor, address).text
    inputs = run.inputs
    inputs[0]["event"]["planted"] = "yes"
    with triggers.without(connection):
        ScoringRun.objects.filter(pk=run.pk).update(inputs=inputs)
    page = open_page(auditor, address)
    assert "The inputs were changed" in page.text and "Digest computed now" in page.text
