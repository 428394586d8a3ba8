import pytest

from tests import factories


@pytest.fixture
def office(client, db):
    """A client signed in as the office."""
    account = factories.office()
    client.force_login(account)
    client.account = account
    return client
