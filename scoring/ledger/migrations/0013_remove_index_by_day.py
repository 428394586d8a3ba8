"""Remove an index of which the one of the migration before serves all queries."""

from django.db import migrations

from players.operations import RemoveIndexOnline


class Migration(migrations.Migration):
    atomic = False
    old_code_works_because = "its queries use the index that the migration before adds"

    dependencies = [("ledger", "0012_index_entries_by_day_and_time")]

    operations = [RemoveIndexOnline("ledgerentry", "ledger_by_day")]
