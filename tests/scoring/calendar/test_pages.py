"""The pages and feeds of the calendar."""

import re
from datetime import date, time, timedelta

import icalendar
import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.letters import kinds
from scoring.letters.models import Notice
from tests import factories as make
from tests.languages import speak
from tests.pages import Page
from tournaments.models import Announcement

pytestmark = pytest.mark.django_db
PAGE = "/calendario/"


def listed(response) -> list[str]:
    return re.findall(r"Torneo [A-Z]\b", Page(response).text)


@pytest.fixture
def three(today):
    """A pool and a regional tournament of one region, and a national tournament elsewhere."""
    home = make.club(name="Casa", slug="casa")
    day = today + timedelta(days=2)
    far = make.club(name="Lejos", slug="lejos")
    return (
        make.announcement(home, name="Torneo A", end_date=day),
        make.announcement(home, name="Torneo B", end_date=day, event_type="regional"),
        make.announcement(far, name="Torneo C", end_date=day + timedelta(days=1), event_type="national"),
    )


@pytest.mark.parametrize(
    "query, expected",
    [
        ({}, "ABC"),
        ({"club": "casa"}, "AB"),
        ({"tipo": "national"}, "C"),
        ({"tipo": "sin-pools"}, "BC"),
        ({"tipo": "nothing"}, "ABC"),
        ({"desde": "2999-01-01"}, ""),
        ({"desde": "no day"}, "ABC"),
        ({"vista": "nothing"}, "ABC"),
    ],
)
def test_the_list_is_filtered(client, three, query, expected):
    assert [name[-1] for name in listed(client.get(PAGE, query))] == list(expected)


def test_the_list_is_filtered_by_region(client, three):
    assert [name[-1] for name in listed(client.get(PAGE, {"region": three[2].club.region.slug}))] == ["C"]
    assert client.get(PAGE, {"region": "none-such"}).status_code == 404


def test_the_search_finds_the_tournaments_that_are_still_to_be_played(client, three):
    Announcement.objects.filter(pk=three[1].pk).update(cancelled_at=timezone.now())
    page = Page(client.get("/buscar/", {"q": "torneo"}))
    addresses = [three[index].get_absolute_url() for index in (0, 2)]
    assert [page.link(f"Torneo {letter}") for letter in "AC"] == addresses
    narrower = Page(client.get("/buscar/", {"q": "torneo a"})).main.text
    assert "Torneo B" not in page.text and "Torneo C" not in narrower


@pytest.mark.usefixtures("english")
def test_a_filter_that_fits_neither_days_nor_region_is_left_out_and_named(client, three):
    def page(**query) -> Page:
        return Page(client.get("/en" + PAGE, query))

    def offered(**query) -> set[str]:
        return {option["value"] for option in page(**query).of_id("f-tipo").all("option")}

    assert "league" in offered() and "pairs_championship_open" not in offered()
    assert "pairs_championship_open" in offered(desde="2025-12-31")
    past = {"vista": "mes", "mes": "2025-12"}
    assert "league" not in offered(**past)
    assert "“AEB League” is no choice of “Type”" in page(**past, tipo="league").the(role="status").text
    near, far = three[0].club, three[2].club
    mixed = page(region=far.region.slug, club=near.slug)
    assert "Torneo C" in mixed.text and "Torneo A" not in mixed.text
    assert mixed.the(role="status").text.startswith("“Casa” is not in the region chosen")
    assert client.get(PAGE, {"region": far.region.slug, "club": "none-such"}).status_code == 404
    for address in ("/en/clasificaciones/2p/", "/en/torneos/correcciones/"):
        mixed = Page(client.get(address, {"region": far.region.slug, "club": near.slug}))
        assert mixed.the(role="status").text.startswith("“Casa” is not in the region chosen")


def test_a_tournament_that_is_over_is_not_among_the_next(client, three, today):
    Announcement.objects.filter(pk=three[0].pk).update(
        start_date=today - timedelta(days=1), end_date=today - timedelta(days=1)
    )
    assert [name[-1] for name in listed(client.get(PAGE))] == ["B", "C"]


def test_the_month_shows_every_day_of_a_tournament(client):
    make.announcement(name="Torneo A", start_date=date(2027, 3, 6), end_date=date(2027, 3, 7))
    response = client.get(PAGE, {"vista": "mes", "mes": "2027-03"})
    days = [cell for week in response.context["weeks"] for cell in week if cell["shown"]]
    assert [cell["day"].day for cell in days] == [6, 7]
    for month in ("2027-02", "2027-04"):
        assert listed(client.get(PAGE, {"vista": "mes", "mes": month})) == []


