"""The simulated category change on any day, with one rule set or two, which a worker computes."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.models import Role
from scoring.ledger.services import posting, queue, standings
from scoring.promotions.models import PromotionRule, PromotionRuleSet, Simulation
from scoring.promotions.pure.selection import PlaceState
from scoring.promotions.queries.simulation import results_of, simulate
from scoring.promotions.services import simulations
from tests import factories as make
from tests.languages import speak

pytestmark = pytest.mark.django_db

END = date(2025, 12, 31)


@pytest.fixture(autouse=True)
def today(monkeypatch) -> date:
    day = date(2026, 11, 21)
    for module in ("scoring.ledger.services.standings", "scoring.ledger.conditional"):
        monkeypatch.setattr(f"{module}.today", lambda: day)
    monkeypatch.setattr(simulations, "WAIT_SECONDS", 0)
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


def ask(client, **query):
    """Ask for a simulation as the page does, without waiting for a worker. Return the response."""
    return client.post(reverse("campaign_simulation"), query)


def work() -> None:
    """Compute what was asked for, as workers do."""
    for pk in Simulation.objects.filter(state="pending").values_list("pk", flat=True):
        simulations.perform(pk)


def page(client, **query):
    return client.get(reverse("campaign_simulation"), query)


def simulation_response(client, **query):
    """Ask for a simulation, let a worker compute it, and return its page or file."""
    asked = ask(client, **query)
    if asked.status_code != 302:
        return asked
    work()
    return page(client, **query)


def file_of(client, **query) -> list[list[str]]:
    simulation_response(client, **query)
    response = page(client, formato="csv", **query)
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return [line.split(",") for line in text.splitlines()]


# --- Two rule sets --------------------------------------------------------------------------------------
def test_the_comparison_shows_players_who_move_under_only_one_rule_set(old, new):
    first, second, third = make.players(3, category="2P")
    for player, points in ((first, 3000), (second, 2000), (third, 1000)):
        post_points(player, points)
    new.rules.filter(category__code="2P").update(top_share=None, top_count=2)
    results = simulate(END, old, new)
    result = results.movers
    assert [side["2P"].cut for side in results.sides] == [3000, 2000]
    assert [row.place.entrant.player_id for row in result] == [first.pk, second.pk]
    assert [item.differs for item in result] == [False, True]
    assert result[1].states == (PlaceState.BELOW, PlaceState.MOVES)
    assert result[1].destinations == (None, "1D")
    assert simulate(END, new, old).movers[1].destinations == ("1D", None)
    assert results_of(results.as_json()) == results


def test_two_rule_sets_can_be_compared_if_one_moves_nobody_in_a_category(old, new):
    player = make.player(category="1P")
    post_points(player, 500)
    new.rules.filter(category__code="1P").update(target=make.category("MN-O"))
    (result,) = simulate(END, old, new).movers
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
    results = simulate(END, old)
    summary = results.sides[0]["2P"]
    assert (summary.up, summary.down, summary.moving) == (1, 1, 2)
    assert [(row.place.entrant.player_id, row.destinations[0]) for row in results.movers] == [
        (strong.pk, "1D"),
        (weak.pk, "2C"),
    ]


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
    names = lambda: page(reader, reglas=old.pk, con=new.pk).context["asked"].unconfirmed  # noqa: E731
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
    assert page(client).status_code == status
    assert simulation_response(client).status_code == status


def test_the_number_of_queries_does_not_grow_with_rows(reader, old, new):
    new.rules.update(top_share=1)

    def asked(rows: int) -> int:
        for player in make.players(rows, category="2P"):
            post_points(player, 100 * player.pk)
        query = {"dia": "2025-12-31", "reglas": old.pk, "con": new.pk}
        simulation_response(reader, **query)
        with CaptureQueriesContext(connection) as queries:
            response = page(reader, **query)
        assert sum(response.context["moving"]) >= rows
        assert response.status_code == 200
        return len(queries)

    asked(2)
    assert asked(1) == asked(3)


# --- Computed by workers, and kept --------------------------------------------------------------------------
def test_opening_the_page_computes_nothing_and_says_what_to_do(reader):
    post_points(make.player(category="2P"), 500)
    response = page(reader, dia="2025-12-31")
    assert "Choose a day and rules" in response.content.decode()
    assert "table_html" not in response.context
    assert not Simulation.objects.exists()


def test_the_page_shows_that_a_worker_is_computing(reader):
    response = ask(reader, dia="2025-12-31")
    (simulation,) = Simulation.objects.all()
    html = page(reader, dia="2025-12-31").content.decode()
    assert "is being computed" in html
    progress = reverse("campaign_simulation_progress", args=[simulation.pk])
    assert progress in html
    fragment = reader.get(progress, headers={"HX-Request": "true"})
    assert 'id="progress"' in fragment.content.decode()
    work()
    assert reader.get(progress, headers={"HX-Request": "true"}).headers["HX-Redirect"] == response.url
    assert 'id="progress"' not in page(reader, dia="2025-12-31").content.decode()


def test_after_a_posting_the_page_shows_the_former_result_and_that_it_is_one(reader, old):
    player, other = make.players(2, category="2P")
    post_points(player, 500)
    query = {"dia": "2025-12-31"}
    html = simulation_response(reader, **query).content.decode()
    assert "Updated at" in html
    assert "Since then" not in html
    post_points(other, 900)
    response = page(reader, **query)
    html = response.content.decode()
    assert (response.context["outdated"], player.public_name in html) == (True, True)
    assert "Since then points, categories, licences, names or rules have changed." in html
    assert other.public_name not in html
    ask(reader, **query)
    html = page(reader, **query).content.decode()
    assert "new ones are being computed" in html
    assert player.public_name in html
    work()
    response = page(reader, **query)
    html = response.content.decode()
    assert (response.context["outdated"], response.context["progress"]) == (False, None)
    assert other.public_name in html
    assert player.public_name not in html
    assert Simulation.objects.count() == 1


def test_changed_rules_outdate_a_result_without_any_posting(reader, old):
    post_points(make.player(category="2P"), 500)
    assert not simulation_response(reader, dia="2025-12-31").context["outdated"]
    old.rules.filter(category__code="2P").update(top_share=None, top_count=2)
    assert page(reader, dia="2025-12-31").context["outdated"]
    assert not simulation_response(reader, dia="2025-12-31").context["outdated"]


def test_a_current_result_is_not_computed_again(reader):
    post_points(make.player(category="2P"), 500)
    simulation_response(reader, dia="2025-12-31")
    computed = Simulation.objects.get().computed_at
    ask(reader, dia="2025-12-31")
    assert Simulation.objects.get().state == "done"
    assert Simulation.objects.get().computed_at == computed


def test_what_is_posted_while_a_worker_computes_outdates_the_result(reader, monkeypatch):
    """The version is that of the data, not that of the end."""
    post_points(make.player(category="2P"), 500)
    compute = simulations.simulate

    def slow(*args):
        results = compute(*args)
        post_points(make.player(category="2P"), 900)
        return results

    monkeypatch.setattr(simulations, "simulate", slow)
    assert simulation_response(reader, dia="2025-12-31").context["outdated"]


def test_a_worker_that_lost_its_lease_stores_nothing(reader, monkeypatch):
    ask(reader, dia="2025-12-31")
    (pk,) = Simulation.objects.values_list("pk", flat=True)
    compute = simulations.simulate

    def slow(*args):
        Simulation.objects.update(lease_until=timezone.now() + timedelta(seconds=50))
        return compute(*args)

    monkeypatch.setattr(simulations, "simulate", slow)
    simulations.perform(pk)
    assert Simulation.objects.get().result is None
    assert Simulation.objects.get().state == "running"


def test_a_failed_simulation_says_so_and_can_be_asked_for_again(reader, monkeypatch):
    def broken(*args):
        raise ValueError("no such column")

    monkeypatch.setattr(simulations, "simulate", broken)
    ask(reader, dia="2025-12-31")
    for _attempt in range(queue.MAX_ATTEMPTS):
        with pytest.raises(ValueError, match="no such column"):
            work()
    html = page(reader, dia="2025-12-31").content.decode()
    assert "stopped after several attempts" in html
    assert "no such column" in html
    monkeypatch.undo()
    monkeypatch.setattr(simulations, "WAIT_SECONDS", 0)
    ask(reader, dia="2025-12-31")
    assert Simulation.objects.get().state == "pending"


def test_a_result_of_another_format_is_computed_again(reader):
    post_points(make.player(category="2P"), 500)
    simulation_response(reader, dia="2025-12-31")
    Simulation.objects.update(result={"format": 0})
    assert page(reader, dia="2025-12-31").context["computed_at"] is None
    ask(reader, dia="2025-12-31")
    assert Simulation.objects.get().state == "pending"


def test_simulations_that_nobody_asks_for_are_deleted(reader):
    simulation_response(reader, dia="2025-12-31")
    simulation_response(reader, dia="2025-11-30")
    Simulation.objects.filter(day=END).update(asked_at=timezone.now() - timedelta(days=31))
    simulations.delete_old()
    assert [row.day for row in Simulation.objects.all()] == [date(2025, 11, 30)]
