"""A start list on the review page names the pairs of a file without people."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from scoring.uploads.services.review import review_of
from tests import factories
from tests.scoring.uploads.makers import sent, usebio_of
from tests.tournaments.formats.bridgemates import mitchell
from tournaments.models import ResultUpload
from tournaments.services import scorings, uploads
from tournaments.services.drafts import draft_of


@pytest.fixture
def upload(signed_in, club):
    """Return an upload of four pairs whose file names nobody."""
    return sent(signed_in, club, mitchell(2, 12).data(), "martes.bws")


def press(client, upload, action="names", **values):
    page = client.get(upload.get_absolute_url())
    sent_values = {"seen": page.context["seen"], "rows": page.context["rows"], "action": action, **values}
    response = client.post(upload.get_absolute_url(), sent_values, follow=True)
    upload.refresh_from_db()
    return response


def numbers(upload: ResultUpload) -> list[list[str | None]]:
    return [[person.number for person in entry.people] for entry in draft_of(upload).entries]


def listed(pairs) -> str:
    return "\n".join(
        f"{number};{first.number};{second.number}" for number, (first, second) in enumerate(pairs, start=1)
    )


def test_a_pasted_list_names_every_pair(signed_in, upload, pairs):
    response = press(signed_in, upload, start_list=listed(pairs))
    assert numbers(upload) == [[player.number for player in pair] for pair in pairs]
    assert "4" in str(next(iter(response.context["messages"])))
    assert review_of(upload).ready, review_of(upload).issues


def test_a_file_with_a_list_names_every_pair_by_any_button(signed_in, upload, pairs):
    file = SimpleUploadedFile("lista.csv", listed(pairs).encode())
    press(signed_in, upload, action="save", start_list_file=file)
    assert numbers(upload) == [[player.number for player in pair] for pair in pairs]


def test_names_alone_are_proposed_by_the_register(signed_in, upload, pairs):
    names = [" - ".join(player.full_name for player in pair) for pair in pairs]
    text = "\n".join(f"{number};{both}" for number, both in enumerate(names, start=1))
    press(signed_in, upload, start_list=text)
    press(signed_in, upload, action="proposals")
    assert numbers(upload) == [[player.number for player in pair] for pair in pairs]


def test_pairs_that_are_not_in_the_ranking_are_named(signed_in, upload, pairs):
    press(signed_in, upload, start_list=listed(pairs) + "\n17;Eva;Mar")
    assert upload.issues.get(code="joined_list_unknown").value == "17"
    assert len(numbers(upload)) == 4


@pytest.mark.parametrize("text", ["nada que leer", "17;Eva;Mar"])
def test_a_list_that_cannot_be_used_stays_on_the_page(signed_in, upload, text):
    response = press(signed_in, upload, start_list=text)
    assert response.context["start_list"] == text
    assert draft_of(upload).is_nameless


def test_a_list_survives_another_scoring_and_the_other_way_round(signed_in, upload, pairs):
    press(signed_in, upload, start_list=listed(pairs))
    uploads.save(upload, uploads.Answers(details={"scoring": scorings.CROSS_IMPS}))
    upload.refresh_from_db()
    assert numbers(upload) == [[player.number for player in pair] for pair in pairs]
    press(signed_in, upload, start_list=listed(pairs[::-1]))
    assert numbers(upload) == [[player.number for player in pair] for pair in pairs[::-1]]


def test_numbers_of_two_sections_and_lines_need_a_section_or_a_line(signed_in, club):
    evening, other = mitchell(2, 12, doubled=True), mitchell(2, 12, doubled=True, section=2)
    evening.sections += other.sections
    evening.received += other.received
    upload = sent(signed_in, club, evening.data(), "martes.bws")
    response = press(signed_in, upload, start_list="A1NS;Ana Roble;Luis Haya\nb1eo;Eva;Mar\n2;Sol;Luz")
    named = {
        (entry.section, entry.number, entry.direction): entry.people[0].name
        for entry in draft_of(upload).entries
        if entry.people[0].name
    }
    assert named == {("A", "1", "NS"): "Ana Roble", ("B", "1", "EW"): "Eva"}
    assert any("2" in str(message) for message in response.context["messages"])


def test_a_pair_with_one_name_keeps_a_second_seat(signed_in, upload):
    press(signed_in, upload, start_list="1;Ana Roble")
    first = draft_of(upload).entries[0]
    assert [person.name for person in first.people] == ["Ana Roble", ""]


def test_a_list_does_not_overwrite_a_draft_that_somebody_changed(signed_in, upload, pairs):
    page = signed_in.get(upload.get_absolute_url())
    uploads.save(upload, uploads.Answers(details={"name": "Otro nombre"}))
    values = {"seen": page.context["seen"], "rows": page.context["rows"], "action": "names"}
    response = signed_in.post(upload.get_absolute_url(), {**values, "start_list": listed(pairs)})
    assert draft_of(ResultUpload.objects.get()).is_nameless
    assert response.context["start_list"] == listed(pairs)


def test_a_list_that_is_too_large_is_refused(signed_in, upload, settings):
    settings.UPLOAD_LIMIT = 10
    file = SimpleUploadedFile("lista.csv", b"1;Ana Roble;Luis Haya")
    press(signed_in, upload, start_list_file=file)
    assert draft_of(upload).is_nameless


def test_another_director_cannot_add_names(client, upload, pairs):
    client.force_login(factories.director(factories.club()))
    assert client.post(upload.get_absolute_url(), {"start_list": listed(pairs)}).status_code == 404


def test_files_that_name_their_players_offer_no_list(signed_in, club, pairs):
    other = sent(signed_in, club, usebio_of(pairs), "martes.xml")
    assert "start_list" not in signed_in.get(other.get_absolute_url()).content.decode()
