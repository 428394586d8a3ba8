"""An upload begins with the file. The review page asks only for data that are still missing.

These are the data that neither the file nor the club's last pool tournament states.
"""

from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests import factories
from tests.languages import speak
from tests.pages import Page, open_page
from tests.scoring.uploads.makers import codes, csv_of, usebio_of
from tests.scoring.uploads.test_reading_again import sent_form
from tests.tournaments.formats.bridgemates import mitchell
from tournaments.formats.types import ParsedResult
from tournaments.models import ResultUpload
from tournaments.services import uploads
from tournaments.services.stored import stored_entries

pytestmark = pytest.mark.django_db
PLAYED = date(2026, 3, 14)  # the day in the file of `usebio_of`


def send(client, club, content: bytes, file_name: str = "martes.xml", **values) -> ResultUpload:
    """Upload a file alone, and return the draft."""
    form = {"club": club.pk, "file": SimpleUploadedFile(file_name, content), **values}
    response = client.post(reverse("upload_start"), form)
    assert response.status_code == 302
    return ResultUpload.objects.latest("created_at")


def earlier(club, weeks: int = 1, **fields):
    """Score a pool of the club, some weeks before the day in the file."""
    people = factories.players(4, club=club, category="2P")
    day = PLAYED - timedelta(weeks=weeks)
    return factories.scored(*factories.pairs(people), of=club, start_date=day, end_date=day, **fields)


def test_a_file_of_the_usual_pool_needs_no_typing(signed_in, club, pairs):
    last = earlier(club, venue="online")
    upload = send(signed_in, club, usebio_of(pairs))
    assert upload.details == {"event_type": "pool", "venue": "online", "like": last.pk}
    page = open_page(signed_in, reverse("upload_review", args=[upload.pk]))
    assert page.context["review"].ready
    assert page.link(last.name)
    assert page.values("name") == ["Martes"]  # the file's title comes before the last pool's name


def test_a_file_without_a_title_is_named_like_the_last_pool(signed_in, club, pairs):
    last = earlier(club, name="Pool de los sábados")
    data = {"end_date": PLAYED.isoformat(), "format": "pairs", "boards": "24"}
    upload = send(signed_in, club, csv_of(pairs), "sabado.csv", **data)
    assert upload.details["name"] == last.name
    assert "missing_name" not in codes(upload)


def test_a_file_of_bridge_base_online_is_online_whatever_the_last_pool_was(signed_in, club):
    last = earlier(club, venue="in_person")
    text = "#BoardCount,12\n#Tournament,77,https://www.bridgebase.com/x\n#Date,14/03/2026\n"
    text += "#Rank,Name1,Name2,Score\n1,Ana Uno,Luis Dos,61\n2,Eva Tres,Mar Seis,50\n3,Eva Sol,Mar Mas,39\n"
    upload = send(signed_in, club, text.encode(), "bbo.csv")
    assert (upload.details["venue"], upload.details["like"]) == ("online", last.pk)
    assert upload.parsed["event"]["boards"] == 12


@pytest.mark.parametrize(
    "fields",
    [
        {"event_type": "regional"},
        {"format": "individual"},
        {"days": 1},
        {"weeks": 30},
    ],
    ids=["another type", "another format", "another weekday", "long ago"],
)
def test_another_tournament_of_the_club_is_not_taken_as_usual(signed_in, club, pairs, fields):
    day = PLAYED - timedelta(weeks=fields.pop("weeks", 1), days=fields.pop("days", 0))
    people = factories.players(4, club=club, category="2P")
    contestants = [(player,) for player in people] if "format" in fields else factories.pairs(people)
    factories.scored(*contestants, of=club, start_date=day, end_date=day, **fields)
    upload = send(signed_in, club, usebio_of(pairs))
    assert upload.details == {"venue": "in_person"}
    assert "missing_event_type" in codes(upload)


