"""Create rows once for all tests of a module, and remove them after its last test."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def rolled_back(blocker) -> Iterator[None]:
    """Open a transaction, in which a module's fixture creates rows, and roll it back at the end.

    Every test of the module sees these rows; its own changes are rolled back after each test.

    blocker: pytest-django's `django_db_blocker`
    """
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)
