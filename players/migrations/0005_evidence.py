"""The documents that decisions about categories stand in; what is there already has none.

The columns are added in place, with a default of the database: Django would copy the table on SQLite to add
them, and the triggers that other migrations put on it would be gone with the old one.
"""

from django.db import migrations, models

TABLE = "players_categoryassignment"
COLUMNS = {"evidence": "evidence", "revoked_evidence": "evidence for revoking"}


def _field(name: str) -> models.CharField:
    return models.CharField(blank=True, db_default="", default="", max_length=300, verbose_name=name)


class Migration(migrations.Migration):
    dependencies = [("players", "0004_merges")]
    operations = [
        migrations.SeparateDatabaseAndState(
            [
                migrations.RunSQL(
                    f"ALTER TABLE {TABLE} ADD COLUMN {column} varchar(300) DEFAULT '' NOT NULL",
                    f"ALTER TABLE {TABLE} DROP COLUMN {column}",
                )
                for column in COLUMNS
            ],
            [
                migrations.AddField("categoryassignment", column, _field(name))
                for column, name in COLUMNS.items()
            ],
        )
    ]
