"""When work that failed for a reason outside itself may be tried again, and how often that happened.

The columns are added in place: Django would copy the tables on SQLite to add them, and the triggers of the
tasks of category changes would be gone with the old one.
"""

from django.db import migrations, models
from django.db.models import Q

MODELS = ["scoringrun", "ratingreplay", "campaigntask"]
COUNTS = ["failures", "timeouts"]


def add_columns(apps, schema_editor) -> None:
    moment = models.DateTimeField().db_type(schema_editor.connection)
    for model in MODELS:
        for column in COUNTS:
            schema_editor.execute(
                f"ALTER TABLE scoring_{model} ADD COLUMN {column} smallint DEFAULT 0 NOT NULL"
            )
        schema_editor.execute(f"ALTER TABLE scoring_{model} ADD COLUMN not_before {moment} NULL")


def drop_columns(apps, schema_editor) -> None:
    for model in MODELS:
        for column in (*COUNTS, "not_before"):
            schema_editor.execute(f"ALTER TABLE scoring_{model} DROP COLUMN {column}")


def _count() -> models.SmallIntegerField:
    return models.SmallIntegerField(db_default=0, default=0)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0016_evidence_is_sealed")]
    operations = [
        migrations.SeparateDatabaseAndState(
            [migrations.RunPython(add_columns, drop_columns)],
            [
                *(migrations.AddField(model, column, _count()) for model in MODELS for column in COUNTS),
                *(migrations.AddField(model, "not_before", models.DateTimeField(null=True)) for model in MODELS),
            ],
        ),
        migrations.AddIndex(
            "scoringrun",
            models.Index(condition=Q(state="failed"), fields=["finished_at"], name="run_parked"),
        ),
    ]
