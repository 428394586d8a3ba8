"""Store how far the standings of kept days are filled. Of an existing ledger none are, until a worker fills them."""

from datetime import date

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("ledger", "0009_index_scored_runs"),
        ("players", "0025_index_last_days_of_licences"),
    ]

    operations = [
        migrations.AddField("standingsstate", "unkept_from", models.DateField(null=True, db_default=date.min)),
        migrations.AddField("standingsstate", "kept_to", models.PositiveBigIntegerField(db_default=0)),
    ]
