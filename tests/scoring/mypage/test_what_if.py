"""What a result would change: the points are the calculator's, total and place follow from the standings."""

import pytest
from django.urls import reverse

from scoring import regulations
from scoring.calculator.aeb import Question, calculate, points_of_place
from scoring.ledger.conditional import standings_state
from scoring.ledger.models import Standing
from scoring.ledger.windows import leaves_on
from tests import factories as make
from tests.pages import open_page

pytestmark = pytest.mark.django_db
NEW = regulations.get("aeb-2026")
QUESTION = {
    "tipo": "national",
    "formato": "pairs",
    "participantes": "40",
    "manos": "48",
    "lugar": "in_person",
}


@pytest.fixture
def player(client, federation):
    """Return a signed-in player of the second pair of a tournament."""
    player = federation.players[2]
    player.user = make.user()
    player.save()
    client.force_login(player.user)
    return player


def event_type() -> str:
    return next(row.code for row in NEW.event_types.rows if row.code.startswith("na"))


def asked(client, **changes):
    return client.get(reverse("what_if"), {**QUESTION, "tipo": event_type(), **changes})


@pytest.mark.parametrize("shape", ["pairs", "teams", "individual"])
@pytest.mark.parametrize("place", [1, 3, 24])
def test_the_points_are_those_of_the_calculator(client, player, shape, place):
    players = {"2P": 20, "1C": 4}
    counts = {f"n_{code}": str(number) for code, number in players.items()}
    page = asked(client, formato=shape, participantes="24", puesto=str(place), **counts)
    question = Question(event_type(), shape, 24, 48, "in_person", None, players)
    whole = calculate(NEW, question)
    assert page.context["outcome"].points == whole.points[place - 1]
    assert points_of_place(NEW, question, place) == whole.points[place - 1]


def test_total_place_and_cut_follow_from_the_standings(client, player, federation):
    outcome = asked(client, puesto="3", c4="2").context["outcome"]
    state = standings_state()
    own = Standing.objects.get(player=player, family="aeb")
    assert outcome.total == own.points + outcome.points
    others = Standing.objects.ranked(own.category_id).exclude(player=player)
    assert outcome.rank == 1 + others.filter(points__gt=outcome.total).count() == 1
    assert outcome.of == others.count() + 1
    prospect = asked(client, puesto="3", c4="2").context["prospect"]
    assert outcome.missing == prospect.cut - prospect.points - outcome.points
    assert outcome.leaves == leaves_on(state.as_of)


def test_a_tournament_that_would_not_count_adds_nothing(client, player):
    response = asked(client, puesto="3", c4="2", manos="10")
    outcome = response.context["outcome"]
    assert outcome.points == 0 and outcome.reasons
    assert outcome.total == response.context["position"].points


def test_the_form_begins_with_the_latest_tournament_and_says_what_is_wrong(client, player, federation):
    page = client.get(reverse("what_if"))
    form = page.context["form"]
    assert (form["tipo"].value(), form["participantes"].value()) == (federation.counted.event_type, "4")
    assert page.context["outcome"].points == player.entries.get(tournament=federation.counted).points
    wrong = asked(client, puesto="41")
    assert list(wrong.context["form"].errors) == ["puesto"] and "outcome" not in wrong.context
    assert asked(client, puesto="x", tipo="nothing", c4="99").status_code == 200


def test_a_player_without_any_result_gets_an_example(client, today):
    player = make.player(user=make.user())
    client.force_login(player.user)
    assert open_page(client, reverse("what_if")).lead
    assert client.get(reverse("what_if")).context["outcome"].points > 0