@pytest.mark.parametrize(
    ("before", "venue"),
    [(None, "online"), ("in_person", "online"), ("online_supervised", "online_supervised")],
)
def test_a_pool_whose_file_says_online_is_not_proposed_in_person(signed_in, club, pairs, before, venue):
    if before:
        earlier(club, venue=before)
    data = usebio_of(pairs).replace(b"Martes", b"Pool online del martes")
    upload = send(signed_in, club, data)
    assert (upload.details["event_type"], upload.details["venue"]) == ("pool", venue)
    assert "played_online" in {issue["code"] for issue in upload.parsed["issues"]}


@pytest.mark.parametrize(("name", "asked"), [("Pool online", True), ("Pool", False)])
def test_a_name_that_says_online_is_asked_about_if_the_form_says_in_person(
    signed_in, club, pairs, name, asked
):
    upload = send(signed_in, club, csv_of(pairs), "sabado.csv", format="pairs")
    entered_day(signed_in, upload, name=name, venue="in_person", boards="20", event_type="pool")
    assert ("venue_differs" in codes(upload)) is asked


def test_a_correction_that_keeps_its_venue_is_not_asked_about_a_name_that_says_online(club, director):
    scored = earlier(club, name="Pool online", venue="in_person")
    ranking = ParsedResult(uploads.TYPED, "", entries=stored_entries(scored.revisions.get()))
    upload = uploads.receive_typed(director, club, uploads.details_of(scored), ranking, scored, "Error")
    assert "venue_differs" not in codes(upload)


def test_the_pool_of_another_club_is_not_taken_as_usual(signed_in, club, pairs):
    earlier(factories.club())
    assert "like" not in send(signed_in, club, usebio_of(pairs)).details


def test_what_the_director_writes_comes_before_what_is_usual(signed_in, club, pairs):
    earlier(club, venue="online")
    upload = send(signed_in, club, usebio_of(pairs), venue="in_person", event_type="regional", name="Copa")
    assert upload.details == {"venue": "in_person", "event_type": "regional", "name": "Copa"}


def test_a_file_that_is_missing_leaves_the_typed_data_on_the_page(signed_in, club):
    response = signed_in.post(reverse("upload_start"), {"club": club.pk, "name": "Copa"})
    page = Page(response)
    assert page.values("name") == ["Copa"]
    assert response.context["form"].errors.keys() == {"file"}


def test_an_error_in_the_data_opens_them(signed_in, club, pairs):
    form = {"club": club.pk, "file": SimpleUploadedFile("a.csv", csv_of(pairs)), "boards": "many"}
    assert signed_in.post(reverse("upload_start"), form).context["form"].unfolded


def test_a_director_of_two_clubs_begins_with_the_club_of_the_last_upload(signed_in, director, club, pairs):
    other = factories.club()
    factories.role(director, "director", club=other)
    send(signed_in, other, usebio_of(pairs))
    assert open_page(signed_in, reverse("upload_start")).values("club") == [str(other.pk)]


@pytest.mark.parametrize(("unlicensed", "heading"), [(0, "Todo listo"), (1, "Falta 1 licencia")])
def test_the_heading_says_what_is_missing(signed_in, club, unlicensed, heading):
    licensed = factories.players(8 - unlicensed, club=club, category="2P")
    others = factories.players(unlicensed, club=club, category="2P", licensed=False)
    earlier(club)
    upload = send(signed_in, club, usebio_of(factories.pairs(licensed + others)))
    page = open_page(signed_in, reverse("upload_review", args=[upload.pk]))
    assert page.headings()[0].startswith(heading)
    assert page.context["meter"]["needed"] == 8


# --- The day is entered on the review -------------------------------------------------------------------
def entered_day(client, upload: ResultUpload, **values) -> ResultUpload:
    """Save the review with the day of `usebio_of` as the last day, and return the upload."""
    address = reverse("upload_review", args=[upload.pk])
    sent = sent_form(client.get(address))
    assert client.post(address, {**sent, "action": "save", "end_date": PLAYED.isoformat(), **values})
    upload.refresh_from_db()
    return upload


