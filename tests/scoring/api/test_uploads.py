"""Sending, looking at and confirming files by a club's computer."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.inbox import waiting_for
from players.services import proposals, tokens
from scoring.annulments import annulment_act
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs
from tests import factories
from tests.languages import speak
from tests.pages import client_of, open_page
from tests.scoring.api.program import Program
from tests.scoring.ratings import makers
from tests.scoring.uploads.makers import csv_of, details, sent, usebio_of
from tests.threads import at_once
from tournaments.formats.types import ParsedResult
from tournaments.models import ResultUpload
from tournaments.services import pipeline, uploads

pytestmark = pytest.mark.django_db
EVERY_FAMILY = ["aeb", "sbf-bronze", "sbf-silver", "acbl", "go"]


def test_a_file_is_read_and_its_points_are_shown(program, club, administrator, pairs):
    document = program.send(csv_of(pairs), **details())
    upload = ResultUpload.objects.get()
    assert program.answer.status_code == 201
    assert (document["id"], document["state"]) == (str(upload.pk), "review")
    assert (upload.club, upload.created_by, upload.token.name) == (club, administrator, "Bar")
    assert document["review_url"] == f"http://testserver{reverse('upload_review', args=[upload.pk])}"
    assert document["summary"] == {
        "name": "Pool",
        "event_type": "pool",
        "format": "pairs",
        "venue": "in_person",
        "start_date": "2026-03-14",
        "end_date": "2026-03-14",
        "boards": 24,
        "people": 8,
        "recognised": 8,
        "licensed": 8,
        "errors": 0,
        "ticks_missing": 0,
        "ready": True,
        "counts": True,
        "needs_approval": False,
    }
    first = document["preview"][0]
    assert (first["place"], first["percentage"], first["label"]) == (1, "69.75", "1")
    assert [person["number"] for person in first["people"]] == [player.number for player in pairs[0]]
    assert all(person["points"].partition(".")[2].isdigit() for person in first["people"])
    assert program.show(document["id"]) == document


def test_people_recognised_by_name_are_in_the_draft_of_the_program_as_in_the_browser(
    client, program, administrator, pairs
):
    data = csv_of(pairs).replace(pairs[0][1].full_name.encode(), b"Jean Dupont")
    for player in (player for pair in pairs for player in pair):
        data = data.replace(f";{player.number};".encode(), b";;")
    document = program.send(data, **details())
    summary, upload = document["summary"], ResultUpload.objects.get()
    assert (summary["people"], summary["recognised"], summary["licensed"]) == (8, 7, 7)
    (unknown,) = [item for item in document["issues"] if item["code"] == "no_number"]
    assert "Jean Dupont" in unknown["message"]
    assert [item.code for item in upload.issues.all()] == [item["code"] for item in document["issues"]]
    assert (upload.errors, upload.unticked) == (0, 1)
    client.force_login(administrator)
    review = client.get(reverse("upload_review", args=[upload.pk])).context["review"]
    assert [item.code for item in review.issues] == [item["code"] for item in document["issues"]]
    assert program.show(document["id"]) == document


def test_a_file_of_recognised_names_is_confirmed_by_the_program(program, pairs):
    data = csv_of(pairs)
    for player in (player for pair in pairs for player in pair):
        data = data.replace(f";{player.number};".encode(), b";;")
    document = program.send(data, **details())
    assert document["summary"]["ready"] and document["preview"][0]["people"][0]["points"]
    assert program.confirm(document["id"])["summary"]["recognised"] == 8
    assert ResultUpload.objects.get().revision.seats.filter(player=None).count() == 0


def test_issues_come_with_line_and_remedy_in_the_language_of_the_request(program, club, token, pairs):
    data = csv_of(pairs).replace(pairs[0][0].number.encode(), b"99999999", 1)
    document = program.send(data)
    unknown = next(item for item in document["issues"] if item["code"] == "unknown_player")
    assert (unknown["severity"], unknown["line"], unknown["value"]) == ("error", 2, "99999999")
    assert unknown["message"] and unknown["remedy"]
    assert document["summary"]["ready"] is False
    spanish = Program(club.code, token[1], **{"Accept-Language": "de, es-ES;q=0.9, en;q=0.1"})
    assert spanish.show(document["id"])["issues"] != document["issues"]
    assert spanish.answer["Content-Language"] == "es"


def test_hidden_players_are_numbers(program, pairs):
    hidden = pairs[0][0]
    type(hidden).objects.filter(pk=hidden.pk).update(hidden=True)
    document = program.send(csv_of(pairs), **details())
    person = document["preview"][0]["people"][0]
    assert (person["number"], person["name"]) == (hidden.number, f"Player {hidden.number}")
    assert hidden.surname not in program.answer.content.decode()


def test_a_file_that_cannot_be_read_is_kept_with_the_reason(program):
    document = program.send(b"%PDF-1.7", file_name="martes.pdf")
    assert (program.answer.status_code, document["state"]) == (201, "refused")
    assert [item["severity"] for item in document["issues"]] == ["error"]


def test_a_file_of_go_is_refused_with_the_way_to_upload_it(program):
    document = program.send(makers.FILE.encode(), file_name="open.h9")
    assert document["state"] == "refused"
    assert [(item["code"], "in the browser" in item["remedy"]) for item in document["issues"]] == [
        ("go_file", True)
    ]


def test_capitals_in_the_clubs_code_do_not_matter(club, token, pairs):
    club.code = "ab1"
    club.save()
    program = Program("AB1", token[1])
    assert program.show(program.send(csv_of(pairs))["id"])["state"] == "review"


def test_the_same_key_or_the_same_bytes_give_the_same_upload(program, pairs):
    data, other = csv_of(pairs), csv_of(pairs, less=2)
    first = program.send(data, key="a", **details())
    for again in (
        program.send(data, key="a", **details()),
        program.send(data, key="b"),
        program.send(data, file_name="other.csv"),
    ):
        assert (program.answer.status_code, again["id"]) == (200, first["id"])
    for key, fields in [("a", {}), ("b", details())]:
        assert program.send(data, key=key, **fields)["code"] == "key_reused", "other fields"
        assert program.send(other, key=key)["code"] == "key_reused", "another file"
    assert ResultUpload.objects.count() == 1
    assert program.send(other, key="c")["id"] != first["id"]


def test_fields_sent_later_fill_what_an_untouched_draft_lacks(program, pairs):
    data = csv_of(pairs)
    program.send(data)
    full = program.send(data, **details(boards=""))
    assert full["summary"]["event_type"] == "pool" and full["summary"]["boards"] is None
    assert "sent_before" not in {item["code"] for item in full["issues"]}
    full = program.send(data, **details(venue="online"))
    assert full["summary"]["ready"] and full["summary"]["boards"] == 24
    assert [item["value"] for item in full["issues"] if item["code"] == "sent_before"] == ["venue"]
    assert full["summary"]["venue"] == "in_person"


def test_fields_sent_after_a_person_saved_are_named_and_change_nothing(program, pairs):
    data = csv_of(pairs)
    program.send(data)
    answers = uploads.Answers(details={"name": "Martes"})
    uploads.save(ResultUpload.objects.get(), answers)
    before = ResultUpload.objects.get().details
    later = program.send(data, event_type="pool", name="Martes")
    note = later["issues"][0]
    assert (note["code"], note["severity"], note["value"]) == ("sent_before", "info", "event_type")
    assert ResultUpload.objects.get().details == before


def test_another_clubs_computer_may_send_the_same_key_and_bytes(program, pairs):
    far = factories.club()
    other = Program(far.code, tokens.make(far, "Far", factories.office())[1])
    data = csv_of(pairs)
    assert program.send(data, key="a")["id"] != other.send(data, key="a")["id"]
    assert other.answer.status_code == 201


@pytest.mark.django_db(transaction=True)
def test_two_requests_at_the_same_moment_give_one_upload(club, token, pairs):
    data, answers = csv_of(pairs), []

    def send(key: str) -> None:
        program = Program(club.code, token[1])
        answers.append((program.send(data, key=key)["id"], program.answer.status_code))

    assert at_once([lambda: send("a"), lambda: send("a"), lambda: send("b"), lambda: send("")]) == []
    assert len({pk for pk, _status in answers}) == ResultUpload.objects.count() == 1
    assert sorted(status for _pk, status in answers) == [200, 200, 200, 201]


def test_sending_again_reads_a_file_whose_reading_was_interrupted(program, pairs):
    data = csv_of(pairs)
    document = program.send(data, key="a")
    ResultUpload.objects.update(file_format="", parsed=ParsedResult("unknown", "martes.csv").to_json())
    assert program.show(document["id"])["state"] == "unread"
    again = program.send(data, key="a")
    assert (again["id"], again["state"]) == (document["id"], "review")
    assert again["preview"] == document["preview"]


def test_a_file_that_a_person_uploaded_is_that_upload_and_no_token_confirms_it(
    program, club, administrator, pairs
):
    data = csv_of(pairs)
    upload = sent(client_of(administrator), club, data)
    document = program.send(data)
    assert (program.answer.status_code, document["id"]) == (200, str(upload.pk))
    assert program.confirm(document["id"])["code"] == "uploaded_by_person"
    assert program.answer.status_code == 409


def test_what_a_director_discarded_stays_so(program, pairs):
    document = program.send(csv_of(pairs))
    pipeline.discard(ResultUpload.objects.get())
    assert program.send(csv_of(pairs))["state"] == "discarded"
    assert program.confirm(document["id"])["code"] == "not_confirmable"


def test_an_upload_given_to_another_club_is_out_of_reach(program, pairs):
    document = program.send(csv_of(pairs), **details())
    ResultUpload.objects.update(club=factories.club())
    assert program.show(document["id"])["code"] == "nothing_here"
    assert program.confirm(document["id"])["code"] == "nothing_here"
    assert program.send(csv_of(pairs), **details())["code"] == "upload_moved"


def test_a_program_does_not_confirm_a_name_and_type_that_were_only_proposed(program, pairs):
    document = program.send(csv_of(pairs), **details(name="", event_type=""))
    assert "pool_proposed" in {issue["code"] for issue in document["issues"]}
    answer = program.confirm(document["id"])
    assert (answer["code"], "pool_proposed" in answer["detail"]) == ("not_confirmable", True)
    assert not ScoringRun.objects.exists()


def test_an_upload_without_problems_is_confirmed_and_scored(program, administrator, pairs):
    document = program.send(csv_of(pairs), **details())
    confirmed = program.confirm(document["id"])
    assert (program.answer.status_code, confirmed["state"]) == (200, "confirmed")
    assert (confirmed["issues"], confirmed["preview"]) == ([], [])
    assert confirmed["summary"]["name"] == "Pool" and confirmed["summary"]["people"] == 8
    run = ScoringRun.objects.get()
    assert run.revision.created_by == administrator
    runs.score(run.pk)
    assert program.confirm(document["id"]) == confirmed
    assert program.send(csv_of(pairs), **details()) == confirmed
    assert ScoringRun.objects.count() == 1


def test_a_correction_is_not_confirmed_while_the_annulment_of_its_tournament_waits(
    program, administrator, pairs
):
    played = program.send(csv_of(pairs), **details())
    program.confirm(played["id"])
    tournament = ResultUpload.objects.get().revision.tournament
    runs.score(ScoringRun.objects.get().pk)
    document = program.send(csv_of(pairs[::-1]), **details())
    upload = ResultUpload.objects.get(pk=document["id"])
    uploads.make_correction(upload, tournament, "Al revés")
    proposal = annulment_act.request(tournament, "annulled", "Repetido", administrator)
    refused = program.confirm(document["id"])
    assert (program.answer.status_code, refused["code"]) == (409, "not_confirmable")
    assert "awaits_annulment" in refused["detail"]
    assert tournament.revisions.count() == 1
    proposals.withdraw(proposal.pk, administrator)
    assert program.confirm(document["id"])["state"] == "confirmed"


@pytest.mark.parametrize(
    ("data", "fields", "code"),
    [
        (lambda pairs: csv_of(pairs), {}, "missing_date"),
        (lambda pairs: usebio_of(pairs), {"event_type": "pool"}, "name_differs"),
    ],
)
def test_what_has_errors_or_waits_for_a_tick_is_not_confirmed(program, pairs, data, fields, code):
    if code == "name_differs":
        type(pairs[0][0]).objects.filter(pk=pairs[0][0].pk).update(given_name="Xavier", surname="Zzz")
    document = program.send(data(pairs), **fields)
    assert code in {item["code"] for item in document["issues"]}
    refused = program.confirm(document["id"])
    assert (program.answer.status_code, refused["code"]) == (409, "not_confirmable")
    assert code in refused["detail"]
    assert not ScoringRun.objects.exists()


def test_a_longer_ranking_takes_as_many_queries(program, club, pairs):
    def count(upload: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            program.show(upload)
        return len(queries)

    more = factories.pairs(factories.players(8, club=club, category="2P"))
    short, long = program.send(csv_of(pairs), **details()), program.send(csv_of(pairs + more), **details())
    assert len(long["preview"]) == 8
    assert count(short["id"]) == count(long["id"])


def test_a_token_confirms_only_if_it_may(club, administrator, pairs):
    program = Program(club.code, tokens.make(club, "Bar", administrator)[1])
    document = program.send(csv_of(pairs), **details())
    assert program.confirm(document["id"])["code"] == "may_not_confirm"
    assert program.answer.status_code == 403
    assert not ScoringRun.objects.exists()


def test_a_second_person_still_approves(program, pairs):
    document = program.send(csv_of(pairs), **details(event_type="pairs_championship"))
    assert document["summary"]["needs_approval"]
    program.confirm(document["id"])
    assert ScoringRun.objects.get().state == ScoringRun.State.WAITING


def test_any_director_finishes_it_in_the_browser(program, club, pairs):
    document = program.send(csv_of(pairs), **details())
    director = factories.director(club)
    (matter,) = waiting_for(director).matters
    assert (matter.kind, matter.url) == ("Not confirmed", reverse("upload_review", args=[document["id"]]))
    client = client_of(director)
    speak(client, "es")
    page = open_page(client, reverse("upload_review", args=[document["id"]]))
    assert "enviado por el ordenador del club, Bar" in page.main.text
    client.post(reverse("upload_confirm", args=[document["id"]]))
    assert program.show(document["id"])["state"] == "confirmed"
    receipt = open_page(client, reverse("upload_receipt", args=[document["id"]]))
    assert "enviado por el ordenador del club, Bar" in receipt.main.text


def test_fields_are_checked_as_on_the_page(program, pairs):
    document = program.send(csv_of(pairs), **details(end_date="2999-01-01", boards="0", venue="moon"))
    assert (program.answer.status_code, document["code"]) == (422, "field_invalid")
    assert {item["field"] for item in document["errors"]} == {"end_date", "boards", "venue"}
    assert not ResultUpload.objects.exists()


# --- Points systems --------------------------------------------------------------------------------------
@pytest.mark.parametrize("families", [["aeb"], ["aeb", "sbf-bronze"], EVERY_FAMILY], ids=len)
def test_a_file_without_any_field_is_taken_whatever_systems_are_offered(settings, program, pairs, families):
    settings.FAMILIES = families
    document = program.send(usebio_of(pairs))
    assert (program.answer.status_code, document["state"]) == (201, "review")
    assert "family" not in ResultUpload.objects.get().details
    document = program.send(csv_of(pairs), **details())
    assert document["summary"]["ready"] and document["preview"][0]["people"][0]["points"]


def test_a_system_and_its_own_fields_can_be_sent(settings, program, pairs):
    settings.FAMILIES = EVERY_FAMILY
    fields = {**details(), "family": "sbf-bronze", "decimals": "0"}
    del fields["event_type"]
    document = program.send(csv_of(pairs), **fields)
    assert (document["summary"]["event_type"], document["summary"]["ready"]) == ("bronze", True)
    upload = ResultUpload.objects.get()
    assert (upload.details["family"], upload.details["params"]) == ("sbf-bronze", {"decimals": 0})
    again = program.send(csv_of(pairs), **details())
    assert [item["value"] for item in again["issues"] if item["code"] == "sent_before"] == ["event_type"]
    assert program.send(csv_of(pairs, less=1), family="egf")["code"] == "field_invalid"


def test_no_text_turns_the_direction_of_another(program, pairs):
    program.send(csv_of(pairs), "mar\u202etes.csv", **details(name="Pool\u202e de copas"))
    upload = ResultUpload.objects.get()
    assert (upload.details["name"], upload.file_name) == ("Pool de copas", "martes.csv")
