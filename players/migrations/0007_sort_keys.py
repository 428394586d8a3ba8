"""Keys to sort names by; those of the rows that are there already are computed here."""

from django.db import migrations, models

from ui.text import sort_key

LENGTH = 500
NAMES = {"Region": ["name"], "Club": ["name"], "Player": ["surname", "given_name"]}


def compute(apps, schema_editor):
    for name, fields in NAMES.items():
        model = apps.get_model("players", name)
        batch = []
        for row in model.objects.only("pk", *fields).order_by("pk").iterator(2000):
            row.sort_key = sort_key(*(getattr(row, field) for field in fields))[:LENGTH]
            batch.append(row)
            if len(batch) == 500:
                model.objects.bulk_update(batch, ["sort_key"])
                batch = []
        model.objects.bulk_update(batch, ["sort_key"])


def field(**options):
    return models.CharField(max_length=LENGTH, editable=False, **options)


class Migration(migrations.Migration):
    dependencies = [("players", "0006_proposals")]
    operations = [
        *(
            migrations.AddField(name.lower(), "sort_key", field(default=""), preserve_default=False)
            for name in NAMES
        ),
        migrations.RunPython(compute, migrations.RunPython.noop),
        *(
            migrations.AlterModelOptions(
                name.lower(), {"ordering": ["sort_key", "pk"], "verbose_name": one, "verbose_name_plural": many}
            )
            for name, one, many in (
                ("Region", "region", "regions"), ("Club", "club", "clubs"), ("Player", "player", "players"),
            )
        ),
        migrations.RemoveIndex("player", "player_by_name"),
        migrations.AddIndex("player", models.Index(fields=["sort_key", "id"], name="player_by_name")),
    ]