def test_the_day_entered_on_the_review_fills_in_what_is_usual(signed_in, club, pairs):
    last = earlier(club, name="Pool de los sábados", venue="online")
    upload = send(signed_in, club, csv_of(pairs), "sabado.csv", format="pairs")
    assert "venue" not in upload.details
    entered_day(signed_in, upload)
    kept = {name: upload.details[name] for name in ("event_type", "venue", "name", "boards", "like")}
    assert kept == {
        "event_type": "pool",
        "venue": "online",
        "name": last.name,
        "boards": last.boards,
        "like": last.pk,
    }
    assert codes(upload) == {"boards_like_last"}
    page = open_page(signed_in, reverse("upload_review", args=[upload.pk]))
    assert page.context["review"].ready
    assert page.link(last.name)


def test_what_is_entered_with_the_day_comes_before_what_is_usual(signed_in, club, pairs):
    earlier(club, name="Pool de los sábados", venue="online")
    upload = send(signed_in, club, csv_of(pairs), "sabado.csv", format="pairs")
    entered_day(signed_in, upload, name="Copa", venue="in_person", boards="20")
    assert [upload.details[name] for name in ("name", "venue", "boards")] == ["Copa", "in_person", 20]
    assert "boards_like_last" not in codes(upload)


def test_the_day_entered_on_the_review_links_the_announced_tournament(signed_in, club, pairs):
    announced = factories.announcement(club, end_date=PLAYED, name="Pool de marzo")
    upload = entered_day(signed_in, send(signed_in, club, csv_of(pairs), "sabado.csv", format="pairs"))
    assert upload.announcement == announced
    assert upload.details["name"] == "Pool de marzo"


def test_steps_that_cannot_be_reached_are_no_links(signed_in, club, pairs):
    earlier(club)
    upload = send(signed_in, club, csv_of(pairs), "sabado.csv", format="pairs")
    review, confirm = (reverse(name, args=[upload.pk]) for name in ("upload_review", "upload_confirm"))
    assert confirm not in open_page(signed_in, review).addresses
    entered_day(signed_in, upload)
    assert confirm in open_page(signed_in, review).addresses
    unknown = send(signed_in, club, csv_of(pairs, "a;b;c;d;e"), "otra.csv", format="pairs")
    page = open_page(signed_in, reverse("upload_columns", args=[unknown.pk]))
    assert not {reverse(name, args=[unknown.pk]) for name in ("upload_review", "upload_confirm")} & {
        *page.addresses
    }


# --- The type of a pool follows from the name -----------------------------------------------------------
def named(pairs, name: str) -> bytes:
    return usebio_of(pairs).replace(b"Martes", name.encode())


def test_a_file_that_is_named_a_pool_needs_no_typing_in_the_first_week(signed_in, club, pairs):
    upload = send(signed_in, club, named(pairs, "POOL de los sábados"))
    assert upload.details == {
        "venue": "in_person",
        "event_type": "pool",
        "type_of_name": "POOL de los sábados",
    }
    assert "type_of_name" in codes(upload)
    assert open_page(signed_in, reverse("upload_review", args=[upload.pk])).context["review"].ready


@pytest.mark.parametrize("name", ["Copa de otoño", "Campeonato regional, pool previa", "Carpool"])
def test_the_type_of_any_other_name_is_asked(signed_in, club, pairs, name):
    upload = send(signed_in, club, named(pairs, name))
    assert "missing_event_type" in codes(upload)


def test_a_pool_by_its_name_gets_what_is_usual_once_the_day_is_known(signed_in, club, pairs):
    last = earlier(club, venue="online")
    upload = send(signed_in, club, csv_of(pairs), "sabado.csv", format="pairs", name="Pool benéfica")
    assert (upload.details["event_type"], "missing_event_type" in codes(upload)) == ("pool", False)
    entered_day(signed_in, upload)
    assert [upload.details[name] for name in ("event_type", "boards", "like")] == [
        "pool",
        last.boards,
        last.pk,
    ]
    assert codes(upload) == {"boards_like_last"}