def test_the_month_names_the_first_of_a_day_and_counts_the_rest(client):
    for number in range(7):
        make.announcement(name=f"Pool {number}", end_date=date(2027, 3, 6))
    response = client.get(PAGE, {"vista": "mes", "mes": "2027-03"})
    (cell,) = [cell for week in response.context["weeks"] for cell in week if cell["shown"]]
    assert (len(cell["shown"]), cell["more"]) == (4, 3)


@pytest.mark.parametrize(
    ("lang", "month", "day"),
    [("es", "Noviembre de 2026", "mar 24 nov"), ("en", "November 2026", "Tue 24 Nov")],
)
def test_months_and_days_are_written_as_in_each_language(client, lang, month, day):
    make.announcement(end_date=date(2026, 11, 24))
    speak(client, lang)
    page = Page(client.get(PAGE, {"vista": "mes", "mes": "2026-11"}))
    assert month in page.text and day.partition(" ")[2] in page.text
    assert day in Page(client.get(PAGE, {"desde": "2026-11-24"})).text


@pytest.mark.parametrize("month", ["", "x", "2027-13", "0000-01", "9999-12", "1900-01", "2027-03-04"])
def test_a_strange_month_is_this_month(client, month, today):
    response = client.get(PAGE, {"vista": "mes", "mes": month})
    assert response.context["month_value"] == f"{today:%Y-%m}"


@pytest.mark.parametrize("month", ["2000-01", "2100-12"])
def test_the_last_months_have_neighbours(client, month):
    response = client.get(PAGE, {"vista": "mes", "mes": month})
    assert response.context["month_value"] == month


# --- Feeds --------------------------------------------------------------------------------------------------
def events(response) -> list[icalendar.Event]:
    assert response.headers["Content-Type"] == "text/calendar; charset=utf-8"
    return list(icalendar.Calendar.from_ical(response.content).walk("VEVENT"))


def test_the_feeds_of_federation_region_and_club(client, three):
    home = three[0].club
    addresses = {
        reverse("calendar_feed"): ["Torneo B", "Torneo C"],
        reverse("calendar_region_feed", args=[home.region.slug]): ["Torneo A", "Torneo B"],
        reverse("calendar_club_feed", args=[three[2].club.slug]): ["Torneo C"],
    }
    for address, expected in addresses.items():
        assert [str(event["summary"]) for event in events(client.get(address))] == expected
    for name in ("calendar_region_feed", "calendar_club_feed"):
        assert client.get(reverse(name, args=["none-such"])).status_code == 404


def test_hours_are_in_utc_and_days_end_on_the_next(client):
    club = make.club()
    make.announcement(club, end_date=date(2027, 1, 15), starts_at=time(17, 0))
    make.announcement(club, end_date=date(2027, 7, 15), starts_at=time(17, 0))
    make.announcement(club, start_date=date(2027, 8, 6), end_date=date(2027, 8, 8))
    response = client.get(reverse("calendar_club_feed", args=[club.slug]))
    text = response.content.decode()
    assert re.findall(r"DTSTART[^\r]*", text) == [
        "DTSTART:20270115T160000Z",
        "DTSTART:20270715T150000Z",
        "DTSTART;VALUE=DATE:20270806",
    ]
    assert "DTEND;VALUE=DATE:20270809" in text


def test_hostile_texts_stay_texts_in_a_feed(client):
    club = make.club(name="Club; de, \\todos")
    name = "Pool\r\nEND:VEVENT\r\nSUMMARY:otra; con, comas " + "ñ" * 90
    announced = make.announcement(club, name=name[:150], note="a\nb", event_type="regional")
    response = client.get(reverse("announcement_feed", args=[announced.pk]))
    assert max(len(line) for line in response.content.split(b"\r\n")) <= 75
    (event,) = events(response)
    assert str(event["summary"]) == " ".join(name[:150].split())
    assert str(event["location"]) == "Club; de, \\todos, Villa"
    assert str(event["description"]).endswith("\na b")


def test_a_cancelled_tournament_says_so_to_calendar_programs(client):
    announced = make.announcement(cancelled_at="2026-01-01T00:00Z", cancel_reason="Obras", sequence=1)
    (event,) = events(client.get(reverse("announcement_feed", args=[announced.pk])))
    assert (event["status"], event["sequence"]) == ("CANCELLED", 1)
    assert "Obras" in event["description"]


def test_an_unchanged_feed_is_answered_304(client, three):
    address = reverse("calendar_feed")
    etag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"if-none-match": etag}).status_code == 304
    Announcement.objects.filter(pk=three[1].pk).update(note="Otra sala")
    assert client.get(address, headers={"if-none-match": etag}).status_code == 200


