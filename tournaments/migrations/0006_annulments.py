"""A tournament may be annulled: it keeps its place and gives nothing."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0005_separate_events'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='annulled_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='annulled'),
        ),
    ]
