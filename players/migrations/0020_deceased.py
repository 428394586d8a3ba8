from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("players", "0019_kinds_of_consents"),
    ]

    operations = [
        migrations.AddIndex(
            "player",
            models.Index(
                fields=["deceased_on"],
                name="player_deceased",
                condition=models.Q(deceased_on__isnull=False),
            ),
        ),
    ]