@pytest.mark.parametrize("name", ["calendar_feed", "calendar_region_feed", "calendar_club_feed"])
def test_a_club_or_region_with_another_name_changes_the_feeds(client, three, name):
    club = three[1].club
    slugs = {"calendar_region_feed": club.region.slug, "calendar_club_feed": club.slug}
    address = reverse(name, args=[slugs[name]] if name in slugs else [])
    etag = client.get(address).headers["ETag"]
    type(club).objects.filter(pk=club.pk).update(name="Casa Nueva")
    response = client.get(address, headers={"if-none-match": etag})
    assert response.status_code == 200 and "Casa Nueva" in response.content.decode()


def test_a_tournament_is_the_same_under_every_host_name(client, three, settings):
    settings.ALLOWED_HOSTS, settings.SITE_ADDRESS = ["*"], "https://baza.example:8443"
    address = reverse("calendar_feed")
    feeds = [events(client.get(address, headers={"host": host})) for host in ("a.example", "b.example:8000")]
    ids = [[str(event["uid"]) for event in feed] for feed in feeds]
    assert ids[0] == ids[1] == [f"{row.uid}@baza.example" for row in three[1:]]


def test_control_characters_are_left_out_of_a_feed(client):
    club = make.club(name="Club\x08 del\x7f Faro\x1b", city="Vi\x9blla")
    announced = make.announcement(club, name="Po\x08ol", note="No\x07ta", event_type="regional")
    for address in (
        reverse("announcement_feed", args=[announced.pk]),
        reverse("calendar_club_feed", args=[club.slug]),
    ):
        response = client.get(address)
        text = response.content.decode()
        assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", text)
        (event,) = events(response)
        assert (event["summary"], event["location"]) == ("Pool", "Club del Faro, Villa")
        assert str(event["description"]).endswith("Nota")


def test_a_calendar_program_follows_the_calendar_with_one_click(client, three):
    region = three[0].club.region.slug
    page = Page(client.get(PAGE, {"region": region}, secure=True))
    path = f"testserver{reverse('calendar_region_feed', args=[region])}"
    assert f"webcal://{path}" in page.addresses
    assert page.main.the("textarea", readonly=True).text == f"https://{path}"
    followed, table = (page.main.text.index(text) for text in ("iCalendar", "Torneo A"))
    assert followed < table


# --- Counts -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("first", [-10, 0, 1])
def test_the_list_counts_those_still_to_be_played_and_the_others_apart(client, today, first):
    make.announcement(name="Torneo A", end_date=today + timedelta(days=2))
    make.announcement(name="Torneo B", end_date=today + timedelta(days=3))
    make.announcement(name="Torneo C", end_date=today + timedelta(days=3), cancelled_at=timezone.now())
    make.announcement(name="Torneo D", end_date=today - timedelta(days=3))
    response = client.get(PAGE, {"desde": (today + timedelta(days=first)).isoformat()})
    page = Page(response)
    assert "2 torneos por jugar" in page.text and "1 suspendido" in page.text
    assert ("1 ya jugado o pasado" in page.text) is (first < 0)
    assert len(listed(response)) == (4 if first < 0 else 3)


def test_one_word_stands_for_cancelling_on_all_pages_feeds_and_letters(client, today):
    club = make.club()
    director = make.director(club)
    client.force_login(director)
    announced = make.announcement(club, end_date=today + timedelta(days=2))
    addresses = [reverse(name, args=[announced.pk]) for name in ("announcement", "announcement_cancel")]
    written = [Page(client.get(address, {"yo": "1"})).text for address in addresses]
    client.post(addresses[1], {"reason": "Obras"})
    written += [Page(client.get(address)).text for address in (addresses[0], PAGE)]
    written += [
        str(event["description"])
        for event in events(client.get(reverse("calendar_club_feed", args=[club.slug])))
    ]
    overdue = make.announcement(club, end_date=today - timedelta(days=4))
    notice = Notice(pk=1, account=director, kind="missing", data={"announcement": overdue.pk})
    written += kinds.MISSING.write(director, [notice])[1].paragraphs
    # The letter asks for the result, and says "not played".
    assert [bool(re.search("susp(e|ie)nd", text, re.IGNORECASE)) for text in written[:-1]] == [True] * 5
    assert [re.findall(".{30}cancel.{20}", text, re.IGNORECASE) for text in written] == [[]] * 6


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        (date(2099, 11, 28), date(2099, 11, 29), "Se juega del 28 al 29 de noviembre de 2099 en Casa."),
        (date(2099, 12, 1), date(2099, 12, 1), "Se juega el martes 1 de diciembre de 2099, en Casa."),
    ],
)
def test_an_announcement_says_its_days_in_a_sentence(client, first, last, text):
    row = make.announcement(make.club(name="Casa"), start_date=first, end_date=last)
    assert text in Page(client.get(row.get_absolute_url())).text
