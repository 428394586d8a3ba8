"""The triggers of the migrations, taken off where a test has to write what the database refuses."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

MIGRATIONS = [
    "scoring.migrations.0002_ledger_is_append_only",
    "scoring.migrations.0010_campaigns_are_guarded",
    "scoring.migrations.0013_campaigns_are_sealed",
    "scoring.migrations.0015_born_as_drafts",
    "scoring.migrations.0016_evidence_is_sealed",
    "players.migrations.0008_proposals_are_sealed",
    "scoring.migrations.0018_rules_change_with_a_freeze",
    "players.migrations.0011_account_journal_is_kept",
]


@contextmanager
def without(connection) -> Iterator[None]:
    """No trigger of ours refuses anything inside; afterwards all of them are there again."""
    modules = [import_module(name) for name in MIGRATIONS]
    _run(connection, [statement for each in modules for statement in each.DROP[connection.vendor]])
    try:
        yield
    finally:
        _run(connection, [statement for each in modules for statement in each.CREATE[connection.vendor]])


def _run(connection, statements: list[str]) -> None:
    if connection.in_atomic_block:
        connection.check_constraints()  # PostgreSQL takes no trigger off a table with checks still to come
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
