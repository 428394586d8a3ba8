"""The audit compares uploaded files with the digests recorded on receipt."""

from datetime import date
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.audit import files
from scoring.ratings.services import replays
from tests import factories as f
from tests.scoring.audit.acts import resumed_audit, run_audit
from tests.scoring.ratings import makers
from tournaments.models import ResultUpload, StoredFile
from tournaments.services import uploads

pytestmark = pytest.mark.django_db


def stored_upload(tournament=None, text: bytes = b"puesto;licencia\r\n") -> ResultUpload:
    """Create the upload of a file.

    tournament: if passed, the upload is confirmed as this tournament, and its ranking counts as edited by
        hand; otherwise the upload stays a draft
    """
    club = tournament.club if tournament else f.club()
    upload = uploads.receive(f.director(club), club, "pool.csv", text, {})
    if tournament:
        edited, revision = {**upload.parsed, "edited": "rows"}, tournament.published
        ResultUpload.objects.filter(pk=upload.pk).update(state="confirmed", revision=revision, parsed=edited)
    return upload


@pytest.fixture
def file(pool) -> StoredFile:
    return stored_upload(pool).file


def all_differences() -> list[files.Difference]:
    return [
        difference
        for batches in (files.batches(), files.go_batches())
        for batch in batches
        for difference in batch.differences
    ]


def test_untouched_files_are_equal(file):
    stored_upload()
    makers.upload(f.director(f.club()))
    club = f.club()
    uploads.receive_typed(f.director(club), club, {})  # without a file
    lines, text = run_audit()
    assert text == "equal" and "; 3 files; " in lines[0]


def test_changed_bytes_of_a_file_are_reported(file, pool):
    right = file.resultupload
    StoredFile.objects.update(content=b"puesto;licencia;\r\n")
    (difference,) = all_differences()
    assert (difference.code, difference.tournament) == ("file", pool.pk)
    assert difference.stored == f"upload {right.pk}: {right.sha256}, 17 bytes"
    assert difference.derived.endswith(", 18 bytes") and right.sha256 not in difference.derived


@pytest.mark.parametrize("change", [{"sha256": "0" * 64}, {"sha256": ""}, {"size": 3}], ids=str)
def test_a_changed_digest_or_length_is_reported(file, change):
    ResultUpload.objects.update(**change)
    assert [issue.code for issue in all_differences()] == ["file"]


def test_a_lost_file_is_reported(file):
    upload = file.resultupload
    file.delete()
    assert [item.derived for item in all_differences()] == [f"upload {upload.pk}: no file"]


def test_the_file_of_a_draft_is_checked_too():
    upload = stored_upload()
    StoredFile.objects.update(content=b"")
    (difference,) = all_differences()
    assert difference.tournament is None and str(upload.pk) in difference.stored
    assert run_audit()[0][0].startswith("file\t-\t-\t-\tupload")


def test_changed_files_of_go_tournaments_are_reported():
    director = f.director(f.club())
    upload = makers.confirmed(makers.upload(director), director, {"go_no_pin"})
    replays.replay(upload.replay_id)
    assert all_differences() == []
    StoredFile.objects.filter(goupload=upload).update(content=bytes(upload.file.content) + b" ")
    (difference,) = all_differences()
    assert (difference.code, difference.tournament) == ("go_file", upload.tournament_id)
    assert difference.stored == f"upload {upload.pk}: {upload.sha256}, {upload.size} bytes"
    assert run_audit("--since", "2026-03-16")[1] == "equal"
    assert run_audit("--since", "2026-03-15")[1].startswith("1: 1 differences")


def test_the_audit_can_be_limited_to_one_tournament_or_to_those_since_a_day(file, pool):
    StoredFile.objects.update(content=b"x")
    other = f.scored(*f.pairs(f.players(4)), end_date=date(2026, 3, 15))
    stored_upload(other, b"a")
    lines, text = run_audit("--tournament", str(other.pk))
    assert text == "equal" and "; 1 files; " in lines[0]
    assert run_audit("--since", "2026-03-15")[1] == "equal"
    assert run_audit("--tournament", str(pool.pk))[1].startswith("1: 1 differences")
    assert run_audit("--since", "2026-03-14")[1].startswith("1: 1 differences")


def test_an_interrupted_audit_resumes_where_it_stopped(tmp_path, monkeypatch):
    ids = sorted(stored_upload().pk for _ in range(3))
    StoredFile.objects.filter(resultupload=ids[0]).update(content=b"x")
    audited = resumed_audit(files, tmp_path, monkeypatch)
    assert UUID(audited.left["file"]) == ids[1]
    assert audited.resumed_with[2] == ids[1]
    assert audited.ending.startswith("1: 1 differences") and "; 3 files" in audited.ending
    assert len(audited.lines) == 1


def test_queries_do_not_grow_with_files():
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert all_differences() == []
        return len(captured)

    stored_upload()
    before = queries()
    for _ in range(20):
        stored_upload()
    assert queries() == before == 3  # one batch, one query that finds no more files, and one for Go
