"""Ten uploads are confirmed while the database fails: in the end all are scored and none is parked."""

import signal
from contextlib import closing, contextmanager

import psycopg

from tests import servers
from tests.factories import PASSWORD
from tests.faults.conftest import UPLOADS, full, serve, sign_in
from tests.system.conftest import Installation, kill_group

FAILED = "SELECT count(*) FROM ledger_scoringrun WHERE failures > 0 AND state IN ('pending', 'running')"
PARKED = "SELECT count(*) FROM ledger_scoringrun WHERE state = 'failed'"


def wait_for_failures(site: Installation, number: int = UPLOADS) -> None:
    """Wait until `number` runs have failed because of the database."""
    servers.wait_until(lambda: site.query(FAILED) >= [(number,)], "runs to fail", 120)


def check(site: Installation) -> None:
    """Assert that every tournament is scored exactly once and correctly."""
    site.wait_scored()
    assert site.query(PARKED) == [(0,)]
    assert site.act("audit") == []


@contextmanager
def setting(site: Installation, name: str, value: str):
    """Change a setting of the database inside the context, and restore it afterwards.

    All connections are closed at the beginning and at the end, so that programs connect again and get the
    setting.
    """
    database = site.environment["DATABASE_URL"].rpartition("/")[2]

    def change(act: str) -> None:
        with psycopg.connect(site.environment["DATABASE_URL"], autocommit=True) as connection:
            connection.execute("SET default_transaction_read_only = off")
            connection.execute(f'ALTER DATABASE "{database}" {act}')
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    change(f"SET {name} = '{value}'")
    yield
    change(f"RESET {name}")


def locked(site: Installation):
    """Block all writes to the ledger, and return a context manager that ends the block when it exits."""
    holder = psycopg.connect(site.environment["DATABASE_URL"])
    holder.execute("LOCK TABLE ledger_ledgerentry IN SHARE MODE")
    return closing(holder)


def test_uploads_are_scored_after_the_database_disk_was_full(site_on_small_disk: Installation, small_disk):
    site = site_on_small_disk
    site.act("confirm", UPLOADS)
    with full(small_disk):
        site.worker()
        wait_for_failures(site, 1)
    check(site)


def test_uploads_are_scored_after_the_ledger_was_locked(site: Installation):
    site.act("confirm", UPLOADS)
    with locked(site):
        site.worker()
        wait_for_failures(site, 2)
    check(site)


def test_uploads_are_scored_after_statements_timed_out(site: Installation):
    """A database that is too slow for every statement does not park a run, however often the run fails."""
    thrice = "SELECT count(*) FROM ledger_scoringrun WHERE failures > 2"
    site.act("confirm", UPLOADS)
    with setting(site, "statement_timeout", "1s"), locked(site):
        site.worker()
        servers.wait_until(lambda: site.query(thrice) >= [(2,)], "runs to time out three times", 120)
    check(site)


def test_while_the_database_is_read_only_pages_are_shown_and_workers_survive(site: Installation):
    site.act("account")
    reader = serve(site)
    worker = site.worker()
    site.act("confirm", 1)
    site.wait_scored()
    with setting(site, "default_transaction_read_only", "on"):
        health = reader.get("/salud/")
        assert (health.status, '"writable": false' in health.text) == (503, True)
        assert reader.get("/clasificaciones/").status == 200
        busy = sign_in(reader, PASSWORD)
        assert (busy.status, busy.headers["Retry-After"]) == (503, "30")
        assert worker.poll() is None
    site.act("confirm", UPLOADS)
    check(site)
    assert sign_in(reader, PASSWORD).status == 200


def test_a_page_does_not_wait_long_for_a_lock(site: Installation):
    site.act("account")
    reader = serve(site)
    with closing(psycopg.connect(site.environment["DATABASE_URL"])) as holder:
        holder.execute("LOCK TABLE players_tally IN ACCESS EXCLUSIVE MODE")
        busy = sign_in(reader, PASSWORD)
        assert (busy.status, busy.headers["Retry-After"]) == (503, "30")
    assert sign_in(reader, PASSWORD).status == 200


def test_uploads_are_scored_after_the_database_was_restarted(site: Installation, cluster: servers.Postgres):
    site.act("confirm", UPLOADS)
    with locked(site):
        site.worker()
        servers.wait_until(lambda: "running" in site.states(), "a worker to take a run", 60)
        cluster.stop_at_once()
    cluster.start()
    check(site)


def test_a_worker_takes_over_from_a_dead_host_whose_clock_was_an_hour_ahead(site: Installation):
    (run,) = site.act("confirm", 1)
    site.act("claim_an_hour_ahead", run)
    (lease,) = site.query(
        f"SELECT lease_until - clock_timestamp() < '1 minute' FROM ledger_scoringrun WHERE id = {run}"
    )
    assert lease == (True,)
    site.worker()
    check(site)


def test_a_run_is_parked_after_three_workers_died_while_scoring_it(site: Installation):
    """A run is parked after three workers have died while scoring it. The office can have it retried."""
    (run,) = site.act("confirm", 1)
    attempts = f"SELECT attempts FROM ledger_scoringrun WHERE id = {run} AND state = 'running'"
    for death in range(1, 4):
        with locked(site):
            victim = site.worker()
            taken = [(death,)]
            servers.wait_until(lambda: site.query(attempts) == taken, "the worker to take the run", 60)  # noqa: B023
            kill_group(victim)
        site.query("UPDATE ledger_scoringrun SET lease_until = now() RETURNING id")
    survivor = site.worker()
    servers.wait_until(lambda: site.states() == {"failed"}, "the run to be parked", 60)
    assert site.act("retry_all") == 1
    check(site)
    survivor.send_signal(signal.SIGTERM)
