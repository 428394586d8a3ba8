"""A club and its signed-in administrator, whose pages are in English."""

import pytest
from django.urls import reverse

from players.models import Role
from tests import factories as make


@pytest.fixture
def club(db):
    return make.club(name="Club Real")


@pytest.fixture
def administrator(client, club, english):
    account = make.user()
    make.role(account, Role.Kind.CLUB_ADMIN, club=club)
    client.force_login(account)
    client.account = account
    return client


def address(name: str, club, *args) -> str:
    return reverse(name, args=[club.slug, *args])
