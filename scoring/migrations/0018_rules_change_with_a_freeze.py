"""A frozen campaign takes other rules when it is frozen again: those that hold for its year by then.

Of the columns sealed by 0013, `rule_set_id` gets a trigger of its own.
"""

from importlib import import_module

from django.db import migrations

guarded = import_module("scoring.migrations.0010_campaigns_are_guarded")
sealed = import_module("scoring.migrations.0013_campaigns_are_sealed")

BEFORE = ["rule_set_id", "intake_until", "effective_on"]
AFTER = ["intake_until", "effective_on"]


def _changed(vendor: str, columns: list[str]) -> str:
    differs, _of_json = sealed.SAID_BY[vendor]
    return "(" + " OR ".join(f"OLD.{name} {differs} NEW.{name}" for name in columns) + ")"


def _dates(vendor: str, columns: list[str]):
    """As in the migration that this one adds to: table, acts, name, condition of refusal, message."""
    condition = f"{_changed(vendor, columns)} AND OLD.state || '>' || NEW.state NOT IN ('', 'draft>draft')"
    message = "effective_on of a campaign changes with another step, or never"
    yield guarded.CAMPAIGN, ["UPDATE"], "with_effective_on", condition, message


def _rules(vendor: str):
    again = f"(OLD.state || '>' || NEW.state = 'frozen>frozen' AND {_changed(vendor, ['snapshot_id'])})"
    condition = (
        f"{_changed(vendor, ['rule_set_id'])} AND OLD.state || '>' || NEW.state NOT IN ('', 'draft>draft') "
        f"AND NOT {again}"
    )
    message = "rule_set_id of a campaign changes with another step, or never"
    yield guarded.CAMPAIGN, ["UPDATE"], "with_rule_set_id", condition, message


CREATE, DROP, BACKWARDS = {}, {}, {}
for vendor in sealed.SAID_BY:
    make = getattr(guarded, vendor)
    (before, drop_dates), (after, _same) = (make(_dates(vendor, columns)) for columns in (BEFORE, AFTER))
    rules, DROP[vendor] = make(_rules(vendor))
    CREATE[vendor] = [*drop_dates, *after, *rules]
    BACKWARDS[vendor] = [*DROP[vendor], *drop_dates, *before]


class Migration(migrations.Migration):
    dependencies = [("scoring", "0017_work_waits_for_its_time")]
    operations = [migrations.RunPython(guarded.run(CREATE), guarded.run(BACKWARDS))]
