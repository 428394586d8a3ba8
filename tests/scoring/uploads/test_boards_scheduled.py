"""Boards scheduled: a number typed by the director is kept; otherwise it follows the winner's boards."""

import pytest
from django.urls import reverse

from tests import factories
from tests.scoring.uploads.makers import csv_of, details, sent, usebio_of
from tournaments.models import ResultUpload
from tournaments.services import uploads
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db


def saved(client, upload, **changed) -> tuple[int, int]:
    """Save the review page with some fields changed. Return the boards and boards scheduled of the draft."""
    review = reverse("upload_review", args=[upload.pk])
    form = client.get(review).context["form"]
    boxes = {name: "" if form[name].value() is None else form[name].value() for name in form.fields}
    assert client.post(review, {"action": "details", **boxes, **changed}).status_code == 302
    header = draft_of(ResultUpload.objects.get(pk=upload.pk)).header
    return header.boards, header.boards_scheduled


def table(pairs, boards: list[int]) -> bytes:
    """Return the pairs' CSV file with a column for the boards that each pair played."""
    lines = csv_of(pairs).decode().splitlines()
    counts = [count for count in boards for _player in range(2)]
    text = [f"{line};{count}" for line, count in zip(lines[1:], counts, strict=True)]
    return "\n".join([f"{lines[0]};manos", *text]).encode()


def test_boards_scheduled_follow_the_winners_boards_unless_typed(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    for boards in ("22", "26"):
        assert saved(signed_in, upload, boards=boards) == (int(boards), int(boards))


def test_boards_scheduled_follow_if_the_winner_played_all_boards_of_the_file(signed_in, club, pairs):
    upload = sent(signed_in, club, usebio_of(pairs, boards=24), "martes.xml", boards="")
    for boards in ("22", "26", "24"):
        assert saved(signed_in, upload, boards=boards) == (int(boards), int(boards))


def test_typed_boards_scheduled_are_kept(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    assert saved(signed_in, upload, boards_scheduled="27") == (24, 27)
    assert saved(signed_in, upload, boards="22") == (22, 27)
    # equal to the winner's boards, but typed, so it is kept
    assert saved(signed_in, upload, boards_scheduled="22") == (22, 22)
    assert saved(signed_in, upload, boards="20") == (20, 22)
    assert saved(signed_in, upload, boards_scheduled="") == (20, 20)


def test_boards_scheduled_of_a_file_are_kept_if_the_winner_sat_out(signed_in, club, pairs):
    upload = sent(signed_in, club, table(pairs, [21, 24, 24, 24]), boards="")
    assert saved(signed_in, upload) == (21, 24)
    assert saved(signed_in, upload, boards="18") == (18, 24)


def test_a_correction_starts_with_boards_scheduled_only_if_they_differ(club):
    played = factories.revision(*factories.pairs(factories.players(8)), of=club, boards=24).tournament
    assert uploads.details_of(played)["boards"] == 24 and "boards_scheduled" not in uploads.details_of(played)
    played.boards_scheduled = 27
    assert uploads.details_of(played)["boards_scheduled"] == 27


def test_a_note_says_so_if_one_number_is_used_for_boards_and_boards_scheduled(signed_in, club, pairs):
    upload = sent(signed_in, club, usebio_of(pairs, boards=24), "martes.xml", **details(boards=""))
    assert not upload.issues.filter(code="boards_assumed").exists()
    saved(signed_in, upload, boards="22")
    assert upload.issues.get(code="boards_assumed").value == "22"
