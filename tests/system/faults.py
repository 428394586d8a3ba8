"""Cutting work off in the middle of its writing, and what has to hold afterwards.

Work is stopped half-way by a lock that the test holds: some of its rows are written by then. Leases last up
to a minute; a test lets that time pass in the table instead of waiting for it.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import psycopg

from tests import servers
from tests.system.conftest import PATIENCE, Installation


@contextmanager
def stuck(site: Installation, table: str) -> Iterator[None]:
    """Let nobody write to a table; the database may be gone at the end."""
    with closing(psycopg.connect(site.environment["DATABASE_URL"])) as holder:
        holder.execute(f"LOCK TABLE {table} IN SHARE MODE")
        yield


def wait_half_way(site: Installation, table: str) -> None:
    """Until somebody who has written already waits for the table."""
    waits = (
        "SELECT 1 FROM pg_locks WHERE NOT granted AND database ="
        " (SELECT oid FROM pg_database WHERE datname = current_database())"
        f" AND relation = '{table}'::regclass AND virtualtransaction IN"
        " (SELECT virtualtransaction FROM pg_locks WHERE locktype = 'transactionid' AND granted)"
    )
    waited(site, lambda: site.query(waits), f"a worker to be half-way, at {table}")


def end_leases(site: Installation, table: str) -> None:
    """Let the time of those who hold work go by."""
    held = site.query(f"UPDATE {table} SET lease_until = now() WHERE state = 'running' RETURNING id")
    assert held, "nobody holds any work"


def waited(site: Installation, condition: Callable[[], object], what: str) -> None:
    """Wait for something; when it does not come, say what the worker said."""
    try:
        servers.wait_until(condition, what, PATIENCE)
    except TimeoutError as error:
        raise AssertionError(f"{error}\n{site.log_text()[-4000:]}") from error
