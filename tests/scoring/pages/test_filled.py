"""The generated database of the benchmarks: its tournaments, receipts and adjusted results can be opened."""

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse

from benchmarks import fill
from players.models import Category
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import standings
from tests import factories as make
from tournaments.models import Tournament


def address(name: str, tournament: Tournament) -> str:
    year, slug = tournament.get_absolute_url().strip("/").split("/")[1:]
    return reverse(name, args=[year, slug])


@pytest.mark.django_db
def test_the_pages_of_generated_benchmark_data_open():
    points = [row[-1] for row in fill.worked()]
    assert len(points) == 4 * fill.STRENGTHS
    assert all(paid == sorted(paid, reverse=True) and len(paid) == fill.PAIRS for paid in points)
    if connection.vendor != "postgresql":
        return  # only PostgreSQL can generate the rows
    with connection.cursor() as cursor:
        fill.write(cursor, players=600, awards=6_000, today=make.today())
    standings.rebuild(make.today())
    client, boards = Client(), Tournament.objects.filter(published__boards_scored="mp").latest("pk")
    assert "%" in client.get(address("strength", boards)).content.decode()
    page = client.get(address("tournament", boards))
    assert page.status_code == 200 and page.content.decode().count("/jugadores/") >= 2 * fill.PAIRS
    award = LedgerEntry.objects.filter(tournament=boards).select_related("player").first()
    receipt = client.get(reverse("award", args=[award.player.number, award.pk]))
    assert receipt.context["receipt"].agrees
    assert client.get(award.player.get_absolute_url()).status_code == 200


@pytest.mark.django_db
@override_settings(ROOT_URLCONF="benchmarks.urls")
def test_the_benchmarks_serve_their_bare_pages_and_the_pages_of_the_project():
    player, category = make.player(), Category.objects.get(code="2C")
    player_page, client = player.get_absolute_url(), Client()
    for page in ("/bench/empty/", f"/bench/bare/{category.code.lower()}/", player_page, f"/en{player_page}"):
        assert client.get(page).status_code == 200, page
