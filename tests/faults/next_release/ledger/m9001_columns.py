"""A table, and columns of the largest tables, which the code before does not know."""

from django.db import migrations, models

from . import LAST


class Migration(migrations.Migration):
    dependencies = [("ledger", LAST)]
    operations = [
        migrations.CreateModel(
            "Remark", [("id", models.BigAutoField(primary_key=True)), ("text", models.TextField())]
        ),
        migrations.AddField("ScoringRun", "remark", models.TextField(null=True)),
        migrations.AddField("LedgerEntry", "remarks", models.SmallIntegerField(default=0, db_default=0)),
    ]
