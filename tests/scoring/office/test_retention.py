"""The retention of uploaded files: which files are deleted after which time, and what remains."""

import logging
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs, sweeper
from scoring.office.services import retention
from scoring.promotions.models import PromotionCampaign, PromotionRuleSet
from scoring.ratings.models import GoUpload
from tests import factories as make
from tests.scoring.audit.acts import run_audit
from tests.scoring.ratings import makers
from tournaments.models import ResultUpload, StoredFile
from tournaments.services import pipeline, uploads

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def received_upload(by, club, **fields) -> ResultUpload:
    upload = uploads.receive(by, club, "pool.csv", b"puesto;licencia\r\n1;x", {})
    ResultUpload.objects.filter(pk=upload.pk).update(**fields)
    return upload


@pytest.fixture
def club(db):
    return make.club()


@pytest.fixture
def director(club):
    return make.director(club)


def confirmed_upload(club, director, end_date: date) -> ResultUpload:
    revision = make.revision(*make.pairs(make.players(4)), of=club, end_date=end_date)
    return received_upload(director, club, state="confirmed", revision=revision, confirmed_at=timezone.now())


def stored_files(*some: ResultUpload) -> list[bool]:
    return [StoredFile.objects.filter(resultupload=item).exists() for item in some]


def test_files_of_discarded_uploads_are_deleted_after_a_week(club, director):
    today = timezone.localdate()
    old, fresh = (
        received_upload(director, club, state="discarded", discarded_at=timezone.now() - days * DAY)
        for days in (9, 6)
    )
    draft = received_upload(director, club)
    assert retention.delete_due_files(today) == 1
    assert stored_files(old, fresh, draft) == [False, True, True]
    old.refresh_from_db()
    assert old.file_deleted_at and old.sha256 and old.parsed
    assert retention.delete_due_files(today) == 0


def test_confirmed_files_are_deleted_after_a_year_unless_a_campaign_needs_them(club, director):
    long_ago, held, recent = (
        confirmed_upload(club, director, day)
        for day in (date(2024, 3, 1), date(2025, 3, 1), date(2026, 3, 1))
    )
    campaign = PromotionCampaign.objects.create(
        year=2025,
        rule_set=PromotionRuleSet.objects.latest("valid_from"),
        intake_until=date(2026, 1, 31),
        effective_on=date(2026, 2, 1),
        opened_by=make.office(),
    )
    retention.delete_due_files(date(2026, 11, 22))
    assert stored_files(long_ago, held, recent) == [False, True, True]
    PromotionCampaign.objects.filter(pk=campaign.pk).update(state="abandoned")
    retention.delete_due_files(date(2026, 11, 22))
    assert stored_files(long_ago, held, recent) == [False, False, True]


def test_the_file_of_a_ranking_that_waits_for_approval_is_kept(club, director):
    waiting = confirmed_upload(club, director, date(2024, 3, 1))
    waiting.refresh_from_db()
    run = runs.create_run(waiting.revision, director)
    ScoringRun.objects.filter(pk=run.pk).update(state="waiting")
    retention.delete_due_files(date(2026, 11, 22))
    assert stored_files(waiting) == [True]
    ScoringRun.objects.filter(pk=run.pk).update(state="pending")
    retention.delete_due_files(date(2026, 11, 22))
    assert stored_files(waiting) == [False]


def test_unreadable_files_are_deleted_after_a_week(club, director):
    old, fresh = (
        received_upload(director, club, state="refused", created_at=timezone.now() - days * DAY)
        for days in (9, 6)
    )
    assert retention.delete_due_files(timezone.localdate()) == 1
    assert stored_files(old, fresh) == [False, True]
    stopped = {"issues": [{"code": "too_slow"}]}
    ResultUpload.objects.update(parsed=stopped)
    assert [pipeline.may_read_again(ResultUpload.objects.get(pk=item.pk)) for item in (old, fresh)] == [
        False,
        True,
    ]


def test_files_of_drafts_are_deleted_a_year_after_the_upload(club, director, client, caplog):
    """Drafts that nobody confirms or discards lose their file a year after the upload."""
    old, fresh = received_upload(director, club), received_upload(director, club)
    old_go, fresh_go = (makers.upload(director, makers.FILE.replace("Torneo", name)) for name in ("A", "B"))
    for uploaded, days in ((old, 367), (fresh, 364), (old_go, 367), (fresh_go, 364)):
        type(uploaded).objects.filter(pk=uploaded.pk).update(created_at=timezone.now() - days * DAY)
    client.force_login(director)
    addresses = [
        reverse("upload_review", args=[old.pk]),
        reverse("upload_review", args=[fresh.pk]),
        reverse("go_upload_review", args=[old_go.pk]),
        reverse("go_upload_review", args=[fresh_go.pk]),
    ]
    gone = "el archivo ya no se conserva"
    assert not any(gone in client.get(address).content.decode() for address in addresses)
    with caplog.at_level(logging.INFO, logger=retention.__name__):
        assert retention.delete_due_files(timezone.localdate()) == 2
    assert "deleted 2 uploaded files" in caplog.text
    assert stored_files(old, fresh) == [False, True]
    for uploaded in (old_go, fresh_go):
        uploaded.refresh_from_db()
    assert (old_go.file, fresh_go.file is None) == (None, False)
    assert old_go.file_deleted_at and old_go.sha256 and not fresh_go.file_deleted_at
    assert [gone in client.get(address).content.decode() for address in addresses] == [
        True,
        False,
        True,
        False,
    ]
    assert retention.delete_due_files(timezone.localdate()) == 0


def test_a_draft_without_its_file_can_still_be_confirmed(director):
    """The data read from the file remain, and the audit reports that the file is no longer kept."""
    draft = makers.upload(director)
    GoUpload.objects.update(created_at=timezone.now() - 367 * DAY)
    assert retention.delete_due_files(timezone.localdate()) == 1
    done = makers.confirmed(draft, director, {"go_no_pin"})
    assert (done.state, done.file) == ("confirmed", None)
    lines, _output = run_audit()
    assert "; 1 files no longer kept; " in lines[-1]


def test_go_files_are_deleted_too_and_the_audit_counts_them_separately(director, monkeypatch):
    done = makers.confirmed(makers.upload(director), director, {"go_no_pin"})
    draft = makers.upload(director, makers.FILE.replace("Torneo", "Copa"))
    pipeline.discard(draft)
    monkeypatch.setattr(sweeper.standings, "roll_if_due", lambda: True)
    monkeypatch.setattr(sweeper.standings, "today", lambda: date(2030, 1, 1))
    sweeper.sweep()
    assert list(GoUpload.objects.values_list("file", flat=True)) == [None, None]
    assert GoUpload.objects.get(pk=done.pk).sha256
    lines, _output = run_audit()
    assert "; 2 files no longer kept; " in lines[-1]
    assert not [line for line in lines if line.startswith("go_file")]
