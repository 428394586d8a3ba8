"""Which accounts read the name of a hidden player, and which of them with the mark "(hidden)"."""

import pytest
from django.contrib.auth.models import AnonymousUser

from players import access
from players.models import Role
from tests import factories as f

pytestmark = pytest.mark.django_db
FEDERATION = (Role.Kind.OFFICE, Role.Kind.COMMITTEE, Role.Kind.AUDITOR)


@pytest.fixture
def hidden_player():
    return f.player(hidden=True, user=f.user())


def account_with_role(kind):
    account = f.user()
    f.role(account, kind)
    return account


@pytest.mark.parametrize("hides", [True, False])
def test_the_public_reads_a_name_unless_the_player_hides_it(hides):
    player = f.player(hidden=hides, user=f.user())
    for account in (AnonymousUser(), f.user(), f.director(player.club)):
        assert access.may_see_name(account, player) == (not hides)
        assert access.name_for(account, player) == (player.public_name if hides else player.full_name)
        assert not access.is_player(account, player)


def test_a_hidden_player_reads_the_own_name_without_a_mark(hidden_player):
    assert access.is_player(hidden_player.user, hidden_player)
    assert access.may_see_name(hidden_player.user, hidden_player)
    assert access.name_for(hidden_player.user, hidden_player) == hidden_player.full_name


@pytest.mark.parametrize("kind", FEDERATION)
def test_federation_roles_read_a_hidden_name_with_a_mark(hidden_player, kind):
    account = account_with_role(kind)
    assert access.may_see_name(account, hidden_player) and not access.is_player(account, hidden_player)
    assert access.name_for(account, hidden_player) == hidden_player.desk_name != hidden_player.full_name


def test_an_anonymous_reader_is_not_taken_for_a_player_without_an_account():
    player = f.player(hidden=True)
    assert not access.is_player(AnonymousUser(), player)
    assert not access.may_see_name(AnonymousUser(), player)
