"""An interrupted reading is done again; a file of which nothing can be read is no draft."""

import pytest
from django.urls import reverse

from tests import factories
from tournaments.formats import sandbox
from tournaments.models import ResultUpload
from tournaments.services import uploads

from .makers import codes, csv_of, details, sent

pytestmark = pytest.mark.django_db
State = ResultUpload.State


class Killed(BaseException):
    """What ends a process between two of its steps."""


@pytest.fixture
def interrupted(director, club, pairs, monkeypatch) -> ResultUpload:
    """An upload whose process died once the bytes were stored."""

    def die(*_args, **_kwargs):
        raise Killed

    monkeypatch.setattr(uploads, "read_results_safely", die)
    with pytest.raises(Killed):
        form = {name: value for name, value in details().items() if name not in ("end_date", "boards")}
        uploads.receive(director, club, "martes.csv", csv_of(pairs), form)
    monkeypatch.setattr(uploads, "read_results_safely", sandbox.read_results_safely)
    return ResultUpload.objects.get()


def test_an_interrupted_reading_is_told_and_done_again(signed_in, interrupted):
    review = reverse("upload_review", args=[interrupted.pk])
    page = signed_in.get(review)
    assert [each.code for each in page.context["review"].issues] == ["not_read"]
    assert codes(interrupted) == {"not_read"}
    assert 'value="read-again"' in page.content.decode()
    assert signed_in.post(review, {"action": "read-again"}).url == review
    interrupted.refresh_from_db()
    assert interrupted.file_format == "csv" and len(interrupted.parsed["entries"]) == 4
    assert "not_read" not in codes(interrupted)


def test_only_its_directors_read_it_again(client, interrupted):
    client.force_login(factories.director(factories.club()))
    assert (
        client.post(reverse("upload_review", args=[interrupted.pk]), {"action": "read-again"}).status_code
        == 404
    )
    interrupted.refresh_from_db()
    assert interrupted.file_format == ""


def test_what_was_read_is_not_read_again_over_what_was_decided(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    uploads.mend(upload, {(0, 0): uploads.Decision.GUEST})
    signed_in.post(reverse("upload_review", args=[upload.pk]), {"action": "read-again"})
    upload.refresh_from_db()
    assert upload.parsed["choices"]


def test_a_refused_file_is_no_draft(signed_in, club, pairs):
    upload = sent(signed_in, club, b"%PDF-1.7 not a result", "cartel.pdf")
    assert upload.state == State.REFUSED
    page = signed_in.get(reverse("upload_review", args=[upload.pk]))
    assert "wrong_type" in codes(upload) and 'value="read-again"' in page.content.decode()
    assert signed_in.get(reverse("uploads")).context["drafts"] == 0
    assert not signed_in.get(reverse("home")).context["drafts"]
    again = sent(signed_in, club, b"%PDF-1.7 not a result", "cartel.pdf")
    assert "same_draft" not in codes(again)
    signed_in.post(reverse("upload_discard", args=[upload.pk]))
    upload.refresh_from_db()
    assert upload.state == State.DISCARDED
