"""Database triggers that keep the ledger append-only. See `players.triggers`."""

from collections.abc import Iterator

from players.triggers import Guard, not_replaced

ENTRY = "ledger_ledgerentry"


def guards(vendor: str) -> Iterator[Guard]:
    """Yield the triggers that refuse to change, delete or replace an entry."""
    message = "the ledger is append-only: add a reversing entry"
    yield Guard(ENTRY, ("UPDATE", "DELETE"), "append_only", "", message)
    yield from not_replaced(
        vendor,
        ENTRY,
        "old.reverses_id = NEW.reverses_id",
        "old.source_key = NEW.source_key AND NOT (old.source_key = '')",
        "old.run_id = NEW.run_id AND old.player_id = NEW.player_id "
        "AND old.kind = 'award' AND NEW.kind = 'award'",
    )
