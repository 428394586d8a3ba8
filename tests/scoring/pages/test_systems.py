"""Pages of other points systems: lists, totals, receipts, tournaments."""

import io
import re
from decimal import Decimal

import openpyxl
import pytest
from django.urls import reverse

from scoring.ledger.models import LedgerEntry, ScoringFactor, Standing
from scoring.ledger.queries.awards import colour_totals
from scoring.ledger.queries.scope import Scope
from scoring.ledger.queries.standings import LiveList, PastList
from tests import factories as make
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.conftest import TODAY
from ui.formatting import format_points

pytestmark = pytest.mark.django_db
BRONZE = {"family": "sbf-bronze", "event_type": "bronze"}
SILVER = {"family": "sbf-silver", "event_type": "silver"}
CLUB = {"family": "acbl", "event_type": "club"}
OVERALL = {
    "family": "acbl",
    "event_type": "overall",
    "params": {"rating": "regional", "sessions": 1, "restriction": "one"},
}


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
            regulation="acbl-overall",
            name=name,
            case=case,
            value=Decimal(value),
            source="Manual, p. 3",
            valid_from=TODAY.replace(year=2020),
            set_by=make.user(),
        )


def standings_of(client, family, **asked):
    return client.get(reverse("standing", args=[family]), asked)


def test_another_points_system_has_one_list_without_categories(client, field):
    make.scored(*field, **BRONZE, end_date=TODAY)
    make.scored(*field, end_date=TODAY)
    page = standings_of(client, "sbf-bronze")
    html = page.content.decode()
    assert page.status_code == 200
    winners = [pair for pair in field[:2]]
    assert all(player.public_name in html for pair in winners for player in pair)
    assert field[2][0].public_name not in html  # the third of eight contestants gets no bronze points


def test_the_federations_own_lists_contain_no_points_of_other_systems(client, field):
    make.scored(*field, **BRONZE, end_date=TODAY)
    html = client.get(reverse("standing", args=["3d"])).content.decode()
    assert field[0][0].public_name not in html
    own = make.category("3D")
    for listing in (LiveList(Scope(own, TODAY), 0), PastList(Scope(own, TODAY))):
        assert listing.count() == 0


@pytest.mark.parametrize("asked", [{}, {"lugar": "presencial"}, {"lugar": "en-linea"}])
def test_the_venue_filter_works_in_lists_of_other_systems(client, field, asked):
    make.scored(*field, **BRONZE, end_date=TODAY, venue="online")
    html = standings_of(client, "sbf-bronze", **asked).content.decode()
    assert (field[0][0].public_name in html) == (asked.get("lugar") != "presencial")


def test_the_list_of_a_past_day_is_summed_from_the_systems_ledger(field):
    make.scored(*field, **BRONZE, end_date=TODAY)
    make.scored(*field, **CLUB, end_date=TODAY)
    make.scored(*field, end_date=TODAY)
    for family in ("sbf-bronze", "acbl"):
        scope = Scope(None, TODAY, family=family)
        live, past = LiveList(scope, 0).rows(0, 50), PastList(scope).rows(0, 50)
        assert live == past and len(live) == {"sbf-bronze": 4, "acbl": 6}[family]


def test_the_list_of_a_points_system_can_be_exported(client, field):
    make.scored(*field, **SILVER, end_date=TODAY)
    page = standings_of(client, "sbf-silver", formato="csv")
    body = b"".join(page.streaming_content) if page.streaming else page.content
    assert page.status_code == 200 and b"sbf-silver" in page["Content-Disposition"].encode()
    assert field[0][0].number.encode() in body


def test_a_system_that_is_not_offered_has_no_list(client, field, settings):
    settings.FAMILIES = ["aeb"]
    assert standings_of(client, "sbf-bronze").status_code == 404
    assert "sbf-bronze" not in client.get(reverse("standings")).content.decode()


def test_the_overview_links_to_the_lists_of_every_system(client, today):
    html = client.get(reverse("standings")).content.decode()
    assert all(reverse("standing", args=[text]) in html for text in ("sbf-bronze", "sbf-silver", "acbl"))


def test_a_players_page_shows_the_total_of_each_system_separately(client, field):
    make.scored(*field, **BRONZE, end_date=TODAY)
    make.scored(*field, **CLUB, end_date=TODAY)
    own = make.scored(*field, end_date=TODAY)
    player = field[0][0]
    speak(client, "en")
    page = open_page(client, player.get_absolute_url())
    points = LedgerEntry.objects.get(tournament=own, player=player).points
    assert format_points(points, "en") in page.lead
    assert Standing.objects.get(player=player, family="aeb").points == points
    for family in ("sbf-bronze", "acbl"):
        assert reverse("standing", args=[family]) in page.addresses
        entry = LedgerEntry.objects.get(player=player, family=family)
        assert reverse("award", args=[player.number, entry.pk]) in page.addresses


