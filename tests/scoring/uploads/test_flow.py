"""A whole upload through the real pages, from the file to the receipt."""

import re
from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.ledger.models import LedgerEntry, ScoringRun, StandingsState
from scoring.ledger.services import runs
from scoring.office.services import merges
from scoring.uploads.services import confirm
from tests import factories
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.uploads.makers import codes, csv_of, details, post_file, sent, tick_and_confirm, usebio_of
from tournaments.models import ResultUpload, StoredFile, Tournament

pytestmark = pytest.mark.django_db


def score(upload: ResultUpload) -> ScoringRun:
    """Score the upload's run like the worker, and return the finished run."""
    upload.refresh_from_db()
    run = upload.revision.runs.get()
    runs.score(run.pk)
    run.refresh_from_db()
    return run


def test_the_first_page_offers_only_the_directors_clubs(signed_in, club):
    other = factories.club()
    page = signed_in.get(reverse("upload_start"))
    assert list(page.context["form"].fields["club"].queryset) == [club]
    assert other.name not in page.content.decode()


def test_a_csv_file_is_uploaded_confirmed_and_scored(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    assert StoredFile.objects.get(resultupload=upload).content == csv_of(pairs)
    review = signed_in.get(reverse("upload_review", args=[upload.pk]))
    assert review.context["review"].ready
    response = tick_and_confirm(signed_in, upload)
    assert response.url == reverse("upload_receipt", args=[upload.pk])
    waiting = signed_in.get(response.url)
    assert waiting.context["progress"].finished is False
    run = score(upload)
    assert run.state == ScoringRun.State.DONE
    awards = LedgerEntry.objects.filter(run=run)
    assert {award.player_id for award in awards} == {player.pk for pair in pairs for player in pair}
    done = signed_in.get(response.url)
    assert done.context["paid"] == 8
    assert done.context["total"] == sum(award.points for award in awards)


def test_a_usebio_file_provides_what_the_form_leaves_empty(signed_in, club, pairs):
    blank = {"name": "", "format": "", "end_date": "", "boards": ""}
    upload = sent(signed_in, club, usebio_of(pairs), "event.xml", **blank)
    result = signed_in.get(reverse("upload_review", args=[upload.pk])).context["review"]
    assert not result.has_errors
    header = result.draft.header
    assert (header.name, header.format, header.end_date.isoformat()) == ("Martes", "pairs", "2026-03-14")
    assert header.boards == header.boards_scheduled == 24
    assert header.source_id == "77"


def test_the_preview_shows_the_points_that_are_posted(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    review = signed_in.get(reverse("upload_review", args=[upload.pk])).context["review"]
    tick_and_confirm(signed_in, upload)
    run = score(upload)
    posted = dict(LedgerEntry.objects.filter(run=run).values_list("player_id", "points"))
    assert posted == review.points_by_player


def test_data_missing_in_the_file_are_errors_at_their_fields(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs), end_date="", boards="")
    page = signed_in.get(reverse("upload_review", args=[upload.pk]))
    assert {"missing_date", "missing_boards"} <= codes(upload)
    assert {"end_date", "boards"} <= set(page.context["form"].errors)
    values = {"action": "details", "club": club.pk, "name": "Pool", "event_type": "pool", "format": "pairs"}
    values |= {"venue": "in_person", "end_date": "2026-03-14", "boards": "24", "ranking": "one"}
    signed_in.post(reverse("upload_review", args=[upload.pk]), values)
    upload.refresh_from_db()
    assert not upload.issues.filter(severity="error").exists()


def test_the_preview_states_the_number_of_players_and_missing_licences(signed_in, club):
    licensed = factories.players(6, club=club, category="2P")
    without = factories.players(4, club=club, licensed=False)
    upload = sent(signed_in, club, csv_of(factories.pairs(licensed + without)))
    speak(signed_in, "en")
    page = signed_in.get(reverse("upload_review", args=[upload.pk]))
    text = page.context["summary"]
    assert text.startswith("Players recognised, 10 of 10; with licence, 6")
    # 90 % of the players need a licence: nine of ten.
    assert page.context["review"].evaluation.reasons[0].params["missing"] == 3
    assert "3 are missing" in text


def test_a_tournament_that_does_not_count_is_stored_with_the_reason(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs), boards="18")
    tick_and_confirm(signed_in, upload)
    run = score(upload)
    assert run.eligible is False
    page = signed_in.get(reverse("upload_receipt", args=[upload.pk]))
    assert page.context["paid"] == 0
    assert page.context["reasons"]
    assert not LedgerEntry.objects.exists()


