"""Index the entries of each player with their kind, so that their sums are read from the index alone."""

from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ledger", "0014_points_a_week_ago")]

    operations = [
        AddIndexOnline(
            "ledgerentry",
            models.Index(
                fields=["player", "family", "played_on", "online", "points"],
                include=["kind"],
                name="ledger_of_player",
            ),
        )
    ]
