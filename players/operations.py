"""Operations of migrations that leave the old version of the code working (docs/migrations.md)."""

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddIndex, RemoveIndex
from django.db.migrations.operations.models import IndexOperation

INVALID = """
    SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relname = %s AND relnamespace = current_schema()::regnamespace AND NOT indisvalid
"""


class AddIndexOnline(AddIndexConcurrently):
    """Add an index while rows are written, on PostgreSQL. On SQLite this is an ordinary AddIndex.

    It cannot run in a transaction: it is the only operation of its migration, which has `atomic = False`. The
    index that an interrupted attempt left is dropped first.
    """

    def database_forwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states) -> None:
        if not _is_online(schema_editor):
            AddIndex.database_forwards(self, app_label, schema_editor, *states)
            return
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(INVALID, [self.index.name])
            if cursor.fetchone():
                name = schema_editor.quote_name(self.index.name)
                cursor.execute(f"DROP INDEX CONCURRENTLY {name}")
        super().database_forwards(app_label, schema_editor, *states)

    def database_backwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states) -> None:
        addition = _chosen(schema_editor, AddIndexConcurrently, AddIndex)
        addition.database_backwards(self, app_label, schema_editor, *states)


class RemoveIndexOnline(RemoveIndexConcurrently):
    """Remove an index while rows are written, on PostgreSQL. On SQLite this is an ordinary RemoveIndex.

    It cannot run in a transaction: it is the only operation of its migration, which has `atomic = False`.
    """

    def database_forwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states) -> None:
        removal = _chosen(schema_editor, RemoveIndexConcurrently, RemoveIndex)
        removal.database_forwards(self, app_label, schema_editor, *states)

    def database_backwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states) -> None:
        removal = _chosen(schema_editor, RemoveIndexConcurrently, RemoveIndex)
        removal.database_backwards(self, app_label, schema_editor, *states)


def _is_online(schema_editor: BaseDatabaseSchemaEditor) -> bool:
    return schema_editor.connection.vendor == "postgresql"


def _chosen(
    schema_editor: BaseDatabaseSchemaEditor, online: type[IndexOperation], ordinary: type[IndexOperation]
) -> type[IndexOperation]:
    return online if _is_online(schema_editor) else ordinary
