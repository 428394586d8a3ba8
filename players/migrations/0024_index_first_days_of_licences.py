"""Index the licences by their first day."""

from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("players", "0023_index_days_of_categories")]

    operations = [
        AddIndexOnline(
            "licence",
            models.Index(fields=["valid_from", "player"], name="licence_by_first_day"),
        )
    ]