def test_confirming_twice_creates_one_tournament(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    first = tick_and_confirm(signed_in, upload)
    second = signed_in.post(reverse("upload_confirm", args=[upload.pk]))
    assert first.url == second.url
    assert Tournament.objects.count() == ScoringRun.objects.count() == 1


def test_only_the_points_that_were_shown_are_confirmed(signed_in, club, pairs):
    """A confirmation is refused if the points or the draft changed after the confirmation page was shown."""
    upload = sent(signed_in, club, csv_of(pairs))
    url = reverse("upload_confirm", args=[upload.pk])

    def shown() -> str:
        (digest,) = open_page(signed_in, url).values("seen")
        return digest

    seen = shown()
    assert shown() == seen
    factories.assign(pairs[0][0], "1P", date(2026, 3, 1))
    assert signed_in.post(url, {"seen": seen}).url == url
    seen = shown()
    changed = {"action": "details", "club": club.pk, **details(name="Otro nombre")}
    signed_in.post(reverse("upload_review", args=[upload.pk]), changed)
    assert signed_in.post(url, {"seen": seen}).url == url
    assert not Tournament.objects.exists()
    signed_in.post(url, {"seen": shown()})
    assert Tournament.objects.get().name == "Otro nombre"


def test_an_outdated_confirmation_page_cannot_confirm_a_discarded_draft(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    signed_in.post(reverse("upload_discard", args=[upload.pk]))
    response = signed_in.post(reverse("upload_confirm", args=[upload.pk]))
    assert response.status_code == 302
    assert not Tournament.objects.exists()
    upload.refresh_from_db()
    assert upload.state == ResultUpload.State.DISCARDED


def test_an_upload_with_warnings_is_confirmed_only_with_their_ticks(signed_in, club, pairs):
    player = pairs[3][1]
    guest = csv_of(pairs).replace(f";{player.number};{player.full_name}".encode(), b";;Jean Dupont")
    upload = sent(signed_in, club, guest)
    assert "no_number" in codes(upload)
    url = reverse("upload_confirm", args=[upload.pk])
    assert signed_in.post(url).url == reverse("upload_review", args=[upload.pk])
    assert not Tournament.objects.exists()
    tick_and_confirm(signed_in, upload)
    tournament = Tournament.objects.get()
    seats = tournament.revisions.get().seats
    assert seats.filter(player=None).get().guest_name == "Jean Dupont"


def test_the_progress_is_polled_until_the_receipt_can_be_loaded(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    tick_and_confirm(signed_in, upload)
    url = reverse("upload_progress", args=[upload.pk])
    running = signed_in.get(url, headers={"HX-Request": "true"})
    assert "hx-get" in running.content.decode()
    score(upload)
    done = signed_in.get(url, headers={"HX-Request": "true"})
    assert done.headers["HX-Redirect"] == reverse("upload_receipt", args=[upload.pk])
    assert signed_in.get(url).status_code == 302


def test_two_fields_are_ranked_and_scored_separately(signed_in, club, pairs):
    lines = ["puesto;licencia;nombre;pareja;línea"]
    for index, pair in enumerate(pairs):
        line, place = ("N-S", "E-O")[index % 2], index // 2 + 1
        lines += [f"{place};{player.number};{player.full_name};{index + 1};{line}" for player in pair]
    upload = sent(signed_in, club, "\n".join(lines).encode(), ranking="two")
    result = signed_in.get(reverse("upload_review", args=[upload.pk])).context["review"]
    assert [(row.field, row.place) for row in result.draft.rows] == [
        ("NS", 1),
        ("NS", 2),
        ("EW", 1),
        ("EW", 2),
    ]
    assert {line.result.n for line in result.evaluation.fields} == {Decimal(2)}


def test_an_event_type_of_another_year_is_an_error_at_its_field(signed_in, club, pairs):
    response = post_file(signed_in, club, csv_of(pairs), event_type="league", end_date="2024-05-01")
    assert response.status_code == 200
    assert "event_type" in response.context["form"].errors
    assert not ResultUpload.objects.exists()


def test_an_event_type_of_another_year_than_the_files_date_raises_an_issue(signed_in, club, pairs):
    upload = sent(
        signed_in, club, usebio_of(pairs, date="01/05/2024"), "e.xml", event_type="league", end_date=""
    )
    result = signed_in.get(reverse("upload_review", args=[upload.pk])).context["review"]
    assert "event_type_not_in_force" in {issue.code for issue in result.issues}
    assert signed_in.post(reverse("upload_confirm", args=[upload.pk])).status_code == 302
    assert not Tournament.objects.exists()


def test_confirming_does_not_wait_for_changes_of_standings(
    signed_in, club, pairs, django_capture_on_commit_callbacks
):
    """Confirming neither locks nor writes standings. Cached pages are invalidated only after the commit."""
    factories.scored(*pairs, of=club, end_date=date(2026, 1, 10))
    upload = sent(signed_in, club, csv_of(pairs))
    version = StandingsState.objects.get().version
    with django_capture_on_commit_callbacks() as later, CaptureQueriesContext(connection) as captured:
        tick_and_confirm(signed_in, upload)
    written = re.compile(r"(UPDATE|INSERT INTO|FOR UPDATE.*) .?ledger_standing", re.DOTALL)
    assert not [item["sql"] for item in captured if written.search(item["sql"])]
    assert StandingsState.objects.get().version == version
    for callback in later:
        callback()
    assert StandingsState.objects.get().version == version + 1


def test_a_ranking_with_two_numbers_merged_during_confirmation_is_not_confirmed(
    signed_in, club, pairs, monkeypatch
):
    """A ranking is not confirmed if two of its numbers are merged after the draft was read.

    Otherwise one person would get two awards.
    """
    upload = sent(signed_in, club, csv_of(pairs))
    real = confirm.review_of

    def review_of(*args):
        review = real(*args)
        merges.merge(pairs[0][0], pairs[1][1], "Registered twice", None)
        return review

    monkeypatch.setattr(confirm, "review_of", review_of)
    response = tick_and_confirm(signed_in, upload)
    assert response.url == reverse("upload_review", args=[upload.pk])
    assert not Tournament.objects.exists()
    monkeypatch.undo()
    merges.merge(pairs[0][0], pairs[1][1], "Registered twice", None)
    review = signed_in.get(reverse("upload_review", args=[upload.pk])).context["review"]
    assert "same_person" in {issue.code for issue in review.draft.issues}
