"""The ranking alone, to print, and the short link of a tournament."""

import pytest
from django.urls import reverse

from tests import factories as make

pytestmark = pytest.mark.django_db


def test_the_sheet_has_the_ranking_and_the_short_link(client, today):
    players = make.players(4, category="2P")
    players[0].hidden = True
    players[0].save()
    tournament = make.scored(*make.pairs(players), end_date=today)
    page = client.get(tournament.get_absolute_url() + "imprimir/").content.decode()
    assert players[1].full_name in page
    assert players[0].full_name not in page
    assert f"http://testserver/t/{tournament.pk}/" in page
    assert "formato=" not in page


def test_the_short_link_leads_to_the_tournament(client, today):
    tournament = make.scored(*make.pairs(make.players(4)), end_date=today)
    address = reverse("short_link", args=[tournament.pk])
    assert client.get(address).headers["Location"] == tournament.get_absolute_url()
    assert address in client.get(tournament.get_absolute_url()).content.decode()
    assert client.get("/t/999999/").status_code == 404


def test_an_old_name_of_the_sheet_leads_to_the_new_one(client, today):
    tournament = make.scored(*make.pairs(make.players(4)), end_date=today)
    address = tournament.get_absolute_url() + "imprimir/"
    other = f"/torneos/{today.year}/otro-{tournament.pk}/imprimir/"
    assert client.get(other).headers["Location"] == address
