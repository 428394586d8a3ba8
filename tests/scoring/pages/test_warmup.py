"""A web process has the figures of all categories' lists soon after its start."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from federation.warmup import open_lists
from ui import memo

pytestmark = pytest.mark.django_db
ADDRESS = "/clasificaciones/2p/"


def queries_of(client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def test_a_list_opened_after_the_warm_up_computes_no_figures(client, federation):
    memo.forget()
    cold, warm = queries_of(client, ADDRESS), queries_of(client, ADDRESS)
    memo.forget()
    open_lists()
    assert queries_of(client, ADDRESS) == warm < cold
