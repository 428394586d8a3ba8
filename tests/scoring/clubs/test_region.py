"""The page of a region's administrator."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Role
from scoring.clubs.queries.region import state_of
from tests import factories as make
from tests.pages import open_page
from tournaments.models import ResultUpload
from ui.clock import today

pytestmark = pytest.mark.django_db


@pytest.fixture
def region():
    return make.region(name="Levante")


@pytest.fixture
def administrator(region) -> Client:
    account = make.user()
    make.role(account, Role.Kind.REGION_ADMIN, region=region)
    client = Client()
    client.force_login(account)
    return client


def draft(club) -> ResultUpload:
    return ResultUpload.objects.create(
        club=club, created_by=make.director(club), file_name="pool.csv", file_format="table"
    )


def address(region) -> str:
    return reverse("region_manage", args=[region.slug])


def test_the_page_shows_each_club_with_what_it_has_to_do(administrator, region):
    busy, idle = make.club(region=region, name="Atareado"), make.club(region=region, name="Al día")
    far = make.club()
    yesterday = today() - timedelta(days=1)
    missing = make.announcement(busy, end_date=yesterday, name="Falta")
    make.announcement(far, end_date=yesterday, name="Lejos")
    waiting = draft(busy)
    draft(far)
    for days, late in ((1, 0), (5, 1)):
        played_on = today() - timedelta(days=days)
        tournament = make.scored(*make.pairs(make.players(4)), of=idle, end_date=played_on)
        upload = draft(idle)
        ResultUpload.objects.filter(pk=upload.pk).update(
            state="confirmed", revision=tournament.published, played_on=played_on
        )
        assert state_of(region, today()).clubs[1]["late"] == late
    # Stored without an upload: one that counts, and one of long ago.
    for days in (0, 200):
        played_on = today() - timedelta(days=days)
        make.scored(*make.pairs(make.players(4)), of=idle, end_date=played_on)
    page = administrator.get(address(region))
    state = page.context["state"]
    assert state.clubs[1]["last"] == today() and state.clubs[0]["last"] is None
    assert [(club["name"], club["missing"], club["drafts"], club["played"]) for club in state.clubs] == [
        ("Atareado", 1, 1, 0),
        ("Al día", 0, 0, 3),
    ]
    assert {matter.url for matter in page.context["matters"]} == {
        missing.get_absolute_url(),
        waiting.get_absolute_url(),
    }
    text = page.content.decode()
    assert "Lejos" not in text and reverse("club_manage", args=[busy.slug]) in text
    assert address(region) in administrator.get(reverse("clubs_managed")).content.decode()


def test_regional_tournaments_are_listed_and_announced_from_here(administrator, region):
    club = make.club(region=region)
    make.announcement(club, name="Autonómico", event_type="regional", end_date=today() + timedelta(days=9))
    make.announcement(club, name="Pool", event_type="pool", end_date=today() + timedelta(days=9))
    page = administrator.get(address(region))
    assert [item.name for item in page.context["state"].coming] == ["Autonómico"]
    assert reverse("announce") in page.content.decode()


def test_the_number_of_queries_does_not_grow_with_clubs(administrator, region):
    counts = []
    for _number in range(3):
        club = make.club(region=region)
        draft(club)
        make.announcement(club, end_date=today() - timedelta(days=1))
        with CaptureQueriesContext(connection) as captured:
            administrator.get(address(region))
        counts.append(len(captured))
    assert counts[0] == counts[2]


def test_other_regions_and_roles_find_no_page(administrator, region):
    assert administrator.get(address(make.region())).status_code == 404
    director = Client()
    director.force_login(make.director(make.club(region=region)))
    assert director.get(address(region)).status_code == 404


def test_the_administrators_place_leads_to_the_region_and_to_announcing(administrator, region):
    page = open_page(administrator, reverse("my_place"))
    assert {address(region), reverse("announce")} <= set(page.addresses)
    assert f"{region.name}: " in page.main.text
