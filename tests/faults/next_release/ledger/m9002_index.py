"""An index of the largest table."""

from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("ledger", "m9001_columns")]
    operations = [AddIndexOnline("LedgerEntry", models.Index(fields=["title"], name="entry_title"))]
