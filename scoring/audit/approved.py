"""The audit of adjustments: each was posted by the approval of a second person, whose record is sealed."""

from scoring.audit.evidence import approved_entries
from scoring.audit.verify import Difference, numbered
from scoring.ledger.isolation import consistent_read
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services.posting import proposal_of
from scoring.ledger.source_keys import origin_of, taken_back_by


def wrong() -> list[Difference]:
    """Adjustments that no approved proposal has posted, without what a merging of two numbers moved.

    Two queries, and one more where something differs.
    """
    with consistent_read():
        approved = approved_entries()
        adjustments = LedgerEntry.objects.filter(kind=LedgerEntry.Kind.ADJUSTMENT).order_by("pk")
        rows = list(adjustments.values_list("pk", "player_id", "points", "source_key"))
    # A merging takes an adjustment back and gives it to the number kept: an entry points at the taken one.
    moved = {origin_of(key)[2] for *_rest, key in rows if origin_of(key)}
    found = []
    for pk, player, points, key in rows:
        if pk in approved and (taken_back_by(key) or approved[pk] == proposal_of(key)):
            continue
        if origin_of(key) or taken_back_by(key) in moved:
            continue
        text = "approved by a second person"
        found.append(Difference("adjustment", None, f"entry {pk}: {points}", text, None, str(player)))
    return numbered(found)
