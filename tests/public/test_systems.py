"""Pages of points systems beside the federation's own: lists, totals, receipts, tournaments."""

from decimal import Decimal

import pytest
from django.urls import reverse

from players.formatting import format_points
from scoring.models import LedgerEntry, ScoringFactor, Standing
from scoring.queries.standings import LiveList, PastList, Scope
from tests import factories as make
from tests.public.conftest import TODAY

pytestmark = pytest.mark.django_db
BRONZE = {"family": "sbf-bronze", "event_type": "bronze"}
SILVER = {"family": "sbf-silver", "event_type": "silver"}
CLUB = {"family": "acbl", "event_type": "club"}
OVERALL = {
    "family": "acbl", "event_type": "overall",
    "params": {"rating": "regional", "sessions": 1, "restriction": "one"},
}  # fmt: skip


@pytest.fixture(autouse=True)
def _all_systems(settings):
    settings.FAMILIES = ["aeb", "sbf-bronze", "sbf-silver", "acbl"]


@pytest.fixture
def field(today):
    return make.pairs(make.players(16, category="3D"))


def factors():
    for name, value in (("M", "1"), ("T", "0.9"), ("depth", "0.25"), ("R", "15")):
        case = "regional" if name == "R" else ""
        ScoringFactor.objects.create(
            regulation="acbl-overall", name=name, case=case, value=Decimal(value), source="Manual, p. 3",
            valid_from=TODAY.replace(year=2020), set_by=make.user(),
        )  # fmt: skip


def listed(client, family, **asked):
    return client.get(reverse("standing", args=[family]), asked)


def test_a_system_has_one_list_without_categories(client, field):
    make.scored(*field, **BRONZE, end_date=TODAY)
    make.scored(*field, end_date=TODAY)
    page = listed(client, "sbf-bronze")
    html = page.content.decode()
    assert page.status_code == 200
    winners = [pair for pair in field[:2]]
    assert all(player.public_name in html for pair in winners for player in pair)
    assert field[2][0].public_name not in html  # the third of eight earns no bronze


def test_the_federation_s_own_lists_hold_nothing_of_the_others(client, field):
    make.scored(*field, **BRONZE, end_date=TODAY)
    html = client.get(reverse("standing", args=["3d"])).content.decode()
    assert field[0][0].public_name not in html
    own = make.category("3D")
    for listing in (LiveList(Scope(own, TODAY), 0), PastList(Scope(own, TODAY))):
        assert listing.count() == 0


@pytest.mark.parametrize("asked", [{}, {"lugar": "presencial"}, {"lugar": "en-linea"}])
def test_the_venue_filter_works_there_too(client, field, asked):
    make.scored(*field, **BRONZE, end_date=TODAY, venue="online")
    html = listed(client, "sbf-bronze", **asked).content.decode()
    assert (field[0][0].public_name in html) == (asked.get("lugar") != "presencial")


def test_a_past_day_is_summed_from_the_ledger_of_that_system(field):
    make.scored(*field, **BRONZE, end_date=TODAY)
    make.scored(*field, **CLUB, end_date=TODAY)
    make.scored(*field, end_date=TODAY)
    for family in ("sbf-bronze", "acbl"):
        scope = Scope(None, TODAY, family=family)
        live, past = LiveList(scope, 0).rows(0, 50), PastList(scope).rows(0, 50)
        assert live == past and len(live) == {"sbf-bronze": 4, "acbl": 6}[family]


def test_the_list_comes_as_a_file(client, field):
    make.scored(*field, **SILVER, end_date=TODAY)
    page = listed(client, "sbf-silver", formato="csv")
    body = b"".join(page.streaming_content) if page.streaming else page.content
    assert page.status_code == 200 and b"sbf-silver" in page["Content-Disposition"].encode()
    assert field[0][0].number.encode() in body


def test_a_system_that_is_not_offered_has_no_list(client, field, settings):
    settings.FAMILIES = ["aeb"]
    assert listed(client, "sbf-bronze").status_code == 404
    assert "sbf-bronze" not in client.get(reverse("standings")).content.decode()


def test_the_overview_leads_to_the_lists(client, today):
    html = client.get(reverse("standings")).content.decode()
    assert all(reverse("standing", args=[each]) in html for each in ("sbf-bronze", "sbf-silver", "acbl"))


def test_a_player_s_totals_stand_apart(client, field):
    make.scored(*field, **BRONZE, end_date=TODAY)
    make.scored(*field, **CLUB, end_date=TODAY)
    own = make.scored(*field, end_date=TODAY)
    player = field[0][0]
    html = client.get(player.get_absolute_url(), headers={"accept-language": "en"}).content.decode()
    lead = html.partition('class="lead"')[2].partition("</p>")[0]
    points = LedgerEntry.objects.get(tournament=own, player=player).points
    assert format_points(points, "es") in lead or format_points(points, "en") in lead
    assert Standing.objects.get(player=player, family="aeb").points == points
    for family in ("sbf-bronze", "acbl"):
        assert reverse("standing", args=[family]) in html
        entry = LedgerEntry.objects.get(player=player, family=family)
        assert reverse("award", args=[player.number, entry.pk]) in html


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("fields", [BRONZE, SILVER, CLUB, OVERALL], ids=lambda each: each["event_type"])
def test_every_award_has_a_receipt_that_agrees(client, field, fields, language):
    factors()
    tournament = make.scored(*field, **fields, places=[1, 2, 2, 4, 5, 6, 7, 8], end_date=TODAY)
    entries = LedgerEntry.objects.filter(tournament=tournament).order_by("pk")
    assert entries
    client.cookies["django_language"] = language
    for entry in entries:
        page = client.get(reverse("award", args=[entry.player.number, entry.pk]))
        assert page.status_code == 200
        receipt = page.context["receipt"]
        assert receipt.agrees and receipt.computed == entry.points
        assert all(line.name and line.source for line in receipt.lines)
        assert receipt.lines[-1].key == "rounding"


@pytest.mark.parametrize("fields", [BRONZE, SILVER, CLUB, OVERALL], ids=lambda each: each["event_type"])
@pytest.mark.parametrize("pairs", [1, 8])
def test_the_tournament_page_shows_what_the_points_come_from(client, field, fields, pairs):
    factors()
    tournament = make.scored(*field[:pairs], **fields, end_date=TODAY)
    page = client.get(tournament.get_absolute_url())
    assert page.status_code == 200
    assert "C4" not in page.content.decode()


def test_a_long_list_asks_no_more(client, field, django_assert_num_queries, django_assert_max_num_queries):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def asked() -> int:
        with CaptureQueriesContext(
            connection,
        ) as found:
            assert listed(client, "acbl").status_code == 200
        return len(found)

    make.scored(*field[:1], **CLUB, end_date=TODAY)
    few = asked()
    make.scored(*field, **CLUB, end_date=TODAY)
    assert asked() == few
