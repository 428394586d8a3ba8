"""A receiver on this machine, and a club with a webhook that leads to it."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from players.models import Role
from scoring.webhooks import services
from tests import factories as make
from tests.scoring.webhooks.receivers import Receiver, receiver


@pytest.fixture
def loopback(settings) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = True


@pytest.fixture
def server(loopback) -> Iterator[Receiver]:
    with receiver() as started:
        yield started


@pytest.fixture
def club(db):
    return make.club(name="Club del Faro", code="faro")


@pytest.fixture
def administrator(club):
    account = make.user(email="admin@example.org")
    make.role(account, Role.Kind.CLUB_ADMIN, club=club)
    return account


@pytest.fixture
def hook(server, club, administrator) -> SimpleNamespace:
    """The webhook of the club, with both events of tournaments, and its secret."""
    webhook, secret = services.add(
        club, server.url, ["tournament.scored", "tournament.corrected"], administrator
    )
    return SimpleNamespace(webhook=webhook, secret=secret)