@pytest.mark.parametrize(
    ("fields", "decimals", "of_system"),
    [(SILVER, 1, 1), (BRONZE, 2, 2), ({**BRONZE, "params": {"decimals": 1}}, 1, 2)],
    ids=["silver", "bronze", "bronze with one"],
)
def test_points_are_shown_with_the_decimals_of_their_system(client, field, fields, decimals, of_system):
    tournament = make.scored(*field, **fields, end_date=TODAY)
    player = field[0][0]
    entry = LedgerEntry.objects.get(player=player)
    texts = {digits: format_points(entry.points, "en", digits) for digits in (1, 2)}
    assert texts[1] != texts[2]  # the texts with one and with two decimals differ
    speak(client, "en")
    # Pages about several tournaments use the number of decimals of the points system.
    for address, shown in (
        (tournament.get_absolute_url(), decimals),
        (reverse("award", args=[player.number, entry.pk]), decimals),
        (player.get_absolute_url(), of_system),
        (reverse("standing", args=[tournament.family]), of_system),
    ):
        page = open_page(client, address).text
        for digits, text in texts.items():
            whole = rf"(?<![0-9.]){re.escape(text)}(?![0-9])"
            assert bool(re.search(whole, page)) == (digits == shown), address


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_exported_points_have_the_decimals_of_their_system(client, field, kind):
    tournament = make.scored(*field, **SILVER, end_date=TODAY)
    points = format_points(LedgerEntry.objects.get(player=field[0][0]).points, "en", 1)
    speak(client, "en")
    for address in (tournament.get_absolute_url(), reverse("standing", args=["sbf-silver"])):
        body = b"".join(client.get(address, {"formato": kind}).streaming_content)
        if kind == "csv":
            assert body.decode("utf-8-sig").splitlines()[1].split(",")[-1] == points, address
        else:
            cell = openpyxl.load_workbook(io.BytesIO(body)).active[2][-1]
            assert (cell.value, cell.number_format) == (float(points), "#,##0.0"), address


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("fields", [BRONZE, SILVER, CLUB, OVERALL], ids=lambda row: row["event_type"])
def test_every_award_of_another_system_has_a_receipt_that_agrees(client, field, fields, language):
    factors()
    tournament = make.scored(*field, **fields, places=[1, 2, 2, 4, 5, 6, 7, 8], end_date=TODAY)
    entries = LedgerEntry.objects.filter(tournament=tournament).order_by("pk")
    assert entries
    speak(client, language)
    for entry in entries:
        page = client.get(reverse("award", args=[entry.player.number, entry.pk]))
        assert page.status_code == 200
        receipt = page.context["receipt"]
        assert receipt.agrees and receipt.computed == entry.points
        assert all(line.name and line.source for line in receipt.lines)
        assert receipt.lines[-1].key == "rounding"


@pytest.mark.parametrize("fields", [BRONZE, SILVER, CLUB, OVERALL], ids=lambda row: row["event_type"])
@pytest.mark.parametrize("pairs", [1, 8])
def test_the_tournaments_page_of_another_system_does_not_mention_c4(client, field, fields, pairs):
    factors()
    tournament = make.scored(*field[:pairs], **fields, end_date=TODAY)
    page = client.get(tournament.get_absolute_url())
    assert page.status_code == 200
    assert "C4" not in page.content.decode()


def test_the_number_of_queries_does_not_grow_with_the_list(
    client, field, django_assert_num_queries, django_assert_max_num_queries
):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def asked() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert standings_of(client, "acbl").status_code == 200
        return len(queries)

    make.scored(*field[:4], **CLUB, end_date=TODAY)
    few = asked()
    make.scored(*field, **CLUB, end_date=TODAY)
    assert asked() == few


def test_american_points_have_a_colour_on_every_page_that_shows_them(client, field):
    factors()
    player = field[0][0]
    club = make.scored(*field, **CLUB, end_date=TODAY)
    online = make.scored(*field, **CLUB, end_date=TODAY, venue="online")
    gold = make.scored(*field, **OVERALL, end_date=TODAY)
    bronze = make.scored(*field, **BRONZE, end_date=TODAY)
    speak(client, "en")
    entries = {entry.tournament_id: entry for entry in LedgerEntry.objects.filter(player=player)}
    for tournament, colour in ((club, "Black"), (online, "Unpigmented"), (gold, "Gold")):
        assert colour in client.get(tournament.get_absolute_url()).content.decode()
        receipt = client.get(reverse("award", args=[player.number, entries[tournament.pk].pk]))
        assert f"Colour of the points: {colour}" in receipt.content.decode()
    for address in (bronze.get_absolute_url(), reverse("award", args=[player.number, entries[bronze.pk].pk])):
        assert "Colour of the points" not in client.get(address).content.decode()
    sections = client.get(player.get_absolute_url()).context["others"]
    colours = {section["system"].family: section["colours"] for section in sections}
    assert colours["sbf-bronze"] == []
    assert [name.split(",")[0] for name, _points in colours["acbl"]] == ["Gold", "Black", "Unpigmented"]
    assert [points for _name, points in colours["acbl"]] == [
        entries[item.pk].points for item in (gold, club, online)
    ]


def test_opening_points_of_the_acbl_have_no_known_colour(today):
    player = make.player()
    LedgerEntry.objects.create(
        player=player,
        family="acbl",
        kind="opening",
        points=1250,
        played_on=TODAY,
        online=False,
        title="Antes",
    )
    assert [points for _name, points in colour_totals(player, TODAY)] == [1250]
