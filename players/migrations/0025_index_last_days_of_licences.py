"""Index the licences by their last day."""

from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("players", "0024_index_first_days_of_licences")]

    operations = [
        AddIndexOnline(
            "licence",
            models.Index(fields=["valid_to", "player"], name="licence_by_last_day"),
        )
    ]
