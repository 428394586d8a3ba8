from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dataset", "0001_initial")]

    operations = [
        migrations.AddField("dump", "hidden_rated", models.JSONField(null=True)),
        migrations.AddField("dump", "last_rated", models.BigIntegerField(null=True)),
        migrations.AlterModelOptions(
            "dump",
            {
                "ordering": ["-pk"],
                "verbose_name": "file of the public data",
                "verbose_name_plural": "files of the public data",
            },
        ),
    ]
