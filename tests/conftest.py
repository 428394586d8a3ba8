"""What every test gets: quick passwords, an eager queue, and a database that the ledger's triggers allow."""

from collections.abc import Iterator
from importlib import import_module

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connections
from django.test import TransactionTestCase

# The rows that migrations make (ladders of categories, rule sets): a flush removes them with all others.
DATA_MIGRATIONS = [("players", "0002_categories"), ("scoring", "0003_promotion_rules")]
LEDGER_TRIGGERS = "scoring.migrations.0002_ledger_is_append_only"


def _without_triggers(connection, flush) -> None:
    triggers = import_module(LEDGER_TRIGGERS)
    with connection.cursor() as cursor:
        for statement in triggers.DROP[connection.vendor]:
            cursor.execute(statement)
    try:
        flush()
    finally:
        with connection.cursor() as cursor:
            for statement in triggers.CREATE[connection.vendor]:
                cursor.execute(statement)


def _restore_data() -> None:
    for app, name in DATA_MIGRATIONS:
        import_module(f"{app}.migrations.{name}").create(apps, None)


@pytest.fixture(scope="session", autouse=True)
def flush_past_the_ledger() -> Iterator[None]:
    """Let tests with real transactions empty the tables, and leave the rows of migrations for the next.

    The triggers refuse DELETE and TRUNCATE, which is what Django does after each such test.
    """
    stock = TransactionTestCase._fixture_teardown

    def teardown(self) -> None:
        _without_triggers(connections["default"], lambda: stock(self))
        _restore_data()

    TransactionTestCase._fixture_teardown = teardown
    yield
    TransactionTestCase._fixture_teardown = stock


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> None:
    """A real password hash takes a quarter of a second by design; a suite makes hundreds."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
