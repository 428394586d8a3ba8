from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dataset", "0001_initial")]

    operations = [
        migrations.AddField("dump", "hidden_rated", models.JSONField(default=list)),
        migrations.AddField("dump", "last_rated", models.BigIntegerField(default=0)),
    ]
