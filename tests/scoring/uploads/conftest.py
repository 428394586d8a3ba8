"""Fixtures for the upload tests: a club with a signed-in director, and enough players."""

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
    """Return the test client, signed in as the director."""
    client.force_login(director)
    return client


@pytest.fixture
def pairs(club):
    """Return four pairs of the club, whose players have categories and licences."""
    return factories.pairs(factories.players(8, club=club, category="2P"))
