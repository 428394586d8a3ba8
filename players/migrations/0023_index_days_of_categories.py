"""Index the assignments of categories by the day from which they count."""

from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("players", "0022_fill_names")]

    operations = [
        AddIndexOnline(
            "categoryassignment",
            models.Index(fields=["valid_from", "player"], name="assignment_by_day"),
        )
    ]
