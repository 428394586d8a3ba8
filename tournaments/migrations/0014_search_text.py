"""Store what tournaments are searched by: their names without case and accents."""

from django.db import migrations, models

from ui.text import fold

BATCH = 500


def fill(apps, schema_editor):
    Tournament = apps.get_model("tournaments", "Tournament")
    last = 0
    while batch := list(Tournament.objects.filter(pk__gt=last).order_by("pk").only("pk", "name")[:BATCH]):
        for tournament in batch:
            tournament.search_text = fold(tournament.name)[:220]
        Tournament.objects.bulk_update(batch, ["search_text"])
        last = batch[-1].pk


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_remembered_guests")]
    operations = [
        migrations.AddField(
            model_name="tournament",
            name="search_text",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=220),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
