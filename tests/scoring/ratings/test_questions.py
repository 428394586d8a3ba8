"""Questions in the review of a Go tournament: days, code, rengo (team games), players without a country."""

from dataclasses import replace
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import translation

from scoring.ratings.models import RatedPlayer
from scoring.ratings.services import register
from tests import factories
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.ratings import makers
from tournaments.services.issues import describe
from ui.formatting import format_date

pytestmark = pytest.mark.django_db
FRENCH = """;name=Tournoi du Phare
;date=14/03/2026
   1 Uno 1                 5K 1800014 75Ju    2+w0    3-b0
   2 Uno 2                 5K         92Le    1-b0    4-b0
   3 Dos 3                 5K ------- 91SM    4-w0    1+w0
   4 Dos 4                 5K ------- 91SM    3+b0    2+w0
"""


@pytest.fixture
def director(client):
    director = factories.director(factories.club())
    client.force_login(director)
    speak(client, "en")
    with translation.override("en"):
        yield director


def questions_of(event, user) -> set[str]:
    """Return the codes of the issues that only the preview found, and reading the file did not."""
    return {item.code for item in register.preview(event, user).issues if item not in event.result.issues}


@pytest.mark.parametrize(
    ("start", "end", "questions"),
    [
        (date(2026, 1, 1), date(2026, 3, 1), set()),  # sixty days
        (date(2026, 1, 1), date(2026, 3, 2), {"go_long"}),
        (date(2025, 3, 1), date(2026, 3, 1), {"go_long"}),
    ],
)
def test_a_tournament_of_more_than_sixty_days_needs_a_tick(director, start, end, questions):
    assert questions_of(replace(makers.event(), start=start, end=end), director) == questions


def test_a_tournament_code_with_another_day_needs_a_tick(director):
    event = makers.event("Copa", date(2026, 3, 1))
    for code, questions in (("T260301A", set()), ("W260301", set()), ("T260228A", {"go_code_differs"})):
        coded = replace(event, result=replace(event.result, code=code))
        assert questions_of(coded, director) == questions
    upload = makers.upload(director, "; TC[T260314A]\n" + makers.FILE, start_date="2026-03-13")
    assert questions_of(register.event_of(upload), director) == {"go_code_differs"}
    with pytest.raises(register.NotConfirmable):
        makers.confirmed(upload, director, {"go_no_pin"})
    assert makers.confirmed(upload, director, {"go_no_pin", "go_code_differs"}).state == "confirmed"


def test_a_tournament_name_that_mentions_rengo_needs_a_tick(director):
    upload = makers.upload(director, name="Torneo de rengo")
    assert questions_of(register.event_of(upload), director) == {"go_rengo"}
    upload = makers.upload(director, makers.FILE.replace("Torneo del Faro", "Rengo"))
    event = register.event_of(upload)
    assert questions_of(event, director) == set()
    assert "go_rengo" in register.preview(event, director).by_tick


def test_a_player_without_a_country_is_matched_by_name_after_a_tick(client, director):
    makers.registered(makers.event("Copa", date(2026, 3, 1)))  # registers Uno 1 to Uno 4, of Spain
    upload = makers.upload(director, FRENCH, tournament_class="A")
    shown = register.preview(register.event_of(upload), director)
    assert [row["new"] for row in shown.rows] == [False, False, True, True]
    page = open_page(client, upload.get_absolute_url())
    assert "Uno 1 has no country in the file: taken for Uno 1 (ES), rated before." in page.text
    # Two questions with the same code have one checkbox, and no id is used twice.
    assert page.values("accept").count("go_no_country") == 1
    assert page.of_id("accept-go_no_country")["value"] == "go_no_country"
    ticks = {"go_no_pin", "go_one_day"}
    with pytest.raises(register.NotConfirmable):
        makers.confirmed(upload, director, ticks)
    makers.confirmed(upload, director, ticks | {"go_no_country"})
    assert RatedPlayer.objects.filter(name="Uno 1").count() == 1


def test_a_name_that_players_of_two_countries_have_is_an_error(director):
    people = makers.people(2)
    french = replace(people[0], country="FR", pin="10000009")
    makers.registered(makers.event("Copa", date(2026, 3, 1), (*people, french), [(1, 1, 2, "1")]))
    upload = makers.upload(director, FRENCH, tournament_class="A")
    (problem,) = [item for item in register.review_of(upload, director).issues if item.severity == "error"]
    assert describe(problem).message == "Several rated players are called “Uno 1”."


def test_a_known_player_without_a_country_is_matched_without_a_tick(director):
    first = makers.upload(director, FRENCH, tournament_class="A")
    makers.confirmed(first, director, {"go_no_pin", "go_one_day"})
    again = makers.upload(director, FRENCH.replace("14/03", "21/03"), tournament_class="A", name="Otro")
    shown = register.preview(register.event_of(again), director)
    assert [row["new"] for row in shown.rows] == [False] * 4
    assert "go_no_country" not in {item.code for item in shown.issues}


def test_two_rows_cannot_be_the_same_rated_player(director):
    makers.registered(makers.event("Copa", date(2026, 3, 1)))
    people = makers.people(2)
    namesake = replace(people[0], line=3, pin="", country="")
    event = makers.event("Otra", date(2026, 3, 8), (*people, namesake), [(1, 1, 2, "1"), (2, 2, 3, "1")])
    (problem,) = [item for item in register.preview(event, director).issues if item.severity == "error"]
    assert describe(problem).message == "Two rows are the same rated player, “Uno 1”."
    with pytest.raises(register.NotConfirmable):
        register.register(event, director)


def test_a_single_day_in_the_file_needs_a_tick_unless_the_form_has_the_last_day(client, director):
    upload = makers.upload(director, FRENCH, tournament_class="A")
    event = register.event_of(upload)
    assert (event.start, event.end) == (date(2026, 3, 14), date(2026, 3, 14))
    assert "go_one_day" in questions_of(event, director)
    html = client.get(upload.get_absolute_url()).content.decode()
    assert f"{format_date(event.start, 'en')} is taken for the last day too" in html
    later = makers.upload(director, FRENCH, tournament_class="A", end_date="2026-03-15")
    event = register.event_of(later)
    assert (event.start, event.end) == (date(2026, 3, 14), date(2026, 3, 15))
    assert "go_one_day" not in questions_of(event, director)
    # If only the first day is entered in the form, it is not used as the last day.
    undated = makers.FILE.replace("; DT[2026-03-14,2026-03-15]\n", "")
    html = client.post(
        reverse("upload_start"),
        {"file": SimpleUploadedFile("torneo.h9", undated.encode()), "start_date": "2026-03-14"},
        follow=True,
    ).content.decode()
    assert "the last day" in html


DATA = {"name": "Copa", "start_date": "2026-03-14", "end_date": "", "tournament_class": "A"}


def test_ticks_are_kept_until_their_issue_changes(client, director):
    upload = makers.upload(director, FRENCH, tournament_class="A")
    page = client.post(
        upload.get_absolute_url(), {**DATA, "accept": ["go_one_day", "no_such_code"]}, follow=True
    )
    ticked = {group["code"] for group in page.context["groups"] if group["ticked"]}
    assert ticked == {"go_one_day"}
    upload.refresh_from_db()
    upload.details |= {"start_date": "2026-03-13", "end_date": "2026-03-13"}
    upload.save()
    assert register.review_of(upload, director).accepted == ()
