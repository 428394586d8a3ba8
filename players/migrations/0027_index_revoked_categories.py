"""Index the moments at which categories were revoked, for the page of oversight."""

from django.db import migrations, models

from players.operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("players", "0026_index_given_categories")]

    operations = [
        AddIndexOnline(
            "categoryassignment",
            models.Index(
                fields=["revoked_at", "id"],
                condition=models.Q(revoked_at__isnull=False),
                name="assignment_by_revocation",
            ),
        ),
    ]
