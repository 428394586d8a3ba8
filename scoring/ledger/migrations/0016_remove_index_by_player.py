"""Remove an index of which the one of the migration before serves all queries."""

from django.db import migrations

from players.operations import RemoveIndexOnline


class Migration(migrations.Migration):
    atomic = False
    old_code_works_because = "its queries use the index that the migration before adds"

    dependencies = [("ledger", "0015_index_entries_of_players")]

    operations = [RemoveIndexOnline("ledgerentry", "ledger_by_player")]