def test_an_announced_tournament_comes_before_the_type_by_the_name(signed_in, director, club, pairs):
    announced = factories.announcement(
        club, end_date=PLAYED, name="Pool de la fiesta", event_type="regional", by=director
    )
    upload = send(signed_in, club, csv_of(pairs), "sabado.csv", format="pairs", name="Pool de la fiesta")
    assert upload.details["event_type"] == "pool"
    uploads.choose_announcement(upload, announced)
    upload.refresh_from_db()
    assert upload.details["event_type"] == "regional"


# --- A file without a name, of a club without pools -----------------------------------------------------
def bridgemate() -> bytes:
    return mitchell(3, 2).data()


def test_an_evening_without_a_name_is_proposed_as_the_pool_of_its_weekday(signed_in, club):
    upload = send(signed_in, club, bridgemate(), "velada.bws")
    assert upload.details == {
        "venue": "in_person",
        "event_type": "pool",
        "name": "Pool de los sábados",
        "proposed": "Pool de los sábados",
    }
    assert not {"missing_name", "missing_event_type"} & codes(upload)
    assert "pool_proposed" in codes(upload)
    page = open_page(signed_in, reverse("upload_review", args=[upload.pk]))
    assert page.values("name") == ["Pool de los sábados"]


@pytest.mark.parametrize(
    ("day", "name"), [("2026-03-09", "Pool de los lunes"), ("2026-03-15", "Pool de los domingos")]
)
def test_another_day_gets_another_proposal(signed_in, club, day, name):
    upload = send(signed_in, club, bridgemate(), "velada.bws")
    entered_day(signed_in, upload, end_date=day)
    assert (upload.details["name"], upload.details["event_type"]) == (name, "pool")


def test_the_proposal_is_in_the_language_of_the_federation(signed_in, club):
    speak(signed_in, "en")
    assert send(signed_in, club, bridgemate(), "velada.bws").details["name"] == "Pool de los sábados"


@pytest.mark.parametrize(
    ("changed", "kept"),
    [
        ({"name": "Copa"}, ("Copa", "pool")),
        ({"event_type": "regional"}, ("Pool de los sábados", "regional")),
    ],
)
def test_a_proposal_that_somebody_changed_stays_for_another_day(signed_in, club, changed, kept):
    upload = send(signed_in, club, bridgemate(), "velada.bws")
    entered_day(signed_in, upload, end_date=PLAYED.isoformat(), **changed)
    assert "pool_proposed" not in codes(upload)
    entered_day(signed_in, upload, end_date="2026-03-09")
    assert (upload.details["name"], upload.details["event_type"]) == kept


def test_a_day_of_an_announced_tournament_replaces_the_proposal(signed_in, club):
    announced = factories.announcement(club, end_date=date(2026, 3, 9), name="Pool de marzo", boards=24)
    upload = send(signed_in, club, bridgemate(), "velada.bws")
    entered_day(signed_in, upload, end_date="2026-03-09")
    assert upload.announcement == announced
    assert (upload.details["name"], "proposed" in upload.details) == ("Pool de marzo", False)


def test_the_announced_tournament_that_is_chosen_replaces_the_proposal(director, club):
    upload = uploads.receive(director, club, "velada.bws", bridgemate(), {})
    assert upload.details["proposed"]
    uploads.choose_announcement(upload, factories.announcement(club, end_date=PLAYED, name="Pool de marzo"))
    upload.refresh_from_db()
    assert (upload.details["name"], "proposed" in upload.details) == ("Pool de marzo", False)


@pytest.mark.parametrize("typed", [{"event_type": "regional"}, {"start_date": "2026-03-13"}])
def test_nothing_is_proposed_for_another_type_or_several_days(signed_in, club, typed):
    upload = send(signed_in, club, bridgemate(), "velada.bws", **typed)
    assert "name" not in upload.details
    assert "missing_name" in codes(upload)
