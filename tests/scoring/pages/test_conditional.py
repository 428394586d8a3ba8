"""A page answers 304 Not Modified only if it would be identical for the same user."""

import pytest
from django.urls import reverse

from scoring.ledger.services import posting, standings
from tests import factories as make

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
    assert "private" in response.headers["Cache-Control"]
    assert "no-cache" in response.headers["Cache-Control"]


def test_a_304_for_an_anonymous_visitor_makes_one_query(client, address, django_assert_num_queries):
    etag = client.get(address).headers["ETag"]
    with django_assert_num_queries(1):
        assert request_with_etag(client, address, etag).status_code == 304


def test_new_points_change_the_etag(client, address, federation, today):
    etag = client.get(address).headers["ETag"]
    row = posting.OpeningRow(federation.players[0].pk, today, "Otro", False, 12345)
    posting.post_opening([row], None)
    assert request_with_etag(client, address, etag).status_code == 200


def test_day_url_and_language_change_the_etag(client, address, monkeypatch, today):
    etag = client.get(address).headers["ETag"]
    assert request_with_etag(client, f"{address}?pagina=1", etag).status_code == 200
    client.cookies["django_language"] = "en"
    assert request_with_etag(client, address, etag).status_code == 200
    del client.cookies["django_language"]
    client.cookies["theme"] = "dark"
    assert request_with_etag(client, address, etag).status_code == 200
    del client.cookies["theme"]
    assert request_with_etag(client, address, etag).status_code == 304


@pytest.mark.parametrize("ended", ["closed", "another password", "deleted"])
def test_a_session_of_a_closed_or_deleted_account_is_anonymous(client, address, ended):
    anybodys = client.get(address).headers["ETag"]
    user = make.user()
    client.force_login(user)
    assert request_with_etag(client, address, anybodys).status_code == 200
    if ended == "deleted":
        user.delete()
    else:
        user.is_active = ended != "closed"
        user.set_password("another-password-2026")
        user.save()
    for _visit in range(2):
        response = request_with_etag(client, address, anybodys)
        assert (response.status_code, response.headers["ETag"]) == (304, anybodys)


def test_another_account_or_role_changes_the_etag(client, address, federation):
    etag = client.get(address).headers["ETag"]
    user = make.user()
    client.force_login(user)
    response = request_with_etag(client, address, etag)
    assert response.status_code == 200
    mine = client.get(address).headers["ETag"]
    assert request_with_etag(client, address, mine).status_code == 304
    make.role(user, "director", club=federation.club)
    changed = request_with_etag(client, address, mine)
    assert changed.status_code == 200
    federation.players[1].user = user
    federation.players[1].save()
    own = request_with_etag(client, address, changed.headers["ETag"])
    assert own.status_code == 200
    user.is_staff = True  # the menu then links to the admin site
    user.save()
    assert request_with_etag(client, address, own.headers["ETag"]).status_code == 200


def test_a_pending_message_prevents_a_304(client, address):
    etag = client.get(address).headers["ETag"]
    client.cookies["messages"] = "anything"
    response = request_with_etag(client, address, etag)
    assert response.status_code == 200
    assert "ETag" not in response.headers


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
