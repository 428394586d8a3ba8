"""A page answers 304 Not Modified only if it would be identical."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from scoring.ledger.models import StandingsState
from scoring.ledger.services import posting, standings
from tests import factories as make
from tests.access.test_shared import KEPT

pytestmark = pytest.mark.django_db
ADDRESSES = ["/clasificaciones/", "/clasificaciones/2p/", "/ascensos/", "/ascensos/2026/2p/", "player"]


@pytest.fixture(params=ADDRESSES)
def address(request, federation) -> str:
    return federation.players[0].get_absolute_url() if request.param == "player" else request.param


def request_with_etag(client, address: str, etag: str):
    return client.get(address, headers={"If-None-Match": etag})


def test_the_same_page_is_not_sent_twice(client, address):
    etag = client.get(address).headers["ETag"]
    response = request_with_etag(client, address, etag)
    assert response.status_code == 304
    assert response.content == b""
    assert response.headers["ETag"] == etag
    assert response.headers["Cache-Control"] == KEPT


def test_a_304_for_an_anonymous_visitor_makes_one_query(client, address, django_assert_num_queries):
    etag = client.get(address).headers["ETag"]
    with django_assert_num_queries(1):
        assert request_with_etag(client, address, etag).status_code == 304


def test_new_points_change_the_etag(client, address, federation, today):
    etag = client.get(address).headers["ETag"]
    row = posting.OpeningRow(federation.players[0].pk, today, "Otro", False, 12345)
    posting.post_opening([row], None)
    assert request_with_etag(client, address, etag).status_code == 200


def test_a_version_that_a_restored_database_reaches_again_changes_the_etag(client, address):
    """After a restore the versions count on from the backup's: other points may get the number once more."""
    etag = client.get(address).headers["ETag"]
    StandingsState.objects.update(version=F("version") - 1)
    standings.bump()
    assert request_with_etag(client, address, etag).status_code == 200


def test_a_page_shows_the_time_of_its_version(client, address):
    """The time is that of the last change, not of the request: otherwise no page would ever be unchanged."""
    earlier = timezone.now() - timedelta(hours=3)
    StandingsState.objects.update(changed_at=earlier)
    shown = client.get(address)
    assert shown.context["changed_at"] == earlier
    standings.bump()
    assert client.get(address).context["changed_at"] > earlier


def test_the_address_changes_the_etag_and_the_reader_does_not(client, address, federation):
    etag = client.get(address).headers["ETag"]
    assert request_with_etag(client, f"{address}?pagina=1", etag).status_code == 200
    assert request_with_etag(client, f"/en{address}", etag).status_code == 200
    federation.players[1].user = make.user()
    federation.players[1].save()
    client.force_login(federation.players[1].user)
    client.cookies["messages"] = "anything"
    assert request_with_etag(client, address, etag).status_code == 304


def test_hiding_a_player_changes_cached_lists_at_once(client, federation):
    """Hiding a player raises the standings' version, so a cached list is sent again without the name."""
    address = reverse("standing", args=["2p"])
    shown = federation.players[0]
    first = client.get(address)
    assert shown.surname in first.content.decode()
    shown.hidden = True
    shown.save()
    standings.bump()
    second = request_with_etag(client, address, first.headers["ETag"])
    assert second.status_code == 200
    assert shown.surname not in second.content.decode()
