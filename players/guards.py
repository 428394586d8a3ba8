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
JOURNAL_COLUMNS = ["account_id", "kind", "at", "by_id", "proposal_id", "holds"]
PROPOSAL = "players_proposal"
PREPARED_COLUMNS = ["kind", "key", "data", "reason", "evidence", "prepared_at", "prepared_by_id"]
DECIDED_COLUMNS = [
    *(name for name in PREPARED_COLUMNS if name != "data"),
    "state",
    "decided_at",
    "decided_by_id",
    "decision_reason",
]
JOURNAL = "players_accountevent"
CONSENTS = "players_consent"
PLAYERS, ORGANISATIONS = "players_playerchange", "players_organisationchange"
# What erasing a person's data keeps of a line of the journal of players.
KEPT_COLUMNS = ["player_id", "number", "kind", "source", "reference", "at", "by_id", "proposal_id"]


def guards(vendor: str) -> Iterator[Guard]:
    """Yield the guards of category assignments, of proposals and of the journals."""
    yield from _assignments(vendor)
    yield from _proposals(vendor)
    message = "the journal of accounts is never changed"
    yield Guard(JOURNAL, ("DELETE",), "kept", "", message)
    # Only the details of a line are emptied, when the personal data of its account are erased.
    condition = f"{changed(vendor, JOURNAL_COLUMNS)} OR NOT (NEW.detail = '{{}}')"
    yield Guard(JOURNAL, ("UPDATE",), "append_only", condition, message)
    yield from not_replaced(vendor, JOURNAL)
    yield from _register(vendor)
    message = "what a person decided about their data is never changed"
    yield Guard(CONSENTS, ("UPDATE", "DELETE"), "append_only", "", message)
    yield from not_replaced(vendor, CONSENTS)


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
    # Personal data are erased from an act that was decided; `erased_at` says when.
    erased = f"(OLD.state <> 'pending' AND {changed(vendor, ['erased_at'])})"
    condition = f"OLD.state <> 'pending' AND ({changed(vendor, DECIDED_COLUMNS)} OR NOT {erased})"
    yield Guard(PROPOSAL, ("UPDATE",), "decided", condition, "an act that was decided never changes")
    prepared = [name for name in PREPARED_COLUMNS if name != "data"]
    condition = f"{changed(vendor, prepared)} OR ({changed(vendor, ['data'])} AND NOT {erased})"
    yield Guard(PROPOSAL, ("UPDATE",), "as_prepared", condition, "an act is decided as it was prepared")
    same = "old.kind = NEW.kind AND old.key = NEW.key AND old.state = 'pending' AND NEW.state = 'pending'"
    yield from not_replaced(vendor, PROPOSAL, same)


def _register(vendor: str) -> Iterator[Guard]:
    """Yield the guards of the journal of the register.

    A line is never deleted. It is changed only to empty its content, when a person's data are erased.
    """
    message = "the journal of the register is never changed"
    yield Guard(ORGANISATIONS, ("UPDATE", "DELETE"), "append_only", "", message)
    yield Guard(PLAYERS, ("DELETE",), "kept", "", message)
    emptied = "NEW.before = '{}' AND NEW.after = '{}' AND NEW.reason = ''"
    condition = f"{changed(vendor, KEPT_COLUMNS)} OR NOT ({emptied})"
    yield Guard(PLAYERS, ("UPDATE",), "append_only", condition, message)
    for table in (PLAYERS, ORGANISATIONS):
        yield from not_replaced(vendor, table)
