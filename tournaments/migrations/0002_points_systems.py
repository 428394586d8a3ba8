"""Which points a tournament gives, and what that system's formula needs to know of it."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='family',
            field=models.CharField(choices=[('aeb', 'AEB points'), ('sbf-bronze', 'Swedish bronze points'), ('sbf-silver', 'Swedish silver points'), ('acbl', 'ACBL masterpoints')], default='aeb', max_length=12, verbose_name='points system'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='params',
            field=models.JSONField(blank=True, default=dict, verbose_name='data of the points system'),
        ),
    ]
