"""Create unconfirmed rule sets, from 2022 and from 2026. Their figures are the project's own proposals."""

from datetime import date
from decimal import Decimal

from django.db import migrations

SETS = [
    ("AEB 2022", date(2022, 12, 31), date(2025, 12, 31), True),
    ("AEB 2026", date(2026, 12, 31), None, False),
]
SOURCE = "Proposal: neither document states quotas or thresholds."
THRESHOLD = Decimal("50")  # of the modified average, in percent; also a proposal


def create(apps, schema_editor):
    Category = apps.get_model("players", "Category")
    RuleSet = apps.get_model("promotions", "PromotionRuleSet")
    Rule = apps.get_model("promotions", "PromotionRule")
    steps = list(Category.objects.filter(is_title=False).order_by("order"))
    for name, first, last, blocks in SETS:
        rule_set = RuleSet.objects.create(
            name=name, valid_from=first, valid_to=last, confirmed=False, source=SOURCE
        )
        for step, target in zip(steps, [*steps[1:], None]):  # 1P -> MN is off: titles are granted by hand
            Rule.objects.create(
                rule_set=rule_set,
                category=step,
                target=target,
                top_share=Decimal("0.1"),
                average_threshold=THRESHOLD,
                **({"average_effect": "block"} if blocks else {}),
            )


def remove(apps, schema_editor):
    apps.get_model("promotions", "PromotionRuleSet").objects.filter(name__in=[row[0] for row in SETS]).delete()


class Migration(migrations.Migration):
    dependencies = [("promotions", "0001_initial"), ("players", "0002_categories")]
    operations = [migrations.RunPython(create, remove)]
