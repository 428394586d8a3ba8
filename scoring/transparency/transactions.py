"""When every transaction of a moment has ended, so that no row with an older id can still be committed.

PostgreSQL numbers the transactions that write. SQLite has one at a time: the one that asks.
"""

from django.db import connection


def own_number() -> int:
    """Return the number of the current transaction. Those that wrote something before have lower ones."""
    return _number("pg_current_xact_id()")


def have_ended(number: int) -> bool:
    """Return whether all transactions with lower numbers have ended."""
    return _number("pg_snapshot_xmin(pg_current_snapshot())") >= number


def _number(expression: str) -> int:
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {expression}::text::bigint")
        return cursor.fetchone()[0]
