"""Reading a file again after an interruption. A file from which nothing can be read is not a draft."""

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories
from tests.pages import Page, open_page
from tests.scoring.uploads.makers import codes, csv_of, details, sent
from tournaments.formats import sandbox
from tournaments.formats.issues import issue
from tournaments.formats.types import ParsedResult
from tournaments.models import ResultUpload, StoredFile
from tournaments.services import files, pipeline, uploads

pytestmark = pytest.mark.django_db
State = ResultUpload.State


class Killed(BaseException):
    """An exception that stands for the death of a process between two steps."""


@pytest.fixture
def interrupted(director, club, pairs, monkeypatch) -> ResultUpload:
    """Create an upload whose process died after storing the bytes and before reading them."""

    def die(*_args, **_kwargs):
        raise Killed

    monkeypatch.setattr(files, "read_results_safely", die)
    with pytest.raises(Killed):
        form = {name: value for name, value in details().items() if name not in ("end_date", "boards")}
        uploads.receive(director, club, "martes.csv", csv_of(pairs), form)
    monkeypatch.setattr(files, "read_results_safely", sandbox.read_results_safely)
    return ResultUpload.objects.get()


def test_an_interrupted_reading_is_reported_and_can_be_repeated(signed_in, interrupted):
    review = reverse("upload_review", args=[interrupted.pk])
    page = signed_in.get(review)
    assert [item.code for item in page.context["review"].issues] == ["not_read"]
    assert codes(interrupted) == {"not_read"}
    assert "read-again" in Page(page).values("action")
    assert signed_in.post(review, {"action": "read-again"}).url == review
    interrupted.refresh_from_db()
    assert interrupted.file_format == "csv" and len(interrupted.parsed["entries"]) == 4
    assert "not_read" not in codes(interrupted)


def test_only_the_clubs_directors_can_read_a_file_again(client, interrupted):
    client.force_login(factories.director(factories.club()))
    assert (
        client.post(reverse("upload_review", args=[interrupted.pk]), {"action": "read-again"}).status_code
        == 404
    )
    interrupted.refresh_from_db()
    assert interrupted.file_format == ""


def test_reading_again_does_not_discard_decisions(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    uploads.save(upload, uploads.Answers(seats={(0, 0): uploads.Decision.GUEST}))
    signed_in.post(reverse("upload_review", args=[upload.pk]), {"action": "read-again"})
    upload.refresh_from_db()
    assert upload.parsed["choices"]


def test_an_unreadable_file_is_not_a_draft(signed_in, club, pairs):
    upload = sent(signed_in, club, b"%PDF-1.7 not a result", "cartel.pdf", name="")
    assert upload.state == State.REFUSED
    page = open_page(signed_in, reverse("upload_review", args=[upload.pk]))
    assert "wrong_type" in codes(upload) and page.headings(1) == ["Este archivo no se pudo leer"]
    assert {reverse("upload_start"), reverse("upload_typed")} <= set(page.main.addresses)
    # Its content is the reason for the refusal, so reading it again would give the same result.
    assert "read-again" not in page.html and reverse("upload_discard", args=[upload.pk]) not in page.html
    signed_in.post(reverse("upload_review", args=[upload.pk]), {"action": "read-again"})
    assert signed_in.get(reverse("uploads")).context["drafts"] == 0
    page = signed_in.get(reverse("my_place"))
    assert (list(page.context["drafts"]), page.context["inbox"].count) == ([], 0)
    again = sent(signed_in, club, b"%PDF-1.7 not a result", "cartel.pdf")
    assert "same_draft" not in codes(again)
    signed_in.post(reverse("uploads_several"), {"act": "discard", "upload": [upload.pk]})
    upload.refresh_from_db()
    assert upload.state == State.DISCARDED


@pytest.mark.parametrize("code", ["too_slow", "too_big_to_read", "reader_failed"])
def test_a_reading_that_failed_for_our_reasons_can_be_repeated(signed_in, club, pairs, monkeypatch, code):
    """The reading failed because of a busy machine or a bug of ours, so reading it again may succeed."""
    stopped = ParsedResult("unknown", "martes.csv", issues=(issue(code, seconds=20),))
    monkeypatch.setattr(files, "read_results_safely", lambda *_args, **_kwargs: stopped)
    upload = sent(signed_in, club, csv_of(pairs))
    assert upload.state == State.REFUSED
    review = reverse("upload_review", args=[upload.pk])
    page = open_page(signed_in, review)
    assert "read-again" in page.values("action")
    assert reverse("upload_discard", args=[upload.pk]) not in page.html
    monkeypatch.setattr(files, "read_results_safely", sandbox.read_results_safely)
    assert signed_in.post(review, {"action": "read-again"}).url == review
    upload.refresh_from_db()
    assert (upload.state, len(upload.parsed["entries"])) == (State.REVIEW, 4)


def test_an_unreadable_correction_offers_to_upload_another_file(signed_in, club, pairs):
    played = factories.revision(*pairs, of=club).tournament
    query = f"?corrige={played.pk}"
    upload = sent(signed_in, club, b"%PDF-1.7 not a result", "cartel.pdf", query, reason="Error")
    page = signed_in.get(reverse("upload_review", args=[upload.pk])).content.decode()
    assert reverse("upload_start") + query in page and reverse("upload_typed") + query in page


def forget_file(upload: ResultUpload) -> None:
    """Delete the stored bytes of the upload, as the retention rule does."""
    StoredFile.objects.filter(resultupload=upload).delete()
    ResultUpload.objects.filter(pk=upload.pk).update(file_deleted_at=timezone.now())


def sent_form(page) -> dict[str, str]:
    """Return the form data of the tournament that a browser would send from the page."""
    form = page.context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: "" if value is None else value for name, value in values.items()}


def test_changing_the_format_without_the_file_is_refused_and_keeps_input(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    review = reverse("upload_review", args=[upload.pk])
    typed = {**sent_form(signed_in.get(review)), "action": "save", "name": "Copa de otoño"}
    forget_file(upload)
    page = signed_in.post(review, {**typed, "format": "individual"})
    text = page.content.decode()
    assert page.status_code == 200
    assert "ya no se conserva" in text and "Copa de otoño" in text
    upload.refresh_from_db()
    assert (upload.details["name"], upload.details["format"]) == ("Pool", "pairs")
    # Everything except the format can be saved without the file.
    assert signed_in.post(review, typed).status_code == 302
    upload.refresh_from_db()
    assert upload.details["name"] == "Copa de otoño"


def test_an_outdated_page_of_a_discarded_draft_changes_nothing(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    review = reverse("upload_review", args=[upload.pk])
    typed = {**sent_form(signed_in.get(review)), "action": "save", "format": "individual"}
    pipeline.discard(upload)
    forget_file(upload)
    assert signed_in.post(review, typed).url == review
    upload.refresh_from_db()
    assert (upload.state, upload.details["format"]) == (State.DISCARDED, "pairs")


def test_a_file_deleted_after_the_page_was_opened_is_not_read_again(signed_in, interrupted):
    """A file that was deleted after the page was opened is not read again, and the page says so."""
    StoredFile.objects.all().delete()
    answer = signed_in.post(
        reverse("upload_review", args=[interrupted.pk]), {"action": "read-again"}, follow=True
    )
    assert "ya no se conserva" in answer.content.decode()
    with pytest.raises(pipeline.FileGone):
        pipeline.read_again(interrupted)
