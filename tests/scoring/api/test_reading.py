"""Every document that anybody may read says what the page of the same name says."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils.translation import gettext, override

from players.models import Licence
from scoring import regulations
from scoring.annulments.services import annul
from scoring.api.interface import interface
from scoring.engine.points import plain
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.queries.scope import Scope
from scoring.ledger.queries.standings import LiveList
from scoring.ledger.services import posting, runs
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.publish import Publish, Withdraw
from scoring.ratings.models import RatedPlayer
from scoring.regulations.aeb_2026 import tables as TABLES
from tests import factories as make
from tests.scoring.api.reader import Reader
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.conftest import clock, module_people, people  # noqa: F401 (fixtures)
from tests.scoring.ratings import makers as go

pytestmark = pytest.mark.django_db


def refused(reader, path: str, code: str, status: int, **query) -> dict:
    """Check that an address answers this problem, and return its document."""
    document = reader.get(path, **query)
    assert (reader.answer.status_code, document["code"]) == (status, code)
    assert reader.answer["Content-Type"] == "application/problem+json"
    assert document["detail"] and "%(" not in document["detail"]
    return document


def page(name: str, *args) -> str:
    """Return the address of an English page."""
    with override("en"):
        return f"http://testserver{reverse(name, args=args)}"


def annulled(tournament) -> None:
    """Annul a tournament, as the worker does."""
    runs.score(annul(tournament.pk, "Repeated", make.office()).pk)


# --- Players ------------------------------------------------------------------------------------------------
def test_a_player_has_club_category_and_licence(reader, federation, today):
    player = federation.players[0]
    club = {"code": federation.club.code, "name": "Club del Faro"}
    assert reader.get(f"players/00{player.number}") == {
        "number": player.number,
        "name": player.full_name,
        "club": club,
        "region": {"code": federation.club.region.code, "name": federation.club.region.name},
        "category": "2P",
        "licence": "valid",
        "as_of": today.isoformat(),
        "url": page("player", player.get_absolute_url().strip("/").rpartition("/")[2]),
    }


def test_a_player_without_club_category_and_licence(reader, today):
    player = make.player(club=None, licensed=False)
    document = reader.get(f"players/{player.number}")
    assert [document[name] for name in ("club", "region", "category", "licence")] == [
        None,
        None,
        None,
        "none",
    ]
    Licence.objects.create(player=player, valid_from="2020-01-01", valid_to="2020-12-31")
    assert reader.get(f"players/{player.number}")["licence"] == "lapsed"


@pytest.mark.parametrize("number", ["1", "0", "abc", "1-ana", "%00", "9" * 400, "１２"])
@pytest.mark.parametrize("path", ["players/{}", "players/{}/standing", "players/{}/awards"])
def test_numbers_that_nobody_has_are_not_found(reader, today, path, number):
    refused(reader, path.format(number), "not_found", 404)


def test_a_players_standing_is_that_of_the_standings(reader, federation, today):
    winner, second = federation.players[0], federation.players[2]
    row = Standing.objects.get(player=winner, family="aeb")
    document = reader.get(f"players/{winner.number}/standing")
    assert Decimal(document["points"]) * 100 == row.points > 0
    assert document["points_in_person"] == document["points"] and document["points_online"] == "0.00"
    assert (document["rank"], document["of"], document["tournaments"]) == (1, 8, 1)
    assert (document["category"], document["as_of"], document["licensed"]) == ("2P", today.isoformat(), True)
    assert reader.get(f"players/{second.number}/standing")["rank"] == 3
    outside = make.player(category="2P")
    document = reader.get(f"players/{outside.number}/standing")
    assert (document["rank"], document["points"], document["week"]) == (
        None,
        "0.00",
        {"points": "0.00", "places": None},
    )


def test_awards_have_what_the_file_of_the_page_has(reader, federation, today):
    player, entry = federation.players[0], LedgerEntry.objects.get(player=federation.players[0])
    document = reader.get(f"players/{player.number}/awards")
    assert (document["number"], document["family"], document["next"]) == (player.number, "aeb", None)
    assert document["items"] == [
        {
            "id": entry.pk,
            "kind": "award",
            "played_on": "2026-10-22",
            "leaves_on": "2027-10-22",
            "title": "Pool de los jueves",
            "tournament": federation.counted.pk,
            "club": "Club del Faro",
            "place": 1,
            "contestants": 4,
            "points": f"{entry.points / 100:.2f}",
            "online": False,
            "cancelled": None,
            "url": page("award", player.number, entry.pk),
        }
    ]


def test_an_annulled_tournament_leaves_an_award_and_its_reversal(reader, federation):
    annulled(federation.counted)
    items = reader.get(f"players/{federation.players[0].number}/awards")["items"]
    assert [(item["kind"], item["cancelled"]) for item in items] == [
        ("reversal", None),
        ("award", "annulled"),
    ]
    assert sum(Decimal(item["points"]) for item in items) == 0


def test_points_from_before_belong_to_no_tournament(reader, today):
    player = make.player()
    posting.post_opening([posting.OpeningRow(player.pk, today, "Antes", True, 5)], None)
    (item,) = reader.get(f"players/{player.number}/awards")["items"]
    assert (item["kind"], item["title"], item["points"]) == ("opening", "Antes", "0.05")
    assert (item["tournament"], item["club"], item["place"], item["online"]) == (None, "", None, True)


def test_the_points_system_of_awards_is_one_of_those_known(reader, federation):
    number = federation.players[0].number
    assert reader.get(f"players/{number}/awards", family="sbf-bronze")["items"] == []
    document = refused(reader, f"players/{number}/awards", "parameter_invalid", 422, family="egf")
    assert document["errors"] == [
        {"field": "family", "message": "Use one of these values: aeb, sbf-bronze, sbf-silver, acbl."}
    ]
    spanish = Reader("es").get(f"players/{number}/awards", family="egf")["errors"][0]["message"]
    assert spanish.endswith(": aeb, sbf-bronze, sbf-silver, acbl.") and "Use" not in spanish
    spanish = Reader("es").get("standings/2P", venue="home")["errors"][0]["message"]
    assert spanish.endswith(": in_person, online.")


def test_capitals_in_codes_do_not_matter(reader, federation):
    number, club = federation.players[0].number, federation.club.code
    for path, other in (
        (f"players/{number}/awards?family=aeb", f"players/{number}/awards?family=AEB"),
        ("regulations/aeb-2026", "regulations/AEB-2026"),
        ("standings/2P", "standings/2p"),
        (f"standings/2P?club={club}&venue=online", f"standings/2P?club={club.lower()}&venue=ONLINE"),
        ("standings/sbf-bronze", "standings/SBF-Bronze"),
    ):
        answers = [reader.client.get(f"/api/v1/{address}") for address in (path, other)]
        assert {answer.status_code for answer in answers} <= {200, 404}, path
        assert answers[0].json() == answers[1].json(), path
    assert reader.client.get("/api/v1/regulations/AEB-2026").status_code == 200


# --- Standings ----------------------------------------------------------------------------------------------
def test_standings_are_those_of_the_page(reader, federation, today):
    document = reader.get("standings/2p")
    head = {name: value for name, value in document.items() if name != "items"}
    assert head == {
        "category": "2P",
        "family": "aeb",
        "as_of": today.isoformat(),
        "venue": None,
        "players": 8,
        "next": None,
    }
    records = LiveList(Scope(make.category("2P"), today), 0).rows(0, 50)
    assert [(item["rank"], item["number"]) for item in document["items"]] == [
        (record["rank"], record["number"]) for record in records
    ]
    first = document["items"][0]
    assert first["points"] == f"{records[0]['points'] / 100:.2f}" and first["shared"] is True
    assert (first["name"], first["club"]) == (federation.players[0].full_name, "Club del Faro")


def test_standings_of_a_past_day(reader, federation, today):
    before = (today - timedelta(days=31)).isoformat()
    assert reader.get("standings/2P", as_of=before)["items"] == []
    after = (today - timedelta(days=2)).isoformat()
    document = reader.get("standings/2P", as_of=after)
    assert (document["as_of"], len(document["items"])) == (after, 8)
    assert reader.get("standings/2P", as_of=today.isoformat()) == reader.get("standings/2P")


def test_the_venue_region_and_club_narrow_the_standings(reader, federation, today):
    other = make.players(2, category="2P")
    make.scored(tuple(other), ("Una", "Otra"), end_date=today, venue="online", event_type="regional")
    region = federation.club.region
    assert {item["number"] for item in reader.get("standings/2P", venue="online")["items"]} == {
        player.number for player in other
    }
    for filters in ({"club": federation.club.code.lower()}, {"region": region.code}):
        document = reader.get("standings/2P", **filters)
        assert (len(document["items"]), document["players"]) == (8, 10)
    assert (
        reader.get("standings/2P", region=other[0].club.region.code, club=federation.club.code)["items"] == []
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("as_of", "2026-11-22"),
        ("as_of", "2026-13-01"),
        ("as_of", "1794614400"),
        ("as_of", "0001-01-01"),
        ("as_of", "ayer"),
        ("as_of", "2021-12-31"),
        ("venue", "presencial"),
        ("region", "none"),
        ("club", "none"),
        ("club", "\x00"),
        ("club", "x" * 11),
    ],
)
def test_wrong_parameters_of_standings_are_named(reader, federation, name, value):
    document = refused(reader, "standings/2P", "parameter_invalid", 422, **{name: value})
    assert [item["field"] for item in document["errors"]] == [name]
    assert document["errors"][0]["message"] and name in document["detail"]


@pytest.mark.parametrize("category", ["9X", "%00", "x" * 13, "sbf-bronze"])
def test_other_categories_and_systems_that_are_not_offered_are_not_found(reader, today, category):
    refused(reader, f"standings/{category}", "not_found", 404)


def test_a_category_is_that_of_the_day(reader, federation):
    assert reader.get("standings/MN")["category"] == "MN-O"
    assert reader.get("standings/MN-O", as_of="2024-01-01")["category"] == "MN"
    document = refused(reader, "standings/MN-D", "parameter_invalid", 422, as_of="2024-01-01")
    assert "2026-01-01" in document["errors"][0]["message"]


def test_a_system_without_categories_has_standings_of_its_own(reader, settings, today):
    settings.FAMILIES = ["aeb", "sbf-bronze"]
    player = make.player()
    make.scored(
        (player, make.player()), ("Una", "Otra"), end_date=today, family="sbf-bronze", event_type="bronze"
    )
    document = reader.get("standings/sbf-bronze")
    assert (document["category"], document["family"]) == (None, "sbf-bronze")
    assert len(document["items"]) == 2 and Decimal(document["items"][0]["points"]) > 0
    assert reader.get(f"players/{player.number}/awards", family="sbf-bronze")["items"][0]["kind"] == "award"


# --- Tournaments --------------------------------------------------------------------------------------------
def test_tournaments_come_with_what_the_list_says(reader, federation):
    short, counted = reader.get("tournaments")["items"]
    assert (short["id"], short["counts"]) == (federation.short.pk, False)
    assert counted == {
        "id": federation.counted.pk,
        "name": "Pool de los jueves",
        "end_date": "2026-10-22",
        "club": {"code": federation.club.code, "name": "Club del Faro"},
        "format": "pairs",
        "event_type": "pool",
        "boards_scheduled": 24,
        "counts": True,
        "annulled": False,
        "waiting": False,
        "url": page("tournament", 2026, f"pool-de-los-jueves-{federation.counted.pk}"),
    }
    annulled(federation.counted)
    _short, counted = reader.get("tournaments")["items"]
    assert (counted["counts"], counted["annulled"]) == (False, True)


def test_a_tournament_has_ranking_awards_coefficients_and_regulation(reader, federation):
    document = reader.get(f"tournaments/{federation.counted.pk}")
    assert (document["regulation"], document["counts"], document["reasons"]) == ("aeb-2026", True, [])
    assert (document["revision"], document["family"], document["venue"]) == (1, "aeb", "in_person")
    (computed,) = document["computed"]
    assert computed["n"] == "4" and computed["direction"] is None
    assert computed["coefficients"].keys() == {"C1", "C2", "C3", "C4", "C5"}
    assert len(computed["coefficients"]["C2"]) > 12 and computed["coefficients"]["C1"] == "5"
    first = document["ranking"][0]
    entry = LedgerEntry.objects.get(player=federation.players[0])
    assert (first["place"], first["label"], first["points"]) == (1, "1", f"{entry.points / 100:.2f}")
    assert first["people"] == [
        {"number": player.number, "name": player.full_name, "category": "2P"}
        for player in federation.players[:2]
    ]
    assert len(document["awards"]) == 8
    assert document["awards"][0] == {
        "number": federation.players[0].number,
        "name": federation.players[0].full_name,
        "points": first["points"],
    }


def test_a_tournament_that_does_not_count_says_why(reader, federation):
    document = reader.get(f"tournaments/{federation.short.pk}")
    assert (document["counts"], document["reasons"]) == (False, ["too_few_boards"])
    assert document["awards"] == [] and {row["points"] for row in document["ranking"]} == {None}


def test_an_annulled_tournament_has_no_points(reader, federation):
    annulled(federation.counted)
    document = reader.get(f"tournaments/{federation.counted.pk}")
    assert (document["annulled"], document["counts"], document["awards"]) == (True, False, [])
    assert document["computed"] == [] and document["regulation"] is None


def test_a_tournament_that_is_not_scored_yet_has_its_ranking(reader, today):
    ranking = make.revision(("Una", "Otra"), ("Eva", "Ana"))
    document = reader.get(f"tournaments/{ranking.tournament_id}")
    assert (document["counts"], document["revision"], document["regulation"]) == (None, None, None)
    assert [row["place"] for row in document["ranking"]] == [1, 2]
    assert document["ranking"][0]["people"][0] == {"number": None, "name": "Una", "category": None}


@pytest.mark.parametrize("pk", ["0", "-1", "x", "1.5", "9" * 30, "9007199254740991", "1e3"])
def test_tournaments_that_do_not_exist_are_not_found(reader, today, pk):
    refused(reader, f"tournaments/{pk}", "not_found", 404)


# --- Regulations --------------------------------------------------------------------------------------------
def test_the_regulations_offered_come_with_their_dates(reader, settings, today):
    settings.FAMILIES = ["aeb"]
    items = {item["code"]: item for item in reader.get("regulations")["items"]}
    assert items["aeb-2022"] | {"title": ""} == {
        "code": "aeb-2022",
        "name": "AEB 2022",
        "title": "",
        "family": "aeb",
        "valid_from": "2022-01-02",
        "valid_to": "2025-12-31",
        "in_force": False,
    }
    assert items["aeb-2026"]["in_force"] is True and items["aeb-2026"]["valid_to"] is None
    assert "egf-2021" not in items
    settings.FAMILIES = ["aeb", "go"]
    assert "egf-2021" in {item["code"] for item in reader.get("regulations")["items"]}


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_tables_of_a_regulation_have_numbers_with_a_point_in_every_language(today, db, language):
    document = Reader(language).get("regulations/aeb-2026")
    assert (document["valid_from"], document["in_force"]) == ("2026-01-01", True)
    cells = {row[0]: row[1] for table in document["tables"] for row in table["rows"]}
    assert {row.code: plain(row.value) for row in TABLES.CATEGORIES.rows}.items() <= cells.items()
    with override(language):
        assert gettext("C5, the venue") in {table["section"] for table in document["tables"]}


@pytest.mark.parametrize("code", [code for code in regulations.DECLARATIONS])
def test_every_regulation_can_be_read(reader, settings, today, code):
    settings.FAMILIES = ["aeb", "go"]
    document = reader.get(f"regulations/{code}")
    assert document["code"] == code and document["document"]
    assert "</" not in reader.answer.content.decode(), "texts without HTML"


def test_regulations_that_have_no_page_are_not_found(reader, settings, today):
    settings.FAMILIES = ["aeb"]
    for code in ("aeb-1999", "egf-2021", "x" * 21):
        refused(reader, f"regulations/{code}", "not_found", 404)
    assert reader.get("regulations/sbf-2019-bronze")["family"] == "sbf", "old tournaments cite it"


# --- Promotions ---------------------------------------------------------------------------------------------
def test_the_lists_of_a_year_are_not_found_before_they_are_published(reader, people):  # noqa: F811
    campaign = campaigns.approved(people)
    refused(reader, "promotions/2025/2D", "not_found", 404)
    Publish().perform(campaign.pk, people.office)
    assert reader.get("promotions/2025/2d")["moving"] == 1
    Withdraw().perform(campaign.pk, people.office, "wrong rules")
    refused(reader, "promotions/2025/2D", "not_found", 404)


@pytest.mark.parametrize("path", ["2025/9X", "2024/2D", "1999/2D", "10000/2D", "x/2D", "2025/MN-O"])
def test_other_lists_are_not_found(reader, people, path):  # noqa: F811
    campaigns.published(people)
    refused(reader, f"promotions/{path}", "not_found", 404)


def test_a_published_list_says_who_moves(reader, people):  # noqa: F811
    campaign = campaigns.published(people)
    document = reader.get("promotions/2025/2D")
    head = {name: value for name, value in document.items() if name not in ("items", "approved_at")}
    assert head == {
        "year": 2025,
        "category": "2D",
        "target": "2C",
        "first_day": "2025-01-01",
        "last_day": "2025-12-31",
        "holds_from": "2026-03-01",
        "claims_until": "2026-02-04",
        "rules_confirmed": True,
        "cut": "10.00",
        "players": 10,
        "moving": 1,
        "next": None,
    }
    assert document["approved_at"].startswith(campaign.approved_at.isoformat()[:19])
    first, second = document["items"][:2]
    assert first == {
        "rank": 1,
        "number": people.diamonds[0].number,
        "name": people.diamonds[0].full_name,
        "club": people.diamonds[0].club.name,
        "points": "10.00",
        "margin": "0.00",
        "moves_to": "2C",
        "note": "moves up",
    }
    assert (second["moves_to"], second["margin"]) == (None, "-1.00")


def test_the_reason_of_a_decision_is_not_public(reader, people):  # noqa: F811
    campaign = campaigns.frozen(people)
    Decide().perform(campaign.pk, people.diamonds[1].pk, make.category("2C"), "Very private", people.office)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office)
    assert [item["moves_to"] for item in reader.get("promotions/2025/2D")["items"][:3]] == ["2C", "2C", None]
    assert "private" not in reader.answer.content.decode()


def test_a_death_is_not_public(reader, people):  # noqa: F811
    dead, other = people.diamonds[:2]
    type(dead).objects.filter(pk=dead.pk).update(deceased_on="2026-01-02")
    campaigns.published(people)
    items = reader.get("promotions/2025/2D")["items"]
    assert (items[0]["number"], items[0]["moves_to"]) == (dead.number, None)
    assert (items[1]["number"], items[1]["moves_to"]) == (other.number, "2C")
    assert items[0]["note"] == "does not move up"


# --- Ratings and clubs --------------------------------------------------------------------------------------
def test_ratings_are_there_only_where_games_of_go_are_rated(reader, settings, today):
    settings.FAMILIES = ["aeb"]
    answer = reader.client.get("/api/v1/ratings")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert "/api/v1/ratings" not in interface.get_openapi_schema()["paths"]
    settings.FAMILIES = ["aeb", "go"]
    assert reader.get("ratings")["items"] == []


def test_the_rating_list_has_the_highest_first(reader, settings, today):
    settings.FAMILIES = ["aeb", "go"]
    go.registered(go.event(), make.office())
    items = reader.get("ratings")["items"]
    rated = [RatedPlayer.objects.get(pk=item["id"]) for item in items]
    assert [float(item["rating"]) for item in items] == sorted((row.rating for row in rated), reverse=True)
    assert len(items) == 4 and items[0]["name"] == rated[0].full_name
    assert (items[0]["country"], items[0]["tournaments"], items[0]["last_played"]) == ("ES", 1, "2026-03-01")


def test_clubs_are_listed_by_code_without_those_closed(reader, today):
    region = make.region(code="N", name="Norte")
    make.club(code="0B2", name="Blanco", region=region, city="Villa Blanca")
    make.club(code="0A1", name="Azul")
    make.club(code="0A2", name="Añil", active=False)
    first, second = reader.get("clubs")["items"][:2]
    assert (first["code"], second["code"]) == ("0A1", "0B2")
    assert (second["name"], second["city"]) == ("Blanco", "Villa Blanca")
    assert second["region"] == {"code": "N", "name": "Norte"}
    assert reader.client.get(second["url"]).status_code == 200


def test_every_address_of_a_page_leads_to_it(reader, federation):
    """The addresses in documents are those of pages in the language of the request."""
    number = federation.players[0].number
    addresses = [
        reader.get(path)["url"] for path in (f"players/{number}", f"tournaments/{federation.counted.pk}")
    ]
    addresses += [item["url"] for item in reader.get(f"players/{number}/awards")["items"]]
    addresses += [reader.get("regulations/aeb-2026")["url"]]
    for address in addresses:
        assert "/en/" in address and reader.client.get(address).status_code == 200, address
