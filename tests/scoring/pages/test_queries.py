"""Pages with lists make the same number of queries for three rows as for one."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.ledger.services import posting
from tests import factories as make
from tests.scoring.conftest import set_today
from tests.undone import rolled_back
from ui import memo

pytestmark = pytest.mark.django_db
SERIES = UUID(int=7)


def add_to_lists(club, today) -> None:
    """Add rows to every list: a pair of players with points, two tournaments and a category."""
    pair = make.players(2, category="2P", club=club, given_name="Prueba")
    make.assign(pair[0], "2C", today - timedelta(days=900))
    guests = (pair[0], pair[1])
    make.scored(
        guests, ("Una invitada", "Otra"), of=club, end_date=today - timedelta(days=10), event_type="regional"
    )
    make.scored(guests, ("Una invitada", "Otra"), of=club, end_date=today - timedelta(days=9), boards=18)
    make.announcement(club, series=SERIES)
    make.announcement(club, event_type="regional", end_date=today + timedelta(days=3))
    old = [posting.OpeningRow(p.pk, today - timedelta(days=500), f"Viejo {p.pk}", False, 100) for p in pair]
    posting.post_opening(old, None)


def query_count(client, address: str) -> int:
    cache.clear()
    memo.forget()
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200, address
    return len(queries)


LISTS = {
    "home": "/",
    "standings": "/clasificaciones/",
    "standing": "/clasificaciones/2p/",
    "narrowed": "/clasificaciones/2p/?q=prueba&licencia=todos",
    "past": "/clasificaciones/2p/?a=2026-11-20",
    "tournaments": "/torneos/",
    "calendar": "/calendario/",
    "month": "/calendario/?vista=mes",
    "feed": "/calendario/federacion.ics",
    "players": "/jugadores/",
    "clubs": "/clubes/",
    "promotions": "/ascensos/",
    "promotion": "/ascensos/2026/2p/",
    "search": "/buscar/?q=club",
    "search-players": "/buscar/?q=prueba",
}


@pytest.fixture(scope="module")
def counts(django_db_setup, django_db_blocker) -> tuple[dict, dict]:
    """Return {(list, whether the office is signed in): number of queries}, with few rows and with many.

    The rows are made once for all lists.
    """
    with pytest.MonkeyPatch.context() as monkeypatch, rolled_back(django_db_blocker):
        today = set_today(monkeypatch)
        club, office = make.club(name="Club uno"), Client()
        office.force_login(make.office())
        readers = {False: Client(), True: office}

        def count() -> dict:
            return {
                (name, signed_in): query_count(client, address)
                for name, address in LISTS.items()
                for signed_in, client in readers.items()
            }

        add_to_lists(club, today)
        few = count()
        for number in range(2):
            add_to_lists(make.club(name=f"Club más {number}"), today)
            add_to_lists(club, today)
        return few, count()


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("signed_in", [False, True])
def test_the_number_of_queries_does_not_grow_with_the_rows_of_lists(counts, name, signed_in):
    few, many = (numbers[name, signed_in] for numbers in counts)
    assert many == few
    assert few <= 21


def test_the_queries_of_a_club_and_a_player_do_not_grow_with_rows(client, today):
    club = make.club()
    player = make.player(category="2P", club=club)

    def play(times: int) -> None:
        for _ in range(times):
            partner = make.player(category="2C", club=club)
            day = today - timedelta(days=10)
            make.scored((player, partner), ("Una", "Otra"), of=club, end_date=day, event_type="regional")
            make.scored((player, partner), ("Una", "Otra"), of=club, end_date=day, boards=18)
            old = posting.OpeningRow(player.pk, today - timedelta(days=500), f"Viejo {partner.pk}", False, 5)
            posting.post_opening([old], None)

    play(1)
    addresses = [club.get_absolute_url(), player.get_absolute_url()]
    before = [query_count(client, address) for address in addresses]
    play(2)
    assert [query_count(client, address) for address in addresses] == before


def test_the_queries_of_a_tournaments_page_do_not_grow_with_pairs(client, today):
    players = make.players(12, category="2P")
    small = make.scored(*make.pairs(players[:4]), end_date=today)
    large = make.scored(*make.pairs(players), end_date=today)
    for page in ("", "imprimir/"):
        of_small, of_large = (f"{event.get_absolute_url()}{page}" for event in (small, large))
        assert query_count(client, of_small) == query_count(client, of_large)


def test_a_standings_page_needs_few_queries_at_the_first_visit(client, federation):
    # Of these, six for the cuts, the chart and the week before, which are cached.
    assert query_count(client, reverse("standing", args=["2p"])) <= 15
