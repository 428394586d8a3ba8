"""Fixtures for the tests of the interface for programs: a club, its pairs, and a program with a token."""

import pytest

from players.models import Role
from players.services import tokens
from tests import factories
from tests.scoring.api.program import Program
from tests.scoring.api.reader import Reader


@pytest.fixture
def club(db):
    return factories.club()


@pytest.fixture
def administrator(club):
    """Return an account that administers the club and uploads for it."""
    account = factories.director(club)
    factories.role(account, Role.Kind.CLUB_ADMIN, club=club)
    return account


@pytest.fixture
def pairs(club):
    return factories.pairs(factories.players(8, club=club, category="2P"))


@pytest.fixture
def token(club, administrator):
    """Return a token that may confirm, and its secret."""
    return tokens.make(club, "Bar", administrator, may_confirm=True)


@pytest.fixture
def program(club, token):
    return Program(club.code, token[1])


@pytest.fixture
def reader(db):
    return Reader()
