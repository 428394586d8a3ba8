"""PostgreSQL compresses the long texts of frozen lists by lz4 where it can: the default takes three times as long."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLE, COLUMNS = "scoring_snapshotlist", ("body", "sessions")
CAN = "SELECT 'lz4' = ANY(enumvals) FROM pg_settings WHERE name = 'default_toast_compression'"


def set_method(editor: BaseDatabaseSchemaEditor, method: str) -> None:
    if editor.connection.vendor != "postgresql":
        return
    with editor.connection.cursor() as cursor:
        cursor.execute(CAN)
        if not cursor.fetchone()[0]:
            return  # a server built without it
        for column in COLUMNS:
            cursor.execute(f"ALTER TABLE {TABLE} ALTER COLUMN {column} SET COMPRESSION {method}")


class Migration(migrations.Migration):
    dependencies = [("scoring", "0013_campaigns_are_sealed")]

    operations = [
        migrations.RunPython(
            lambda apps, editor: set_method(editor, "lz4"), lambda apps, editor: set_method(editor, "default")
        )
    ]
