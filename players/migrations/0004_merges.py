"""Two numbers of one person, merged and parted again."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0003_deceased"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PlayerMerge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=200, verbose_name="reason")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="merged at")),
                ("detail", models.JSONField(default=dict)),
                ("undone_at", models.DateTimeField(null=True, verbose_name="undone at")),
                (
                    "undone_reason",
                    models.CharField(blank=True, max_length=200, verbose_name="reason for undoing"),
                ),
            ],
            options={
                "verbose_name": "merging of two numbers",
                "verbose_name_plural": "mergings of two numbers",
                "ordering": ["-pk"],
            },
        ),
        migrations.AddField(
            model_name="player",
            name="merged_into",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="merged",
                to="players.player",
                verbose_name="merged into",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(("merged_into", models.F("id")), _negated=True),
                name="player_merged_into_another",
            ),
        ),
        migrations.AddField(
            model_name="playermerge",
            name="by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="playermerge",
            name="duplicate",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="merges",
                to="players.player",
                verbose_name="number given up",
            ),
        ),
        migrations.AddField(
            model_name="playermerge",
            name="kept",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="merges_kept",
                to="players.player",
                verbose_name="number kept",
            ),
        ),
        migrations.AddField(
            model_name="playermerge",
            name="undone_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="playermerge",
            constraint=models.CheckConstraint(
                condition=models.Q(("duplicate", models.F("kept")), _negated=True), name="merge_of_two"
            ),
        ),
        migrations.AddConstraint(
            model_name="playermerge",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="merge_has_reason"
            ),
        ),
        migrations.AddConstraint(
            model_name="playermerge",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("undone_at", None), ("undone_reason", "")),
                    models.Q(("undone_at__isnull", False), models.Q(("undone_reason", ""), _negated=True)),
                    _connector="OR",
                ),
                name="merge_undone_has_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="playermerge",
            constraint=models.UniqueConstraint(
                condition=models.Q(("undone_at", None)), fields=("duplicate",), name="merge_once_at_a_time"
            ),
        ),
    ]
