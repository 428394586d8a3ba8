from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("ledger", "0017_vacuum_new_entries"),
    ]

    operations = [
        AddIndexOnline(
            model_name="scoringrun",
            index=models.Index(
                fields=["finished_at", "tournament"],
                condition=models.Q(("finished_at__isnull", False)),
                name="run_finished",
            ),
        ),
    ]
