"""PgBouncer in transaction mode: nothing is lost between transactions, and nothing reaches another client."""

import json
import sys

import pytest

from tests import servers
from tests.system.conftest import Installation

# Reads a list in pieces while another connection takes the pooler's free one in between, as an export does.
READ = """
import json, threading
import django
django.setup()
from django.db import connection, connections, transaction
from federation import waits
from players.models import Category

def busy(stopping):
    while not stopping.is_set():
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT 1")
    connections.close_all()

def codes():
    return [category.code for category in Category.objects.order_by("pk").iterator(chunk_size=2)]

waits.mark_page_thread(None)
expected = list(Category.objects.order_by("pk").values_list("code", flat=True))
stopping = threading.Event()
others = [threading.Thread(target=busy, args=(stopping,)) for _ in range(3)]
for other in others:
    other.start()
try:
    outside = [codes() == expected for _ in range(50)]
    with transaction.atomic():
        inside = codes() == expected
        with connection.chunked_cursor() as chunked:
            name = chunked.name
finally:
    stopping.set()
with connection.cursor() as cursor:
    cursor.execute("SELECT current_setting('lock_timeout'), count(*) FROM pg_prepared_statements")
    lock_timeout, prepared = cursor.fetchone()
print(json.dumps({
    "outside": all(outside), "inside": inside, "named": bool(name), "lock_timeout": lock_timeout,
    "prepared": prepared, "rows": len(expected),
}))
"""


def read(site: Installation, database: str, **environment: str):
    site.environment |= {
        "DATABASE_URL": database,
        "DJANGO_SETTINGS_MODULE": "federation.settings",
        **environment,
    }
    return site.run(sys.executable, "-c", READ)


@pytest.fixture
def pooler(migrated: servers.Postgres, site: Installation):
    with servers.pooler(migrated, site.environment["DATABASE_URL"].rpartition("/")[2], 2) as started:
        yield started


def test_lists_are_read_whole_and_the_wait_for_locks_is_the_poolers(site: Installation, pooler):
    done = read(site, pooler.url("work"), DATABASE_POOLER="transaction")
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen.pop("rows") > 4
    # The thread of a page waits 3 s on its own connection; here it must not change the pooler's 10 s.
    expected = {"outside": True, "inside": True, "named": True, "lock_timeout": "10s", "prepared": 0}
    assert seen == expected


def test_without_the_setting_a_list_breaks_off(site: Installation, pooler):
    """Django's cursor outlives its transaction, so the next piece is asked of another connection."""
    done = read(site, pooler.url("work"))
    assert done.returncode != 0
    assert "does not exist" in done.stderr
