"""Rows made once for all tests of a module."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def undone(blocker) -> Iterator[None]:
    """What is stored inside stays until the end: each test goes back to it, and then it is undone.

    blocker: pytest-django's `django_db_blocker`
    """
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)
