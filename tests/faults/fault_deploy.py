"""A new version is installed while a club sends results and readers open pages: nobody is refused.

The services and the proxy are those of `deploy/`. The new version is the same code, with two more migrations
(`tests/faults/next_release`): so the code that runs during the migration is old for the tables.
"""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from tests import servers
from tests.deploy.conftest import Installed, installation
from tests.deploy.units import Service
from tests.faults.sender import Sender
from tests.system.conftest import PATIENCE

NEXT = ("Environment", "DJANGO_SETTINGS_MODULE=tests.faults.next_release.settings")
COLUMNS = "SELECT count(*) FROM information_schema.columns WHERE column_name IN ('remark', 'remarks')"
INDEX = "SELECT count(*) FROM pg_index WHERE indexrelid = 'entry_title'::regclass AND indisvalid"
PAGES = ("/", "/clasificaciones/", "/torneos/", "/salud/", "/en/")
# The test sends more than any reader: without this it would only try the limits of the proxy.
NO_LIMITS = {"rate=20r/s": "rate=1000r/s"}


@pytest.fixture(scope="module")
def installed(migrated: servers.Postgres, tmp_path_factory) -> Iterator[Installed]:
    with installation(migrated, tmp_path_factory.mktemp("deploy"), NO_LIMITS) as started:
        yield started


@contextmanager
def reading(installed: Installed) -> Iterator[Counter]:
    """Let two readers open pages all the time inside the context. Yield what they got, with counts."""
    seen: Counter = Counter()
    ended = threading.Event()

    def read() -> None:
        reader = installed.reader()
        while not ended.is_set():
            for page in PAGES:
                try:
                    seen[reader.get(page).status] += 1
                except OSError as error:
                    seen[repr(error)] += 1

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield seen
    finally:
        ended.set()
        for thread in threads:
            thread.join(PATIENCE)


@contextmanager
def long_report(installed: Installed) -> Iterator[None]:
    """Keep a transaction open inside the context that has read the ledger."""
    with psycopg.connect(installed.owner) as connection:
        connection.execute("SELECT count(*) FROM ledger_ledgerentry")
        yield


def migrate_past_a_report(installed: Installed) -> None:
    """Install the tables of the next version. A report is in the way until the migration gave up once."""
    migration = Service(installed.host, "baza-migrate.service")
    migration.settings.append(NEXT)
    thread = threading.Thread(target=migration.start)
    with long_report(installed):
        thread.start()
        gave_up = "canceling statement due to lock timeout"
        servers.wait_until(lambda: gave_up in migration.log.read_text(), "the migration to give up", PATIENCE)
    thread.join(PATIENCE)


def test_a_new_version_is_installed_without_a_refused_request_or_a_lost_upload(installed: Installed):
    host, inside = installed.host, installed.inside
    workers = ["baza-worker@1.service", "baza-worker@2.service"]
    for unit in workers:
        host.start(unit)
    sender = Sender.of(inside, f"https://127.0.0.1:{installed.proxy.https}", 300)
    with reading(installed) as seen:
        thread = sender.start()
        servers.wait_until(lambda: len(sender.confirmed) >= 3, "uploads to be confirmed", PATIENCE)
        migrate_past_a_report(installed)
        assert (inside.query(COLUMNS), inside.query(INDEX)) == ([(2,)], [(1,)])
        before = len(sender.confirmed)
        servers.wait_until(lambda: len(sender.confirmed) > before, "the old code to go on", PATIENCE)
        host.restart("baza-web.service")
        for unit in workers:
            host.restart(unit)
        before = len(sender.confirmed)
        servers.wait_until(lambda: len(sender.confirmed) > before + 3, "the new code to go on", PATIENCE)
        sender.ended.set()
        thread.join(PATIENCE)
    assert sender.errors == []
    assert set(seen) == {200}
    inside.wait_scored()
    runs = inside.query("SELECT count(*) FROM ledger_scoringrun")
    assert runs == [(len(sender.confirmed),)]
    assert inside.act("audit") == []


def test_a_migration_that_waits_for_a_lock_makes_readers_wait(installed: Installed):
    """The negative control: without `lock_timeout`, the migration keeps readers of the table out."""
    player = installed.inside.query("SELECT number FROM players_player ORDER BY id LIMIT 1")[0][0]
    page = installed.reader().get(f"/jugadores/{player}/").headers["Location"]
    assert installed.reader().get(page).status == 200
    statement = "ALTER TABLE ledger_ledgerentry ADD COLUMN in_the_way integer"

    def migrate() -> None:
        with psycopg.connect(installed.owner, autocommit=True) as connection:
            connection.execute(statement)

    with long_report(installed):
        thread = threading.Thread(target=migrate)
        thread.start()
        waiting = (
            "SELECT count(*) FROM pg_locks WHERE relation = 'ledger_ledgerentry'::regclass AND NOT granted"
        )
        servers.wait_until(lambda: installed.inside.query(waiting) == [(1,)], "the migration to wait")
        assert installed.reader().get(page).status == 503
    thread.join(PATIENCE)
    assert installed.reader().get(page).status == 200


def test_without_the_socket_of_systemd_requests_are_refused(installed: Installed):
    """The negative control: if gunicorn opens its own socket, a restart closes it."""
    host = installed.host
    host.services["baza-web.service"].stop()
    host.sockets.pop("baza-web.service").close()
    web = Service(host, "baza-web.service")
    web.settings.append(("Environment", f"PORT={installed.pages}"))
    host.services["baza-web.service"] = web
    web.start()
    reader = installed.reader()
    servers.wait_until(lambda: reader.get("/salud/").status == 200, "gunicorn to answer", PATIENCE)
    with reading(installed) as seen:
        host.restart("baza-web.service")
        servers.wait_until(lambda: reader.get("/salud/").status == 200, "gunicorn to answer", PATIENCE)
        time.sleep(1)
    assert seen[502] > 0
