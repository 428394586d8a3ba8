"""Insert the categories of the two ladders: table 2 of AEB 2022 and table 2 of AEB 2026."""

from datetime import date

from django.db import migrations

STEPS = ["3D", "3C", "3P", "2D", "2C", "2P", "1D", "1C", "1P"]
# Ordered by value. MN and MM of 2022 come directly below their successors of 2026.
TITLES_2026 = [("MN-D", 100), ("MN-S", 101), ("MN-O", 110), ("ME-D", 120), ("ME-S", 121),
               ("MM-D", 130), ("MM-S", 131), ("ME-O", 140), ("MM-O", 150)]
TITLES_2022 = [("MN", 109, "MN-O"), ("MM", 149, "MM-O")]
START_2022, END_2022, START_2026 = date(2022, 1, 2), date(2025, 12, 31), date(2026, 1, 1)


def create(apps, schema_editor):
    Category = apps.get_model("players", "Category")
    Category.objects.bulk_create(
        Category(code=code, order=10 * position, valid_from=START_2022)
        for position, code in enumerate(STEPS, start=1)
    )
    Category.objects.bulk_create(
        Category(code=code, order=order, is_title=True, valid_from=START_2026) for code, order in TITLES_2026
    )
    for code, order, successor in TITLES_2022:
        Category.objects.create(code=code, order=order, is_title=True, valid_from=START_2022, valid_to=END_2022,
                                successor=Category.objects.get(code=successor))


def remove(apps, schema_editor):
    Category = apps.get_model("players", "Category")
    Category.objects.filter(code__in=[code for code, _order, _successor in TITLES_2022]).delete()
    Category.objects.filter(code__in=STEPS + [code for code, _order in TITLES_2026]).delete()


class Migration(migrations.Migration):
    dependencies = [("players", "0001_initial")]
    operations = [migrations.RunPython(create, remove)]
