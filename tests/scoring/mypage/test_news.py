"""Corrections of their points are shown to players as news, until they have seen them or for 60 days."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.annulments import services as annulments
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.corrected import corrections_of, news_of
from scoring.ledger.services import runs
from tests import factories as make
from tests.scoring.pages.test_corrections import correct, played
from tests.scoring.pages.test_queries import query_count
from ui.formatting import format_points

pytestmark = pytest.mark.django_db
SEEN, MY_PAGE = "/correcciones/vistas/", "/mi/"


@pytest.fixture
def corrected():
    """Return a tournament whose first two pairs changed places, and its pairs."""
    tournament, pairs = played()
    correct(tournament, [pairs[1], pairs[0], *pairs[2:]], reason="Faltaba una mano")
    return tournament, pairs


@pytest.fixture
def player(client, corrected):
    """Return a player of the first pair, who is signed in."""
    player = corrected[1][0][0]
    player.user = make.user()
    player.save()
    client.force_login(player.user)
    return player


def news_on(client) -> list[str]:
    return [item.text for item in client.get(MY_PAGE).context["news"]]


def test_both_lines_and_the_reason_are_shown_on_the_home_page_and_on_the_own_page(client, player, corrected):
    first, second = (
        format_points(corrected[0].entries.filter(player=row[0]).first().points, "es")
        for row in corrected[1][:2]
    )
    (item,) = corrections_of(player)
    old, new = (format_points(points, "es") for points in (item.old, item.new))
    assert item.old > item.new and {old, new} == {first, second}
    home, page = (client.get(address).content.decode() for address in ("/inicio/", MY_PAGE))
    assert f"antes {old}, ahora {new}." in home and f"antes {old}, ahora {new}." in page
    assert "Motivo: Faltaba una mano" in page


def test_nobody_else_sees_the_news_and_who_has_the_same_points_has_none(client, player, corrected):
    own = client.get(player.get_absolute_url()).content
    assert "Ya lo he visto" not in own.decode()
    client.force_login(make.office())
    assert "Ya lo he visto" not in client.get(MY_PAGE).content.decode()
    assert corrections_of(corrected[1][3][0]) == []


def test_the_button_ends_the_news_until_the_next_correction(client, player, corrected):
    tournament, pairs = corrected
    page = client.get(MY_PAGE)
    assert "ETag" not in page.headers and "no-store" in page.headers["Cache-Control"]
    until = page.context["news"][0].at.isoformat()
    correct(tournament, pairs, reason="Estaba bien")  # while the page was open
    assert client.post(SEEN, {"until": until}).url == MY_PAGE
    assert [item.reason for item in news_of(player)] == ["Estaba bien"]
    client.post(SEEN, {"until": until})  # again, from the page as it was
    assert len(news_on(client)) == 1
    client.post(SEEN, {"until": (timezone.now() + timedelta(days=900)).isoformat()})
    assert news_on(client) == [] and "han cambiado" not in client.get("/inicio/").content.decode()
    correct(tournament, pairs[::-1], reason="Al revés")
    assert [item.reason for item in news_of(player)] == ["Al revés"]


@pytest.mark.parametrize("until", ["", "x", "2026-01-01", "2026-01-01T10:00:00", "2026-99-99T10:00:00+00:00"])
def test_a_time_that_is_none_changes_nothing(client, player, until):
    assert client.post(SEEN, {"until": until}).status_code == 302
    assert len(news_of(player)) == 1


def test_after_60_days_a_correction_is_no_news(player):
    ScoringRun.objects.update(finished_at=timezone.now() - timedelta(days=59))
    assert len(news_of(player)) == 1
    ScoringRun.objects.update(finished_at=timezone.now() - timedelta(days=61))
    assert news_of(player) == []


def test_the_home_page_shows_the_first_corrections_of_many(client, player, corrected):
    tournament, pairs = corrected
    annulments.annul(tournament.pk, "Repetido", make.office())
    runs.score(ScoringRun.objects.latest("pk").pk)
    assert news_on(client)[0].endswith("ahora 0,00.")
    counts = [query_count(client, page) for page in ("/inicio/", MY_PAGE)]
    for _times in range(2):
        other, others = played()
        ranking = [pairs[0], *others[1:]]
        correct(other, ranking, reason="Otra pareja")
    assert len(news_on(client)) == 4
    assert [query_count(client, page) for page in ("/inicio/", MY_PAGE)] <= counts
    inbox = client.get("/inicio/").context["inbox"]
    assert (inbox.count, len(inbox.matters)) == (4, 3)


def test_the_page_for_players_only_answers_posts(client):
    client.force_login(make.user())
    assert client.post(reverse("corrections_seen"), {}).status_code == 403


def test_players_without_another_task_come_from_the_start_to_their_page(client, federation):
    player = federation.players[0]
    player.user = make.user()
    player.save()
    client.force_login(player.user)
    assert client.get("/inicio/").url == MY_PAGE
    make.role(player.user, "director", club=player.club)
    assert client.get("/inicio/").status_code == 200
