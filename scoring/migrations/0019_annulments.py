"""Tournaments may be annulled and restored: every run so far scores, every tournament so far counts."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0018_rules_change_with_a_freeze'),
        ('tournaments', '0006_annulments'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='ratingtournament',
            name='annulled_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='annulled'),
        ),
        migrations.AddField(
            model_name='scoringrun',
            name='purpose',
            field=models.CharField(choices=[('score', 'Scoring'), ('annul', 'Annulment'), ('restore', 'Restoring')], db_default='score', default='score', max_length=7),
        ),
        migrations.CreateModel(
            name='Annulment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('act', models.CharField(choices=[('annulled', 'annulled'), ('restored', 'restored')], max_length=8)),
                ('reason', models.CharField(max_length=300, verbose_name='reason')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('rating_tournament', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='annulments', to='scoring.ratingtournament')),
                ('tournament', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='annulments', to='tournaments.tournament')),
            ],
            options={
                'verbose_name': 'annulment',
                'verbose_name_plural': 'annulments',
                'ordering': ['-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('rating_tournament__isnull', False), ('tournament', None)), models.Q(('rating_tournament', None), ('tournament__isnull', False)), _connector='OR'), name='annulment_of_one'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='annulment_has_reason')],
            },
        ),
    ]
