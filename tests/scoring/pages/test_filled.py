"""The generated database of the benchmarks: nothing differs when it is computed again, and its pages open."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse

from benchmarks.generate import Generator
from benchmarks.tiers import Tier
from players.models import Category
from scoring.demo.people import Size
from scoring.ledger.models import LedgerEntry
from scoring.transparency import services as transparency
from tests import factories as make
from tournaments.models import Seat, Tournament

SMALL = Tier(
    Size(regions=2, clubs=2, players=60, pools_a_week=1, pool_pairs=8),
    years=2,
    complete=1,
    boards_every=10,
    slice_days=180,
)


def address(name: str, tournament: Tournament) -> str:
    year, slug = tournament.get_absolute_url().strip("/").split("/")[1:]
    return reverse(name, args=[year, slug])


class Interrupted(Exception):
    """What ends the first run of the generator in the middle."""


def interrupt(line: str) -> None:
    if line == "slice 2":
        raise Interrupted


@pytest.mark.django_db
@override_settings(FAMILIES=["aeb", "sbf-bronze", "sbf-silver", "acbl", "go"])
def test_a_generated_federation_continues_after_an_interruption_and_is_consistent_and_its_pages_open():
    if connection.vendor != "postgresql":
        return  # only PostgreSQL has COPY
    with pytest.raises(Interrupted):
        Generator(SMALL, make.today(), 0, interrupt).run()
    first = set(LedgerEntry.objects.values_list("pk", flat=True))
    generator = Generator(SMALL, make.today(), 0, lambda line: None)
    generator.run()
    assert first and first < set(LedgerEntry.objects.values_list("pk", flat=True))
    transparency.append()
    output = StringIO()
    since = generator.tier.complete_since(generator.until)
    call_command("verify", since=since, stdout=output, stderr=StringIO())
    assert output.getvalue().startswith("equal: ")
    client, boards = Client(), Tournament.objects.filter(published__boards_scored="mp").latest("end_date")
    assert "%" in client.get(address("strength", boards)).content.decode()
    page = client.get(address("tournament", boards))
    players = Seat.objects.filter(revision=boards.published_id, player__isnull=False).count()
    assert page.status_code == 200 and page.content.decode().count("/jugadores/") >= players
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
