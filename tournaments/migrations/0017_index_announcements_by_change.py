from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("tournaments", "0016_stored_files_apart"),
    ]

    operations = [
        AddIndexOnline(
            model_name="announcement",
            index=models.Index(fields=["changed_at"], name="announcement_by_change"),
        ),
    ]
