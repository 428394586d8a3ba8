"""Announcing, changing and cancelling tournaments, and who may do so."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.urls import reverse

from players.models import Role
from tests import factories as make
from tests.pages import open_page
from tournaments.models import Announcement
from ui.formatting import format_date

pytestmark = pytest.mark.django_db
ANNOUNCE = "/calendario/anunciar/"


@pytest.fixture
def club():
    return make.club(name="Club del Ejemplo")


def fields(club, today, /, **changes) -> dict:
    values = {
        "club": club.pk,
        "name": "Pool de los viernes",
        "event_type": "pool",
        "start_date": (today + timedelta(days=4)).isoformat(),
        "format": "pairs",
        "venue": "in_person",
        "starts_at": "17:00",
        "weeks": "1",
    }
    return values | changes


def region_admin(club):
    account = make.user()
    make.role(account, Role.Kind.REGION_ADMIN, region=club.region)
    return account


def errors(response) -> dict:
    return {name: list(texts) for name, texts in response.context["form"].errors.items()}


def test_the_form_says_when_the_boards_are_needed_and_to_choose_a_club(client, club):
    make.club(region=club.region)
    for account, needed in ((make.director(club), False), (region_admin(club), True)):
        client.force_login(account)
        page = open_page(client, ANNOUNCE)
        assert ("el anuncio vale como aprobación" in page.text) == needed
        assert "elegir" in page.text and "-----" not in page.text


def test_a_director_announces_the_pools_of_the_next_weeks(client, club, today):
    director = make.director(club)
    client.force_login(director)
    response = client.post(ANNOUNCE, fields(club, today, weeks="3"))
    rows = list(Announcement.objects.order_by("start_date"))
    assert response.headers["Location"] == rows[0].get_absolute_url()
    assert [(row.start_date - today).days for row in rows] == [4, 11, 18]
    assert {row.end_date == row.start_date for row in rows} == {True}
    assert len({row.series for row in rows}) == 1
    assert rows[0].series
    assert {row.announced_by for row in rows} == {director}


@pytest.mark.parametrize(
    "account, event_type, allowed",
    [
        (make.director, "regional", False),
        (make.director, "national", False),
        (region_admin, "pool", False),
        (region_admin, "regional", True),
        (region_admin, "national", False),
        (lambda club: make.office(), "national", True),
        (lambda club: make.office(), "pool", True),
    ],
)
def test_who_announces_which_types(client, club, today, account, event_type, allowed):
    client.force_login(account(club))
    offered = dict(client.get(ANNOUNCE).context["form"].fields["event_type"].choices)
    assert (event_type in offered) is allowed
    response = client.post(ANNOUNCE, fields(club, today, event_type=event_type, boards="44"))
    assert Announcement.objects.exists() is allowed
    if not allowed:
        assert "event_type" in errors(response)


def test_the_form_lists_what_its_club_has_announced(client, club):
    own = make.announcement(club, name="Pool del lunes", end_date=make.today())
    other = make.announcement(name="Pool de otros", end_date=make.today())
    client.force_login(make.office())
    without = open_page(client, ANNOUNCE).main.addresses
    assert own.get_absolute_url() not in without
    for query in ({"club": club.slug}, {"como": own.pk}):
        page = open_page(client, ANNOUNCE, **query)
        assert own.get_absolute_url() in page.main.addresses
        assert other.get_absolute_url() not in page.main.addresses
        assert f"Anunciados por {club.name}" in page.main.headings(2)


def test_a_director_announces_nothing_for_another_club(client, club, today):
    client.force_login(make.director(make.club()))
    assert "club" in errors(client.post(ANNOUNCE, fields(club, today)))
    assert not Announcement.objects.exists()


@pytest.mark.parametrize(
    "changes, field",
    [
        ({"start_date": "2026-02-30"}, "start_date"),
        ({"start_date": "2020-01-01"}, "start_date"),
        ({"start_date": "9999-12-31"}, "start_date"),
        ({"end_date": "2020-01-01"}, "end_date"),
        ({"end_date": "9999-12-31"}, "end_date"),
        ({"name": ""}, "name"),
        ({"name": "x" * 151}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"weeks": "54"}, "weeks"),
        ({"weeks": "0"}, "weeks"),
        ({"weeks": "muchas"}, "weeks"),
        ({"boards": "99999999999999999999"}, "boards"),
        ({"starts_at": "25:00"}, "starts_at"),
        ({"event_type": "league", "format": "pairs", "boards": "96"}, "format"),
        ({"event_type": "regional"}, "boards"),
        ({"event_type": "no-such-type"}, "event_type"),
        ({"format": "x"}, "format"),
        ({"venue": "x"}, "venue"),
        ({"club": "x"}, "club"),
    ],
)
def test_bad_input_keeps_the_page_and_says_what_is_wrong(client, club, today, changes, field):
    client.force_login(make.office())
    response = client.post(ANNOUNCE, fields(club, today, **changes))
    assert response.status_code == 422
    assert field in errors(response)
    assert not Announcement.objects.exists()


def test_a_series_is_of_one_day(client, club, today):
    client.force_login(make.office())
    last = (today + timedelta(days=5)).isoformat()
    assert "weeks" in errors(client.post(ANNOUNCE, fields(club, today, weeks="2", end_date=last)))


def test_announcing_twice_announces_once(client, club, today):
    client.force_login(make.director(club))
    client.post(ANNOUNCE, fields(club, today))
    response = client.post(ANNOUNCE, fields(club, today, weeks="2"))
    assert "__all__" in errors(response)
    assert Announcement.objects.count() == 1


@pytest.mark.parametrize("weeks", ["1", "3"])
def test_a_double_click_leads_to_what_the_first_click_announced(client, club, today, weeks):
    client.force_login(make.director(club))
    first, second = (client.post(ANNOUNCE, fields(club, today, weeks=weeks)) for _click in range(2))
    assert second.headers.get("Location") == first.headers["Location"]
    assert Announcement.objects.count() == int(weeks)
    assert "__all__" in errors(client.post(ANNOUNCE, fields(club, today, weeks=weeks, boards="24")))
    client.force_login(make.director(club))
    assert "__all__" in errors(client.post(ANNOUNCE, fields(club, today, weeks=weeks)))
    Announcement.objects.update(announced_at=F("announced_at") - timedelta(hours=1))
    client.force_login(Announcement.objects.first().announced_by)
    assert "__all__" in errors(client.post(ANNOUNCE, fields(club, today, weeks=weeks)))


def test_a_tournament_is_moved(client, club, today):
    director = make.director(club)
    announced = make.announcement(club, end_date=today + timedelta(days=2), name="Pool de los viernes")
    client.force_login(director)
    address = reverse("announcement_change", args=[announced.pk])
    assert client.get(address).status_code == 200
    client.post(address, fields(club, today))
    announced.refresh_from_db()
    assert (announced.start_date, announced.end_date) == (today + timedelta(days=4),) * 2
    assert (announced.sequence, announced.announced_by) == (1, director)


def test_a_club_does_not_make_its_pool_a_regional_tournament(client, club, today):
    announced = make.announcement(club, end_date=today + timedelta(days=2))
    client.force_login(make.director(club))
    address = reverse("announcement_change", args=[announced.pk])
    response = client.post(address, fields(club, today, event_type="regional", boards="44"))
    assert "event_type" in errors(response)
    announced.refresh_from_db()
    assert announced.event_type == "pool"


def test_cancelling_a_series_leaves_earlier_and_played_dates(client, club, today):
    client.force_login(make.director(club))
    client.post(ANNOUNCE, fields(club, today, weeks="4"))
    rows = list(Announcement.objects.order_by("start_date"))
    Announcement.objects.filter(pk=rows[3].pk).update(tournament=make.tournament(club))
    address = reverse("announcement_cancel", args=[rows[1].pk])
    assert client.get(address).context["later"] == 1
    client.post(address, {"reason": "Obras en la sala", "following": "on"})
    states = [row.cancelled_at is not None for row in Announcement.objects.order_by("start_date")]
    assert states == [False, True, True, False]
    page = client.get(rows[1].get_absolute_url()).content.decode()
    assert "Obras en la sala" in page


def test_cancelling_a_series_leaves_out_what_the_account_may_not_cancel(client, club, today):
    director = make.director(club)
    client.force_login(director)
    client.post(ANNOUNCE, fields(club, today, weeks="3"))
    rows = list(Announcement.objects.order_by("start_date"))
    Announcement.objects.filter(pk=rows[1].pk).update(event_type="regional")
    address = reverse("announcement_cancel", args=[rows[0].pk])
    page = client.post(address, {"reason": "Obras", "following": "on"}, follow=True).content.decode()
    states = [row.cancelled_at is not None for row in Announcement.objects.order_by("start_date")]
    assert states == [True, False, True]
    assert format_date(rows[1].start_date, "es") in page


def test_a_stale_page_changes_nothing_and_keeps_what_was_typed(client, club, today):
    announced = make.announcement(club, end_date=today + timedelta(days=2), name="Pool X", sequence=3)
    client.force_login(make.director(club))
    address = reverse("announcement_change", args=[announced.pk])
    assert 'name="seen" value="3"' in client.get(address).content.decode()
    first = fields(club, today, name="Pool Y", starts_at="18:30", seen="3")
    assert client.post(address, first).status_code == 302
    assert client.post(address, first).status_code == 302  # a second click
    stale = fields(club, today, name="Pool Z", starts_at="17:00", seen="3")
    response = client.post(address, stale)
    page = response.content.decode()
    assert response.status_code == 422
    assert all(text in page for text in ("Pool Y", "18:30", 'value="Pool Z"', 'name="seen" value="4"'))
    announced.refresh_from_db()
    assert (announced.name, announced.sequence) == ("Pool Y", 4)
    assert client.post(address, stale | {"seen": "4"}).status_code == 302
    announced.refresh_from_db()
    assert announced.name == "Pool Z"


def test_what_is_cancelled_or_played_changes_no_more(client, club, today):
    client.force_login(make.director(club))
    cancelled = make.announcement(club, cancelled_at="2026-01-01T00:00Z", cancel_reason="Obras")
    played = make.announcement(club, tournament=make.tournament(club))
    for announced in (cancelled, played):
        for name in ("announcement_change", "announcement_cancel"):
            response = client.post(reverse(name, args=[announced.pk]), {"reason": "x", **fields(club, today)})
            assert response.status_code == 302
        before = announced.name
        announced.refresh_from_db()
        assert (announced.name, announced.sequence) == (before, 0)
    assert played.cancelled_at is None


@pytest.mark.parametrize("name", ["Pool\nde  los\r\nviernes", " Pool\tde los viernes\u2028"])
def test_line_breaks_and_repeated_spaces_of_names_are_not_stored(client, club, today, name):
    client.force_login(make.director(club))
    client.post(ANNOUNCE, fields(club, today, name=name, note="Sala\n2"))
    (row,) = Announcement.objects.all()
    assert (row.name, row.note) == ("Pool de los viernes", "Sala 2")
    client.post(reverse("announcement_cancel", args=[row.pk]), {"reason": "Obras\nen la sala"})
    row.refresh_from_db()
    assert row.cancel_reason == "Obras en la sala"
