"""Create rows once for all tests of a module."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def rolled_back(blocker) -> Iterator[None]:
    """Keep the rows created inside the context until its end, then roll them back.

    Each test returns to these rows.

    blocker: pytest-django's `django_db_blocker`
    """
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)
