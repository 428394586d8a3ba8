"""More families of points than one: longer codes, and the factors that the office fills in."""

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

append_only = import_module("scoring.migrations.0002_ledger_is_append_only")


def restore_triggers(apps, schema_editor):
    """SQLite alters a column by making the table anew, which loses the triggers of the ledger."""
    if schema_editor.connection.vendor == "sqlite":
        append_only.run(append_only.CREATE)(apps, schema_editor)


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0003_promotion_rules'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(migrations.RunPython.noop, restore_triggers),
        migrations.AlterField(
            model_name='ledgerentry',
            name='family',
            field=models.CharField(default='aeb', max_length=12),
        ),
        migrations.AlterField(
            model_name='promotionruleset',
            name='family',
            field=models.CharField(default='aeb', max_length=12),
        ),
        migrations.AlterField(
            model_name='standing',
            name='family',
            field=models.CharField(default='aeb', max_length=12),
        ),
        migrations.AlterField(
            model_name='standingsstate',
            name='family',
            field=models.CharField(max_length=12, primary_key=True, serialize=False),
        ),
        migrations.RunPython(restore_triggers, migrations.RunPython.noop),
        migrations.CreateModel(
            name='ScoringFactor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('regulation', models.CharField(max_length=20, verbose_name='regulation')),
                ('name', models.CharField(max_length=10, verbose_name='factor')),
                ('case', models.CharField(blank=True, max_length=40, verbose_name='for')),
                ('value', models.DecimalField(decimal_places=4, max_digits=8, verbose_name='value')),
                ('source', models.CharField(help_text='Where the number stands: document, page, date.', max_length=300, verbose_name='source')),
                ('valid_from', models.DateField(verbose_name='valid from')),
                ('set_at', models.DateTimeField(auto_now_add=True)),
                ('set_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'factor',
                'verbose_name_plural': 'factors',
                'ordering': ['regulation', 'name', 'case', '-valid_from', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('value__gt', 0)), name='factor_positive')],
            },
        ),
    ]
