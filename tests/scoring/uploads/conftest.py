"""A club with a director, signed in, and enough players."""

import pytest

from tests import factories


@pytest.fixture
def club(db):
    return factories.club()


@pytest.fixture
def director(club):
    return factories.director(club)


@pytest.fixture
def signed_in(client, director):
    """The test client as the director."""
    client.force_login(director)
    return client


@pytest.fixture
def pairs(club):
    """Four pairs with categories and licences."""
    return factories.pairs(factories.players(8, club=club, category="2P"))
