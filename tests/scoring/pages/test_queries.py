"""Pages with lists make the same number of queries for three rows as for one."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.ledger.services import posting
from tests import factories as make
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
    memo.forget()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(address).status_code == 200, address
    return len(queries)


LISTS = {
    "home": "/",
    "standings": "/clasificaciones/",
    "standing": "/clasificaciones/2p/",
    "narrowed": "/clasificaciones/2p/?q=a&licencia=todos",
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


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("signed_in", [False, True])
def test_the_number_of_queries_does_not_grow_with_the_rows_of_lists(client, today, name, signed_in):
    club = make.club(name="Club uno")
    if signed_in:
        client.force_login(make.office())
    add_to_lists(club, today)
    count = query_count(client, LISTS[name])
    for number in range(2):
        add_to_lists(make.club(name=f"Club más {number}"), today)
        add_to_lists(club, today)
    assert query_count(client, LISTS[name]) == count
    assert count <= 20  # the office's home page makes the most queries, as it counts each kind of task


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
    assert query_count(client, reverse("standing", args=["2p"])) <= 7
