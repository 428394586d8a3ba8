"""Triggers, on PostgreSQL and SQLite alike: what waits for a second person is approved as it was prepared.

An act begins as one that waits, what it is about never changes, it is decided once, and none is deleted.
"""

from django.db import migrations

from players import triggers

PROPOSAL = "players_proposal"
PREPARED = ["kind", "key", "data", "reason", "evidence", "prepared_at", "prepared_by_id"]


def _checks(vendor: str):
    yield PROPOSAL, ["DELETE"], "kept", "", "an act that was prepared is never deleted"
    condition = "NEW.state <> 'pending' OR NEW.decided_by_id IS NOT NULL"
    yield PROPOSAL, ["INSERT"], "begins", condition, "an act for a second person begins as one that waits"
    condition = "OLD.state <> 'pending'"
    yield PROPOSAL, ["UPDATE"], "decided", condition, "an act that was decided never changes"
    condition = triggers.changed(vendor, PREPARED)
    yield PROPOSAL, ["UPDATE"], "as_prepared", condition, "an act is decided as it was prepared"
    same = "old.kind = NEW.kind AND old.key = NEW.key AND old.state = 'pending' AND NEW.state = 'pending'"
    yield from triggers.not_replaced(vendor, PROPOSAL, same)


BOTH = {vendor: getattr(triggers, vendor)(_checks(vendor)) for vendor in triggers.DIFFERS}
CREATE = {vendor: statements[0] for vendor, statements in BOTH.items()}
DROP = {vendor: statements[1] for vendor, statements in BOTH.items()}


class Migration(migrations.Migration):
    dependencies = [("players", "0007_sort_keys")]
    operations = [migrations.RunPython(triggers.run(CREATE), triggers.run(DROP))]
