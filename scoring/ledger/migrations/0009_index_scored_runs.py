from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("ledger", "0008_purges"),
    ]

    operations = [
        AddIndexOnline(
            model_name="scoringrun",
            index=models.Index(
                fields=["eligible", "finished_at"],
                condition=models.Q(("purpose", "score"), ("state", "done")),
                name="run_scored",
            ),
        ),
    ]
