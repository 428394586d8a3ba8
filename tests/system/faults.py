"""Interrupt work while it is writing, and check the result.

A lock held by the test stops the work halfway, after some of its rows are written. Leases last up to a
minute: tests change them in the table instead of waiting.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import psycopg

from tests import servers
from tests.system.conftest import PATIENCE, Installation


@contextmanager
def locked_table(site: Installation, table: str) -> Iterator[None]:
    """Block all writes to a table inside the context. The database may have stopped at its end."""
    with closing(psycopg.connect(site.environment["DATABASE_URL"])) as holder:
        holder.execute(f"LOCK TABLE {table} IN SHARE MODE")
        yield


def wait_half_way(site: Installation, table: str) -> None:
    """Wait until a transaction that has already written waits for the table's lock."""
    waits = (
        "SELECT 1 FROM pg_locks WHERE NOT granted AND database ="
        " (SELECT oid FROM pg_database WHERE datname = current_database())"
        f" AND relation = '{table}'::regclass AND virtualtransaction IN"
        " (SELECT virtualtransaction FROM pg_locks WHERE locktype = 'transactionid' AND granted)"
    )
    wait_with_log(site, lambda: site.query(waits), f"a worker to be half-way, at {table}")


def end_leases(site: Installation, table: str) -> None:
    """Let the leases of all running rows of a table expire."""
    held = site.query(f"UPDATE {table} SET lease_until = now() WHERE state = 'running' RETURNING id")
    assert held, "nobody holds any work"


def wait_with_log(site: Installation, condition: Callable[[], object], what: str) -> None:
    """Wait for a condition. Raise with the worker's log if it does not come true."""
    try:
        servers.wait_until(condition, what, PATIENCE)
    except TimeoutError as error:
        raise AssertionError(f"{error}\n{site.log_text()[-4000:]}") from error
