"""Index the moments at which categories were given, for the page of oversight."""

from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("players", "0025_index_last_days_of_licences")]

    operations = [
        AddIndexOnline(
            "categoryassignment",
            models.Index(fields=["created_at", "id"], name="assignment_by_creation"),
        ),
    ]
