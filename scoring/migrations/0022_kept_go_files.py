"""The bytes of Go uploads are kept for a time; it begins now for what was discarded before."""

from django.db import migrations, models
from django.utils import timezone


def begin(apps, schema_editor):
    discarded = apps.get_model("scoring", "GoUpload").objects.filter(state="discarded")
    discarded.update(discarded_at=timezone.now())


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0021_runs_wait_for_approval'),
    ]

    operations = [
        migrations.AddField(
            model_name='goupload',
            name='discarded_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='goupload',
            name='file_deleted_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name='goupload',
            name='content',
            field=models.BinaryField(null=True),
        ),
        migrations.RunPython(begin, migrations.RunPython.noop),
    ]
