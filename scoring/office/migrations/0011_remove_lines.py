from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ("office", "0010_move_rows"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="officeimport",
            name="lines",
        ),
    ]
