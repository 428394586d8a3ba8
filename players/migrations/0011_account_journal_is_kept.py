"""Triggers, on PostgreSQL and SQLite alike: lines of the journal of accounts are never changed or deleted."""

from django.db import migrations

from players import triggers

JOURNAL = "players_accountevent"


def _checks(vendor: str):
    yield JOURNAL, ["UPDATE", "DELETE"], "append_only", "", "the journal of accounts is never changed"
    yield from triggers.not_replaced(vendor, JOURNAL)


BOTH = {vendor: getattr(triggers, vendor)(_checks(vendor)) for vendor in triggers.DIFFERS}
CREATE = {vendor: statements[0] for vendor, statements in BOTH.items()}
DROP = {vendor: statements[1] for vendor, statements in BOTH.items()}


class Migration(migrations.Migration):
    dependencies = [("players", "0010_account_journal")]
    operations = [migrations.RunPython(triggers.run(CREATE), triggers.run(DROP))]
