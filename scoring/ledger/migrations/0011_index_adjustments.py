"""Index the adjustments by day, because a player may have points from them alone."""

from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ledger", "0010_kept_days")]

    operations = [
        AddIndexOnline(
            "ledgerentry",
            models.Index(
                fields=["family", "played_on", "player"],
                name="ledger_adjustments",
                condition=models.Q(kind="adjustment"),
            ),
        )
    ]
