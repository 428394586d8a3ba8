"""Whether the database has the tables, and its role the rights, that this version of the code needs.

Both are missing after an update without `baza-migrate`, and the rights after a migration by hand without
`grant_roles`. Only some pages fail then, so nobody would notice soon.
"""

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from federation import grants

# UPDATE may be granted for some columns only, and has_any_column_privilege knows no DELETE.
REFUSED = """
    SELECT name FROM unnest(%s::text[], %s::text[]) AS needed (name, privilege)
    WHERE NOT CASE privilege WHEN 'DELETE' THEN has_table_privilege(to_regclass(name), privilege)
        ELSE has_any_column_privilege(to_regclass(name), privilege) END
    LIMIT 1
"""
_migrated = False  # whether this process has seen that no migration is missing


def lacks_migrations() -> bool:
    """Return whether the database lacks a migration of this code. Once it has all, do not ask again."""
    global _migrated
    if not _migrated:
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return not _migrated


def refused_table() -> str | None:
    """Return a table on which the connection's role lacks a right of the application; None if it has all."""
    if connection.vendor != "postgresql":
        return None
    tables, privileges = zip(*grants.of_application(), strict=True)
    with connection.cursor() as cursor:
        cursor.execute(REFUSED, [list(tables), list(privileges)])
        row = cursor.fetchone()
    return row and row[0]
