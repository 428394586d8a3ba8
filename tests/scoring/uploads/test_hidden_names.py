"""Issues about hidden players show the name to the office and auditors, and a number to everybody else."""

import pytest
from django.urls import reverse

from players.models import Licence, Role
from tests import factories
from tests.languages import speak
from tests.pages import Page, open_page
from tests.scoring.uploads.makers import csv_of, sent
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db
SECRET, MARKED = "Ocultada", "Secundina Ocultada Nombre (hidden)"


@pytest.fixture
def hidden(pairs):
    """Return a hidden member of the club without a licence."""
    person = pairs[0][0]
    person.given_name, person.surname, person.hidden = "Secundina", "Ocultada Nombre", True
    person.save()
    Licence.objects.filter(player=person).delete()
    return person


@pytest.fixture
def upload(signed_in, club, pairs, hidden):
    """Create an upload with every kind of issue that can name a hidden player.

    The hidden member's number stands beside another person's name. Another line has a number that was merged
    into the member's. The member also played elsewhere that day.
    """
    former = factories.player(club=club, merged_into=hidden)
    elsewhere = factories.players(6)
    factories.scored(
        (hidden, elsewhere[0]), *factories.pairs(elsewhere[2:]), end_date=factories.date(2026, 3, 14)
    )
    data = csv_of([(former, pairs[0][1]), (hidden, pairs[1][1]), *pairs[2:]]).decode()
    typed = data.replace(hidden.full_name, "Berta Quiroga Paz").replace(former.full_name, "")
    made = sent(signed_in, club, typed.encode())
    codes = {issue.code for issue in draft_of(made).issues}
    assert {"unlicensed", "same_person", "merged_number", "name_differs", "also_that_day"} <= codes
    return made


def review_page(client, upload, account) -> Page:
    client.force_login(account)
    speak(client, "en")
    return open_page(client, reverse("upload_review", args=[upload.pk]))


def readers(club) -> dict:
    auditor, region = factories.user(), factories.user()
    factories.role(auditor, Role.Kind.AUDITOR)
    factories.role(region, Role.Kind.REGION_ADMIN, region=club.region)
    return {"office": factories.office(), "auditor": auditor, "region": region}


@pytest.mark.parametrize("reader", ["office", "auditor"])
def test_office_and_auditors_see_hidden_names_in_every_issue(client, club, upload, hidden, reader):
    page = review_page(client, upload, readers(club)[reader])
    for message in (
        f"{MARKED} ({hidden.number}) had no valid licence",
        f"are of the same player ({MARKED})",
        f"which gets the points ({MARKED})",
        f"{MARKED} also played",
    ):
        assert message in page.text, message
    # Users who may change the upload see a checkbox for each person instead of the sentence.
    differs = f"belongs to {MARKED}, but" if reader == "auditor" else f"Berta Quiroga Paz is {MARKED}"
    assert differs in page.html  # a label or its description
    assert f"Player {hidden.number}" not in page.html


@pytest.mark.parametrize("reader", ["director", "region"])
def test_all_other_readers_see_a_number_instead_of_a_hidden_name(
    client, club, director, upload, hidden, reader
):
    account = director if reader == "director" else readers(club)[reader]
    text = review_page(client, upload, account).text
    assert SECRET not in text
    assert f"Player {hidden.number} ({hidden.number}) had no valid licence" in text


def test_directors_of_other_clubs_cannot_read_the_issues(client, upload):
    client.force_login(factories.director(factories.club()))
    assert client.get(reverse("upload_review", args=[upload.pk])).status_code == 404


def test_a_tick_is_valid_whether_or_not_the_reader_sees_the_name(client, director, upload):
    def tick() -> str:
        draft = draft_of(upload)
        return next(warning for warning in draft.by_tick if warning.startswith("name_differs"))

    office = factories.office()
    page = review_page(client, upload, office)
    assert tick() in page.values("accept")
    client.post(reverse("upload_review", args=[upload.pk]), {"action": "save", "accept": [tick()]})
    page = review_page(client, upload, director)
    assert tick() in page.form("accept").values["accept"]
    assert not upload.issues.filter(params__icontains=SECRET).exists()


@pytest.mark.parametrize("written", ["Consuelo Navarro Caballero", "Chelo Navarro", "Consuelo Ruiz Lemos"])
def test_the_name_beside_the_number_of_a_hidden_player_elsewhere_is_always_asked(
    signed_in, club, pairs, written
):
    """A warning only for wrong names would tell a director who tries names which one is right."""
    person = pairs[0][0]
    person.given_name, person.surname, person.hidden = "Consuelo", "Navarro Caballero", True
    person.club = factories.club()
    person.save()
    data = csv_of(pairs).decode().replace(person.full_name, written)
    upload = sent(signed_in, club, data.encode())
    (warning,) = draft_of(upload).unticked
    assert warning.startswith("name_hidden")
    review = reverse("upload_review", args=[upload.pk])
    page = open_page(signed_in, review)
    assert f"Jugador {person.number}" in page.text and "no se compara" in page.text
    signed_in.post(review, {"action": "save", "accept": [warning]})
    assert draft_of(type(upload).objects.get()).unticked == []
