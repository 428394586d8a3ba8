"""Vacuum the ledger when it has grown by a hundredth, instead of a fifth.

Only pages that were vacuumed are known to be visible to everybody, and the sums of the last 12 months, which
are read at each posting, are those of the newest pages. Without it, each entry is looked up in the table.
"""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLE = "ledger_ledgerentry"


def vacuum_often(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"ALTER TABLE {TABLE} SET (autovacuum_vacuum_insert_scale_factor = 0.01)")


def vacuum_as_usual(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"ALTER TABLE {TABLE} RESET (autovacuum_vacuum_insert_scale_factor)")


class Migration(migrations.Migration):
    old_code_works_because = "it does not know when a table is vacuumed"

    dependencies = [("ledger", "0016_remove_index_by_player")]

    operations = [migrations.RunPython(vacuum_often, vacuum_as_usual)]
