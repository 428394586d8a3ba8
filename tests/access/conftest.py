"""The world of the matrix, built once a module: what a test writes into it is undone."""

import pytest

from tests.access import world as worlds
from tests.undone import undone


@pytest.fixture(scope="module")
def built(django_db_setup, django_db_blocker):
    with undone(django_db_blocker):
        yield worlds.build()


@pytest.fixture
def world(built, db):
    return built
