"""The simulated category change on any day, with one rule set or two. It writes nothing."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Role
from scoring.ledger.services import posting, standings
from scoring.promotions.models import PromotionRule, PromotionRuleSet
from scoring.promotions.pure.selection import PlaceState
from scoring.promotions.queries.simulation import movers, simulate
from tests import factories as make
from tests.languages import speak
from ui import memo

pytestmark = pytest.mark.django_db

END = date(2025, 12, 31)


@pytest.fixture(autouse=True)
def today(monkeypatch) -> date:
    day = date(2026, 11, 21)
    for module in ("scoring.ledger.services.standings", "scoring.ledger.conditional"):
        monkeypatch.setattr(f"{module}.today", lambda: day)
    standings.roll(day)
    return day


@pytest.fixture
def old() -> PromotionRuleSet:
    return PromotionRuleSet.objects.get(name="AEB 2022")


@pytest.fixture
def new() -> PromotionRuleSet:
    return PromotionRuleSet.objects.get(name="AEB 2026")


@pytest.fixture
def reader(client):
    speak(client, "en")
    client.force_login(make.office())
    return client


def post_points(player, points: int, day: date = END) -> None:
    posting.post_opening([posting.OpeningRow(player.pk, day, f"T{points}", False, points)], None)


def simulation_response(client, **query):
    return client.get(reverse("campaign_simulation"), query)


def file_of(client, **query) -> list[list[str]]:
    response = simulation_response(client, formato="csv", **query)
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return [line.split(",") for line in text.splitlines()]


# --- Two rule sets --------------------------------------------------------------------------------------
def test_the_comparison_shows_players_who_move_under_only_one_rule_set(old, new):
    first, second, third = make.players(3, category="2P")
    for player, points in ((first, 3000), (second, 2000), (third, 1000)):
        post_points(player, points)
    new.rules.filter(category__code="2P").update(top_share=None, top_count=2)
    sides = [simulate(0, END, item) for item in (old, new)]
    assert [side["2P"].cut for side in sides] == [3000, 2000]
    result = movers(*sides)
    assert [row.place.entrant.player_id for row in result] == [first.pk, second.pk]
    assert [item.differs for item in result] == [False, True]
    assert result[1].states == (PlaceState.BELOW, PlaceState.MOVES)
    assert result[1].destinations == (None, "1D")
    assert movers(sides[1], sides[0])[1].destinations == ("1D", None)


def test_two_rule_sets_can_be_compared_if_one_moves_nobody_in_a_category(old, new):
    player = make.player(category="1P")
    post_points(player, 500)
    new.rules.filter(category__code="1P").update(target=make.category("MN-O"))
    (result,) = movers(simulate(0, END, old), simulate(0, END, new))
    assert (result.category, result.states, result.destinations) == (
        "1P",
        (None, PlaceState.MOVES),
        (None, "MN-O"),
    )


def test_players_who_would_move_down_are_counted_too(old):
    strong, weak = make.players(2, category="2P")
    post_points(strong, 5000)
    post_points(weak, 10)
    old.rules.filter(category__code="2P").update(demotion_target=make.category("2C"), demotion_threshold=100)
    outcome = simulate(0, END, old)["2P"]
    assert (outcome.up, outcome.down) == (1, 1)
    assert (outcome.destination(strong.pk), outcome.destination(weak.pk)) == ("1D", "2C")


def test_cached_simulations_are_discarded_when_points_or_rules_change(old):
    player, other = make.players(2, category="2P")
    post_points(player, 500)
    version = standings.StandingsState.objects.get().version
    assert set(simulate(version, END, old)["2P"].moving) == {player.pk}
    with CaptureQueriesContext(connection) as queries:
        simulate(version, END, old)
    assert len(queries) == 1  # one query checks that the rules are unchanged
    post_points(other, 900)
    version = standings.StandingsState.objects.get().version
    assert set(simulate(version, END, old)["2P"].moving) == {other.pk}
    # Changes the rules without changing the version of the standings.
    old.rules.update(top_share=None, top_count=2)
    assert set(simulate(version, END, old)["2P"].moving) == {player.pk, other.pk}


# --- The page -------------------------------------------------------------------------------------------
def test_the_page_simulates_one_rule_set(reader, old, today):
    up, below = make.players(2, category="2P")
    post_points(up, 3000)
    post_points(below, 1000)
    post_points(below, 9000, today)
    response = simulation_response(reader, dia="2025-12-31")
    html = response.content.decode()
    assert response.context["asked"].first == old
    assert response.context["moving"][0] == 1
    assert "By the rules AEB 2022 1 player would move on 31 Dec 2025." in html
    assert up.public_name in html
    assert below.public_name not in html
    assert "forecast" not in html
    # Today is in another year, with its own points and rules, and that year is not over.
    html = simulation_response(reader).content.decode()
    assert "By the rules AEB 2026 1 player would move on 21 Nov 2026." in html
    assert below.public_name in html
    assert up.public_name not in html
    assert "forecast" in html


def test_the_page_marks_unconfirmed_rules(reader, old, new):
    names = lambda: simulation_response(reader, reglas=old.pk, con=new.pk).context["asked"].unconfirmed  # noqa: E731
    assert names() == ["AEB 2022", "AEB 2026"]
    PromotionRuleSet.objects.update(confirmed=True)
    assert names() == ["AEB 2022", "AEB 2026"]  # none of their figures is confirmed
    PromotionRule.objects.filter(rule_set=old).update(confirmed=True)
    assert names() == ["AEB 2026"]
    PromotionRule.objects.filter(target__isnull=False).update(confirmed=True)
    assert names() == []
    assert "to be confirmed" not in simulation_response(reader, reglas=old.pk).content.decode()


def test_the_page_compares_two_rule_sets_side_by_side(reader, old, new):
    first, second, third = make.players(3, category="2P")
    for player, points in ((first, 3000), (second, 2000), (third, 1000)):
        post_points(player, points)
    new.rules.filter(category__code="2P").update(top_share=None, top_count=2)
    query = {"dia": "2025-12-31", "reglas": old.pk, "con": new.pk}
    response = simulation_response(reader, **query)
    html = response.content.decode()
    assert response.context["differing"] == 1
    assert second.public_name in html
    assert first.public_name not in html
    assert "Only by AEB 2026" in html
    lines = file_of(reader, **query)
    assert lines[0][-4:] == ["AEB 2022: State", "AEB 2022: Moves to", "AEB 2026: State", "AEB 2026: Moves to"]
    assert [(line[1], *line[-4:]) for line in lines[1:]] == [
        (first.number, "candidate", "1D", "candidate", "1D"),
        (second.number, "below the cut", "", "candidate", "1D"),
    ]


def test_hidden_players_are_named_on_the_page_and_numbers_in_the_file(reader):
    player = make.player(category="2P", hidden=True, given_name="Secundina", surname="Ocultada")
    post_points(player, 3000)
    assert "Secundina Ocultada (hidden)" in simulation_response(reader, dia="2025-12-31").content.decode()
    (line,) = file_of(reader, dia="2025-12-31")[1:]
    assert line[1:3] == [player.number, f"Player {player.number}"]


@pytest.mark.parametrize("day", ["ayer", "2025-13-01", "2026-11-22", "0001-01-01"])
def test_an_invalid_or_future_day_is_an_error(reader, day):
    response = simulation_response(reader, dia=day)
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()


@pytest.mark.parametrize("name", ["reglas", "con"])
@pytest.mark.parametrize("value", ["0", "abc", "-1"])
def test_unknown_rule_sets_are_not_found(reader, name, value):
    assert simulation_response(reader, **{name: value}).status_code == 404


def test_without_any_rules_there_is_nothing_to_simulate(reader):
    PromotionRuleSet.objects.all().delete()
    assert simulation_response(reader).status_code == 404


@pytest.mark.parametrize(
    ("kind", "status"), [("office", 200), ("committee", 200), ("auditor", 200), (None, 403)]
)
def test_office_committee_and_auditors_can_open_the_simulation(client, kind, status):
    account = make.user()
    if kind:
        make.role(account, Role.Kind(kind))
    client.force_login(account)
    assert simulation_response(client).status_code == status


def test_the_number_of_queries_does_not_grow_with_rows(reader, old, new):
    new.rules.update(top_share=1)

    def asked(rows: int) -> int:
        for player in make.players(rows, category="2P"):
            post_points(player, 100 * player.pk)
        memo.forget()
        with CaptureQueriesContext(connection) as queries:
            response = simulation_response(reader, dia="2025-12-31", reglas=old.pk, con=new.pk)
        assert response.status_code == 200
        return len(queries)

    asked(2)
    assert asked(1) == asked(3)
