from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("ledger", "0018_index_finished_runs"),
    ]

    operations = [
        AddIndexOnline(
            model_name="ledgerentry",
            index=models.Index(
                fields=["posted_at", "posted_by", "family", "points"],
                condition=models.Q(("kind", "opening")),
                name="ledger_openings",
            ),
        ),
    ]
