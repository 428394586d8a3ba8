"""Database triggers that keep the transparency log append-only. See `players.triggers`."""

from collections.abc import Iterator

from players.triggers import Guard, not_replaced

MESSAGE = "the transparency log is append-only"
GROWS = "a witnessed log only grows"
# Table -> conditions under which SQLite's INSERT OR REPLACE would replace a row. See `not_replaced`.
TABLES = {
    "transparency_leaf": ("old.entry_id = NEW.entry_id", "old.run_id = NEW.run_id"),
    "transparency_node": ("old.level = NEW.level AND old.number = NEW.number",),
    "transparency_pseudonym": ("old.player_id = NEW.player_id", "old.code = NEW.code"),
    "transparency_checkpoint": (),
    "transparency_cosignature": ("old.checkpoint_id = NEW.checkpoint_id AND old.witness = NEW.witness",),
    "transparency_stamp": ("old.checkpoint_id = NEW.checkpoint_id",),
}


def guards(vendor: str) -> Iterator[Guard]:
    """Yield the triggers that refuse to change, delete or replace a row of the log."""
    for table, conditions in TABLES.items():
        yield Guard(table, ("UPDATE", "DELETE"), "append_only", "", MESSAGE)
        yield from not_replaced(vendor, table, *conditions)
    # A witness that forgets how large a log was would cosign another story of it.
    smaller = "NEW.origin <> OLD.origin OR NEW.size < OLD.size"
    yield Guard("transparency_witnessedlog", ("UPDATE",), "only_grows", smaller, GROWS)
    yield Guard("transparency_witnessedlog", ("DELETE",), "kept", "", GROWS)
