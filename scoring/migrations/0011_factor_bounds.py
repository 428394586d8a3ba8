"""Factors of the office keep within what the engine takes, whoever writes the row."""

from decimal import Decimal

from django.db import migrations, models
from django.db.models import Q

BOUNDS = {
    "factor_not_too_large": Q(value__lte=Decimal(1000)),
    "factor_depth_is_a_share": ~Q(name="depth") | Q(value__lte=1),
    "factor_of_its_regulation": Q(regulation="acbl-overall", name__in=("M", "T", "depth", "R"))
    | Q(regulation="acbl-club", name__in=("depth",)),
}


class Migration(migrations.Migration):
    dependencies = [("scoring", "0010_campaigns_are_guarded")]
    operations = [
        migrations.AddConstraint("scoringfactor", models.CheckConstraint(condition=condition, name=name))
        for name, condition in BOUNDS.items()
    ]
