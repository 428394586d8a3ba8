"""What blocks a promotion is said by category now: rule sets with the veto block below the proposed average."""

from decimal import Decimal

from django.db import migrations

THRESHOLD = Decimal("50")  # a proposal of ours, like the other figures, until the federation confirms it


def by_category(apps, schema_editor):
    Rule = apps.get_model("scoring", "PromotionRule")
    Rule.objects.update(average_threshold=THRESHOLD)
    Rule.objects.filter(rule_set__veto=True).update(average_effect="block")


def by_set(apps, schema_editor):
    RuleSet = apps.get_model("scoring", "PromotionRuleSet")
    RuleSet.objects.filter(rules__average_effect="block").update(veto=True)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0008_campaigns")]
    operations = [migrations.RunPython(by_category, by_set)]
