"""Database triggers that protect cases and their messages (see `players.triggers`)."""

from collections.abc import Iterator

from players.triggers import Guard, changed, not_replaced, quoted
from scoring.cases import states

CASE, MESSAGE = "cases_case", "cases_casemessage"
OPENED = ["kind", "player_id", "opened_at", "opened_by_id"]
WRITTEN = ["case_id", "act", "party", "state", "days", "at", "by_id"]


def guards(vendor: str) -> Iterator[Guard]:
    """Yield the guards: cases keep what they began with and follow the state machine; messages stay."""
    yield Guard(CASE, ("DELETE",), "kept", "", "a case is never deleted")
    condition = f"NEW.state NOT IN ({quoted(states.BEGINNINGS)})"
    yield Guard(CASE, ("INSERT",), "begins", condition, "a case begins with the club or with the office")
    condition = changed(vendor, OPENED)
    yield Guard(CASE, ("UPDATE",), "as_opened", condition, "a case stays what it was opened as")
    steps = quoted(states.transitions())
    condition = f"OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN ({steps})"
    yield Guard(CASE, ("UPDATE",), "steps", condition, "a case does not go from that state to that one")
    yield from not_replaced(vendor, CASE)
    yield Guard(MESSAGE, ("DELETE",), "kept", "", "a message of a case is never deleted")
    # A revision that is deleted, because an approval was refused, leaves the message without it.
    rewritten = f"(NEW.text <> '' AND {changed(vendor, ['text'])})"
    other = f"(NEW.revision_id IS NOT NULL AND {changed(vendor, ['revision_id'])})"
    condition = f"{changed(vendor, WRITTEN)} OR {rewritten} OR {other}"
    yield Guard(MESSAGE, ("UPDATE",), "as_written", condition, "a message of a case is only erased")
    yield from not_replaced(vendor, MESSAGE)
