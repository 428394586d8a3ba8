"""A trigger, on PostgreSQL and SQLite alike, for the evidence of a category that a campaign gave.

It is sealed like the other columns that say what was given, and how it was revoked.
"""

from importlib import import_module

from django.db import migrations

guarded = import_module("scoring.migrations.0010_campaigns_are_guarded")
sealed = import_module("scoring.migrations.0013_campaigns_are_sealed")


def _check(vendor: str):
    """As in the migration that this one adds to: table, acts, name, condition of refusal, message."""
    differs, _of_json = sealed.SAID_BY[vendor]
    condition = (
        f"(OLD.origin = 'campaign' OR NEW.origin = 'campaign') AND (OLD.evidence {differs} NEW.evidence "
        f"OR (OLD.revoked_at IS NOT NULL AND OLD.revoked_evidence {differs} NEW.revoked_evidence))"
    )
    message = "a category that a campaign gave is revoked, once, and its evidence never edited"
    yield sealed.ASSIGNMENT, ["UPDATE"], "with_evidence", condition, message


BOTH = {vendor: getattr(guarded, vendor)(_check(vendor)) for vendor in sealed.SAID_BY}
CREATE = {vendor: statements[0] for vendor, statements in BOTH.items()}
DROP = {vendor: statements[1] for vendor, statements in BOTH.items()}


class Migration(migrations.Migration):
    dependencies = [("scoring", "0015_born_as_drafts"), ("players", "0005_evidence")]
    operations = [migrations.RunPython(guarded.run(CREATE), guarded.run(DROP))]
