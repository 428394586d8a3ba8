"""Pages far from the beginning of a list are read from its end."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Player
from tests import factories as make
from ui import paging
from ui.paging import Pages, every_record, rows_between

pytestmark = pytest.mark.django_db
ORDERS = [("sort_key", "id"), ("-sort_key", "-pk"), ("club", "sort_key", "pk")]


@pytest.fixture
def players(monkeypatch):
    monkeypatch.setattr(paging, "FAR", 3)
    return make.players(23)


@pytest.mark.parametrize("order", ORDERS)
def test_every_page_has_the_same_rows_in_the_same_order(players, order):
    rows = Player.objects.order_by(*order)
    whole = list(rows)
    for length in (4, 5, 23, 30):
        for start in range(0, 28):
            assert rows_between(rows, start, start + length, rows.count) == whole[start : start + length]


def test_the_last_page_skips_no_rows(players):
    rows = Player.objects.order_by("sort_key", "id")
    with CaptureQueriesContext(connection) as queries:
        Pages(rows, list, count=lambda: 23).rows(20, 23)
    assert len(queries) == 1
    assert "DESC" in queries[0]["sql"] and "OFFSET" not in queries[0]["sql"]


def test_a_list_without_an_exact_order_is_read_forwards(players):
    with CaptureQueriesContext(connection) as queries:
        rows_between(Player.objects.order_by("surname"), 20, 23, lambda: 23)
    assert "OFFSET 20" in queries[0]["sql"]


def test_a_file_finds_its_rows_once(players, monkeypatch):
    monkeypatch.setattr(paging, "CHUNK", 5)
    rows = Player.objects.order_by("sort_key", "id")
    with CaptureQueriesContext(connection) as queries:
        assert list(every_record(Pages(rows, list))) == list(rows)
    assert not any("OFFSET" in query["sql"] for query in queries)
