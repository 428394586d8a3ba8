"""Store with each sum the day up to which it counts, so that the sums of two days can be stored."""

from datetime import date

from django.apps.registry import Apps
from django.db import migrations, models


def fill_days(apps: Apps, schema_editor: object) -> None:
    """Give the stored sums their day. A total of a past year counts up to 31 December."""
    state = apps.get_model("ledger", "StandingsState").objects.filter(family="aeb").first()
    if state is None:
        return
    apps.get_model("ledger", "Standing").objects.update(day=state.as_of)
    totals = apps.get_model("ledger", "YearTotal").objects
    for year in list(totals.order_by().values_list("year", flat=True).distinct()):
        totals.filter(year=year).update(day=min(date(year, 12, 31), state.as_of))


def ranking(name: str, column: str) -> migrations.AddIndex:
    """Return the index of the standings of a category by a column of points."""
    fields = ["family", "day", "category", "licensed", f"-{column}", "player"]
    return migrations.AddIndex("standing", models.Index(fields=fields, name=name))


STANDING_INDEXES = {
    "standing_all": "points",
    "standing_in_person": "points_in_person",
    "standing_online": "points_online",
}


class Migration(migrations.Migration):

    dependencies = [
        ("ledger", "0005_seen_corrections"),
    ]

    operations = [
        migrations.AddField("standingsstate", "next_day", models.DateField(null=True)),
        migrations.AddField("standingsstate", "prepared_to", models.PositiveBigIntegerField(default=0)),
        migrations.AddField("standingsstate", "has_old_rows", models.BooleanField(default=False)),
        *(migrations.RemoveIndex("standing", name) for name in STANDING_INDEXES),
        migrations.RemoveConstraint("standing", "standing_once"),
        migrations.RemoveIndex("yeartotal", "year_total_by_category"),
        migrations.RemoveConstraint("yeartotal", "year_total_once"),
        migrations.AddField(
            "standing", "day", models.DateField(default=date(2000, 1, 1)), preserve_default=False
        ),
        migrations.AddField(
            "yeartotal", "day", models.DateField(default=date(2000, 1, 1)), preserve_default=False
        ),
        migrations.RunPython(fill_days, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            "standing",
            models.UniqueConstraint(fields=["player", "family", "day"], name="standing_once"),
        ),
        migrations.AddConstraint(
            "yeartotal",
            models.UniqueConstraint(fields=["player", "year", "day"], name="year_total_once"),
        ),
        *(ranking(name, column) for name, column in STANDING_INDEXES.items()),
        migrations.AddIndex(
            "yeartotal",
            models.Index(
                fields=["year", "day", "category", "licensed", "-points", "player", "tournaments"],
                name="year_total_ranked",
            ),
        ),
    ]
