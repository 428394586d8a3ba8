"""Counts of attempts to sign in, which are kept here so that no cache has to be there."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0008_proposals_are_sealed")]
    operations = [
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64, unique=True)),
                ("count", models.PositiveIntegerField(default=0)),
                ("last_at", models.DateTimeField()),
            ],
            options={
                "verbose_name": "tally of attempts",
                "verbose_name_plural": "tallies of attempts",
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["last_at"], name="tally_age")],
            },
        ),
    ]
