"""The connection of a thread to the pooler, which gives each transaction any free connection to PostgreSQL.

What belongs to a session rather than to a transaction would be lost, or met by another client. Django
prepares no statements with psycopg unless it is asked to, and the application uses no session locks and no
LISTEN.
"""

from typing import Any

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that keeps nothing in the session.

    has_own_session: False tells others that they must not set anything for the session
    """

    has_own_session = False

    def chunked_cursor(self) -> Any:
        """Return a cursor of the server inside a transaction, and outside one that reads all rows at once.

        Outside a transaction, Django's cursor of the server would outlive it (WITH HOLD).
        """
        return super().chunked_cursor() if self.in_atomic_block else self.cursor()
