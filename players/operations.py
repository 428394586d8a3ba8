"""Operations of migrations that leave the old version of the code working (docs/migrations.md)."""

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddIndex, RemoveIndex
from django.db.migrations.state import ProjectState

INVALID = """
    SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relname = %s AND relnamespace = current_schema()::regnamespace AND NOT indisvalid
"""


class AddIndexOnline(AddIndexConcurrently):
    """Add an index while rows are written, on PostgreSQL. On SQLite this is an ordinary AddIndex.

    It cannot run in a transaction: it is the only operation of its migration, which has `atomic = False`. The
    index that an interrupted attempt left is dropped first.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if schema_editor.connection.vendor != "postgresql":
            AddIndex.database_forwards(self, app_label, schema_editor, from_state, to_state)
            return
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(INVALID, [self.index.name])
            if cursor.fetchone():
                name = schema_editor.quote_name(self.index.name)
                cursor.execute(f"DROP INDEX CONCURRENTLY {name}")
        super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if schema_editor.connection.vendor != "postgresql":
            AddIndex.database_backwards(self, app_label, schema_editor, from_state, to_state)
            return
        super().database_backwards(app_label, schema_editor, from_state, to_state)


class RemoveIndexOnline(RemoveIndexConcurrently):
    """Remove an index while rows are written, on PostgreSQL. On SQLite this is an ordinary RemoveIndex.

    It cannot run in a transaction: it is the only operation of its migration, which has `atomic = False`.
    """

    def database_forwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states) -> None:
        _removal(schema_editor).database_forwards(self, app_label, schema_editor, *states)

    def database_backwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states) -> None:
        _removal(schema_editor).database_backwards(self, app_label, schema_editor, *states)


def _removal(schema_editor: BaseDatabaseSchemaEditor) -> type[RemoveIndex]:
    return RemoveIndexConcurrently if schema_editor.connection.vendor == "postgresql" else RemoveIndex
