"""Interrupt a worker while it is writing.

A lock held by the test stops the worker halfway, after it has written some of its rows. Leases last up to a
minute, so tests change them in the database instead of waiting.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import psycopg

from tests import servers
from tests.system.conftest import PATIENCE, Installation


@contextmanager
def locked_table(site: Installation, table: str) -> Iterator[None]:
    """Block all writes to a table inside the context. The database may be stopped before the context ends."""
    with closing(psycopg.connect(site.environment["DATABASE_URL"])) as holder:
        holder.execute(f"LOCK TABLE {table} IN SHARE MODE")
        yield


def wait_half_way(site: Installation, table: str) -> None:
    """Wait until a transaction that has already written other rows waits for the table's lock."""
    waits = (
        "SELECT 1 FROM pg_locks WHERE NOT granted AND database ="
        " (SELECT oid FROM pg_database WHERE datname = current_database())"
        f" AND relation = '{table}'::regclass AND virtualtransaction IN"
        " (SELECT virtualtransaction FROM pg_locks WHERE locktype = 'transactionid' AND granted)"
    )
    wait_with_log(site, lambda: site.query(waits), f"a worker to be half-way, at {table}")


def end_leases(site: Installation, table: str) -> None:
    """Let the leases of all running work in a table expire. Fails if no work is running."""
    held = site.query(f"UPDATE {table} SET lease_until = now() WHERE state = 'running' RETURNING id")
    assert held, "nobody holds any work"


def wait_with_log(site: Installation, condition: Callable[[], object], what: str) -> None:
    """Wait until a condition is true. Raise with the worker's log if that takes too long.

    what: description of the condition, for the error
    """
    try:
        servers.wait_until(condition, what, PATIENCE)
    except TimeoutError as error:
        raise AssertionError(f"{error}\n{site.log_text()[-4000:]}") from error
