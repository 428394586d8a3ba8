"""Index the entries by the day of the tournament and the time of posting, for lists as published on a past day."""

from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ledger", "0011_index_adjustments")]

    operations = [
        AddIndexOnline(
            "ledgerentry",
            models.Index(
                fields=["family", "played_on", "posted_at", "player", "online", "points"],
                name="ledger_by_day_posted",
            ),
        )
    ]
