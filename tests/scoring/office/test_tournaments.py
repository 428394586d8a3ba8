"""The office finds any tournament with its state and acts, and reads the settings of the regulation."""

import pytest
from django.urls import reverse
from django.utils import timezone

from players.models import Role
from scoring.cases.models import Case
from tests import factories as make
from tests.pages import open_page
from tests.scoring.pages.test_queries import query_count
from ui.clock import today

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
PAGE = "/oficina/torneos/"


def table(client, **query):
    return open_page(client, PAGE, **query).table("Tournaments")


def test_tournaments_are_found_with_their_state_and_what_can_be_done(office):
    club = make.club()
    pairs = make.pairs(make.players(8, category="2P", club=club))
    counting = make.scored(*pairs, of=club, name="Pool que cuenta", end_date=today())
    short = make.scored(*pairs, of=club, name="Pool corta", end_date=today(), boards=18)
    annulled = make.scored(*pairs, name="Pool anulada", end_date=today())
    annulled.annulled_at = timezone.now()
    annulled.save()
    expected = {"cuentan": counting, "no-cuentan": short, "anulados": annulled}
    for state, tournament in expected.items():
        assert table(office, estado=state).column("Tournament") == [tournament.name]
    states = {row["Tournament"]: row["State"] for row in table(office).records}
    assert states == {"Pool que cuenta": "Counts", "Pool corta": "Does not count", "Pool anulada": "Annulled"}
    assert table(office, q="pool corta").column("Tournament") == ["Pool corta"]
    assert table(office, q=str(short.pk), ano="2001").column("Tournament") == ["Pool corta"]
    assert len(table(office, club=club.slug).rows) == 2
    addresses = open_page(office, PAGE, q=str(short.pk)).addresses
    path, correct = short.get_absolute_url(), f"{reverse('upload_start')}?corrige={short.pk}"
    for address in (f"{path}anular/", f"{path}reglamento/", correct):
        assert address in addresses
        assert office.get(address).status_code == 200


def test_auditors_see_no_acts(client):
    auditor = make.user()
    make.role(auditor, Role.Kind.AUDITOR)
    client.force_login(auditor)
    make.scored(*make.pairs(make.players(4, category="2P")), end_date=today())
    assert "Acts" not in table(client).heads


def test_three_tournaments_take_as_many_queries_as_one(office):
    make.scored(*make.pairs(make.players(4, category="2P")), end_date=today())
    count = query_count(office, PAGE)
    for _turn in range(2):
        make.scored(*make.pairs(make.players(4, category="2P")), end_date=today())
    assert query_count(office, PAGE) == count


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("TIES", "best", "the award of the best of these places"),
        ("PLACE_RULE", "even", "places spread evenly"),
        ("MINIMUM_SHARE", 50, "50 %"),
        ("CORRECTION_DAYS", {"pool": 1}, "1 day"),
        ("FAMILIES", ["aeb", "acbl"], "BAZA_FAMILIES"),
        ("FAMILIES", ["aeb", "go"], "Go ratings"),
    ],
)
def test_the_page_of_the_regulation_shows_what_is_set_now(office, settings, name, value, text):
    setattr(settings, name, value)
    assert text in open_page(office, reverse("office_regulation")).text


def test_the_sheet_of_a_person_lists_their_cases(office):
    player, now = make.player(), timezone.now()
    rows = {"opened_at": now, "waiting_since": now, "opened_by": make.user(), "state": "office"}
    case = Case.objects.create(player=player, kind="points", **rows)
    page = open_page(office, reverse("person", args=[player.number]))
    assert case.get_absolute_url() in page.addresses
