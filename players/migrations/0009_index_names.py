"""Index the names of the players that exist already."""

from django.db import migrations

from players.models.names import pairs_of

BATCH = 1_000


def create(apps, schema_editor):
    Player, NamePair = apps.get_model("players", "Player"), apps.get_model("players", "NamePair")
    rows = []
    for pk, name in Player.objects.order_by("pk").values_list("pk", "search_text").iterator():
        rows += [NamePair(player_id=pk, stem=stem, second=second) for stem, second in sorted(pairs_of(name))]
        if len(rows) >= BATCH:
            NamePair.objects.bulk_create(rows)
            rows = []
    NamePair.objects.bulk_create(rows)


class Migration(migrations.Migration):
    dependencies = [("players", "0008_name_pairs")]
    operations = [migrations.RunPython(create, migrations.RunPython.noop)]
