"""Rankings of thousands of people: no page grows with them, and none fails."""

from datetime import date

import pytest
from django.urls import reverse

from players.models import CategoryAssignment, Licence, Player
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs
from tests import factories
from tests.scoring.uploads.makers import csv_of, sent, tick_and_confirm
from tournaments.models import Tournament

LARGEST = 300_000  # bytes of a page


def many_players(club, count):
    """Create players with licences and categories in few statements."""
    made = Player.objects.bulk_create(
        Player(number=str(700_000 + n), given_name="Alba", surname=f"Peña {n}", club=club)
        for n in range(count)
    )
    span = {"valid_from": date(2022, 1, 1), "valid_to": date(2099, 12, 31)}
    Licence.objects.bulk_create(Licence(player=player, **span) for player in made)
    category = factories.category("2P")
    CategoryAssignment.objects.bulk_create(
        CategoryAssignment(player=player, category=category, valid_from=date(2022, 1, 2), origin="initial")
        for player in made
    )
    return made


@pytest.fixture
def confirmed(signed_in, club):
    """Return the confirmed and scored upload of 520 pairs: SQLite has limits at a thousand people."""
    headings = "puesto;licencia;nombre;pareja;puntuación"
    data = csv_of(factories.pairs(many_players(club, 1_040)), headings)
    upload = sent(signed_in, club, data, name="Simultáneo")
    tick_and_confirm(signed_in, upload)
    runs.score(ScoringRun.objects.get().pk)
    return upload


def test_every_page_of_a_large_tournament_is_short_and_leads_to_the_others(signed_in, confirmed):
    address = Tournament.objects.get().get_absolute_url()
    for url in (reverse("upload_receipt", args=[confirmed.pk]), address, f"{address}imprimir/"):
        page = signed_in.get(url)
        assert len(page.content) < LARGEST, url
        assert "1–100" in page.content.decode(), url
        last = signed_in.get(url, {"pagina": "6"}).content.decode()
        assert "Peña 1039" in last, url
        assert "Peña 900<" not in last, url
