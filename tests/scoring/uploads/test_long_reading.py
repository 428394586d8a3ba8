"""A large file is read while the user sees the progress. Small files are read at once, as in other tests."""

import threading
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.scoring.uploads.makers import post_file, usebio_of
from tournaments.models import ResultUpload
from tournaments.services import pipeline


@pytest.fixture
def large(pairs):
    """Return a file of more than LONG_BYTES whose ranking is short."""
    return usebio_of(pairs) + b" " * pipeline.LONG_BYTES


def look(client, upload, **headers):
    return client.get(reverse("upload_review", args=[upload.pk]), headers=headers)


@pytest.mark.django_db(transaction=True)
def test_a_large_file_is_read_in_the_background(signed_in, club, large):
    response = post_file(signed_in, club, large, "nacional.xml")
    assert response.url == reverse("upload_review", args=[ResultUpload.objects.get().pk])
    for thread in threading.enumerate():
        if thread.name.startswith("read "):
            thread.join()
    assert len(signed_in.get(response.url).context["review"].draft.entries) == 4


def test_the_progress_is_shown_until_the_file_is_read(
    signed_in, club, large, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks():  # the thread does not start
        post_file(signed_in, club, large, "nacional.xml")
    upload = ResultUpload.objects.get()
    page = look(signed_in, upload)
    assert "uploads/reading.html" in [template.name for template in page.templates]
    fragment = reverse("upload_progress", args=[upload.pk])
    assert "progress-block" in signed_in.get(fragment, headers={"HX-Request": "true"}).content.decode()
    pipeline.read(upload, large)
    assert signed_in.get(fragment, headers={"HX-Request": "true"})["HX-Redirect"].endswith(
        upload.get_absolute_url()
    )
    assert "review" in look(signed_in, upload).context


def test_a_reading_that_was_interrupted_can_be_repeated(
    signed_in, club, large, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks():
        post_file(signed_in, club, large, "nacional.xml")
    ResultUpload.objects.update(created_at=timezone.now() - pipeline.READING - timedelta(seconds=1))
    upload = ResultUpload.objects.get()
    page = look(signed_in, upload)
    assert page.context["may_read_again"]
    assert [issue.code for issue in page.context["review"].issues] == ["not_read"]
    pipeline.read_again(upload)
    assert not ResultUpload.objects.get().is_unread
