"""Categories by hand, and what they leave alone."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from players.categories import categories_on
from players.models import CategoryAssignment
from scoring.models import ScoringRun, Standing
from scoring.services import runs
from scoring.services.standings import today
from scoring.snapshots import evaluation_of
from tests import factories


def page(player) -> str:
    return f"{reverse('category_assign')}?numero={player.number}"


def give(client, player, code: str, day: date, reason: str = "Acta 7"):
    return client.post(
        page(player),
        {"category": factories.category(code).pk, "valid_from": day.isoformat(), "reason": reason},
    )


def test_page_shows_present_category_and_history(office):
    player = factories.player(category="2P", hidden=True)
    response = office.get(f"{reverse('category_assign')}?numero=0{player.number}")
    assert response.context["present"].code == "2P"
    assert player.full_name in response.content.decode()
    assert [each.category.code for each in response.context["history"]] == ["2P"]


def test_unknown_number_is_said(office):
    response = office.get(f"{reverse('category_assign')}?numero=999999")
    assert response.status_code == 422
    assert response.context["find"].errors["numero"]


def test_category_is_given_with_its_reason(office):
    player = factories.player(category="2P")
    assert give(office, player, "1D", date(2026, 3, 1)).status_code == 302
    given = player.assignments.first()
    assert (given.origin, given.reason, given.created_by) == ("manual", "Acta 7", office.account)
    assert categories_on(date(2026, 2, 28))[player.pk].code == "2P"
    assert categories_on(date(2026, 3, 1))[player.pk].code == "1D"


@pytest.mark.parametrize(
    ("code", "day", "reason", "field"),
    [
        ("1D", date(2026, 3, 1), " ", "reason"),
        ("MN", date(2026, 3, 1), "Acta 7", "category"),
        ("MN-O", date(2025, 12, 31), "Acta 7", "category"),
        ("1D", date(2022, 1, 2), "Acta 7", "valid_from"),
        ("2P", date(2022, 1, 2), "Acta 7", "valid_from"),
    ],
)
def test_refused(office, code, day, reason, field):
    player = factories.player(category="2P", since=date(2022, 1, 2))
    response = give(office, player, code, day, reason)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    assert player.assignments.count() == 1


def test_revoking_brings_the_old_category_back_and_keeps_the_history(office):
    player = factories.player(category="2P")
    give(office, player, "1D", date(2026, 3, 1))
    given = player.assignments.get(category__code="1D")
    url = reverse("category_revoke", args=[given.pk])
    assert office.get(url).status_code == 200
    assert office.post(url, {"reason": ""}).status_code == 422
    assert office.post(url, {"reason": "Acta corregida"}).status_code == 302
    assert categories_on(date(2026, 3, 1))[player.pk].code == "2P"
    given.refresh_from_db()
    assert (given.revoked_by, given.revoked_reason) == (office.account, "Acta corregida")
    assert "Acta corregida" in office.get(page(player)).content.decode()
    assert office.post(url, {"reason": "otra vez"}).status_code == 404
    assert give(office, player, "1C", date(2026, 3, 1)).status_code == 302


def test_earlier_tournaments_keep_their_c4_and_standings_follow(office):
    day = today() - timedelta(days=30)
    club = factories.club()
    players = factories.players(8, category="3D", club=club)
    tournament = factories.scored(*factories.pairs(players), of=club, end_date=day)
    run = ScoringRun.objects.get(tournament=tournament)
    before = list(run.entries.order_by("player").values_list("player", "points"))
    winner = players[0]

    give(office, winner, "1P", day - timedelta(days=30))
    # The stored inputs still say 3D: the same run gives the same points again …
    again = evaluation_of(ScoringRun.objects.get(pk=run.pk))
    assert set(again.points_by_position.values()) == {points for _player, points in before}
    assert list(run.entries.order_by("player").values_list("player", "points")) == before
    # … while a run created today would not, and the standings have followed.
    assert runs.create_run(tournament.published, office.account).input_digest != run.input_digest
    assert Standing.objects.get(player=winner).category.code == "1P"
    assert CategoryAssignment.objects.filter(player=winner).count() == 2
