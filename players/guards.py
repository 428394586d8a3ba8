"""The guards of this app's tables: triggers that refuse forbidden changes (see `players.triggers`)."""

from collections.abc import Iterator

from players.triggers import Guard, changed, not_replaced

ASSIGNMENT = "players_categoryassignment"
GRANT_COLUMNS = [
    "player_id",
    "category_id",
    "valid_from",
    "origin",
    "reason",
    "created_at",
    "created_by_id",
    "by_two",
]
REVOCATION_COLUMNS = ["revoked_at", "revoked_by_id", "revoked_reason", "revoked_alone"]
PROPOSAL = "players_proposal"
PREPARED_COLUMNS = ["kind", "key", "data", "reason", "evidence", "prepared_at", "prepared_by_id"]
JOURNAL = "players_accountevent"


def guards(vendor: str) -> Iterator[Guard]:
    """Yield the guards of category assignments, of proposals and of the journal of accounts."""
    yield from _assignments(vendor)
    yield from _proposals(vendor)
    yield Guard(JOURNAL, ("UPDATE", "DELETE"), "append_only", "", "the journal of accounts is never changed")
    yield from not_replaced(vendor, JOURNAL)


def _assignments(vendor: str) -> Iterator[Guard]:
    """Yield the guards of category assignments made by a campaign.

    Such an assignment can be revoked once. It can never be edited.
    """
    for name, granted, revoked in (
        ("of_campaign", GRANT_COLUMNS, REVOCATION_COLUMNS),
        ("with_evidence", ["evidence"], ["revoked_evidence"]),
    ):
        condition = (
            f"(OLD.origin = 'campaign' OR NEW.origin = 'campaign') AND ({changed(vendor, granted)} "
            f"OR (OLD.revoked_at IS NOT NULL AND {changed(vendor, revoked)}))"
        )
        message = "a category that a campaign gave is revoked, once, and never edited"
        yield Guard(ASSIGNMENT, ("UPDATE",), name, condition, message)
    yield from not_replaced(
        vendor,
        ASSIGNMENT,
        "old.player_id = NEW.player_id AND old.category_id = NEW.category_id "
        "AND old.valid_from = NEW.valid_from AND old.revoked_at IS NULL AND NEW.revoked_at IS NULL",
    )


def _proposals(vendor: str) -> Iterator[Guard]:
    """Yield the guards of proposals: they start as pending, are decided once and keep their content."""
    yield Guard(PROPOSAL, ("DELETE",), "kept", "", "an act that was prepared is never deleted")
    condition = "NEW.state <> 'pending' OR NEW.decided_by_id IS NOT NULL"
    message = "an act for a second person begins as one that waits"
    yield Guard(PROPOSAL, ("INSERT",), "begins", condition, message)
    condition = "OLD.state <> 'pending'"
    yield Guard(PROPOSAL, ("UPDATE",), "decided", condition, "an act that was decided never changes")
    condition = changed(vendor, PREPARED_COLUMNS)
    yield Guard(PROPOSAL, ("UPDATE",), "as_prepared", condition, "an act is decided as it was prepared")
    same = "old.kind = NEW.kind AND old.key = NEW.key AND old.state = 'pending' AND NEW.state = 'pending'"
    yield from not_replaced(vendor, PROPOSAL, same)
