"""Audit the ledger entries that follow from no tournament: some act of people has to have posted them.

A second person approved each adjustment. Approved proposals list the entries that they posted, and the
database refuses changes of approved proposals. Openings come from an imported list, from the history of a
former program, or from a dataset, in an installation that was made from it.
"""

from scoring.audit.evidence import approved_entries
from scoring.audit.verify import Difference, with_numbers
from scoring.ledger import brought_in
from scoring.ledger.isolation import consistent_read
from scoring.ledger.models import LedgerEntry
from scoring.ledger.source_keys import origin_of, proposal_id_of, taken_back_by


def openings() -> list[Difference]:
    """Return a difference for each opening that was not brought in.

    Those that a merge moved to another player are left out: the audit of transfers compares them.
    """
    with consistent_read():
        rows = LedgerEntry.objects.filter(kind=LedgerEntry.Kind.OPENING).exclude(source_key__contains=":")
        single = set()
        for first, last in brought_in.ranges():
            if first == last:
                single.add(first)
            else:
                rows = rows.exclude(pk__range=(first, last))
        columns = rows.order_by("pk").values_list("pk", "player_id", "points")
        unknown = [row for row in columns.iterator(chunk_size=2000) if row[0] not in single]
    derived = "brought in by a list or from a former program"
    return with_numbers(
        [
            Difference("opening", None, f"entry {pk}: {points}", derived, None, str(player))
            for pk, player, points in unknown
        ]
    )


def differences() -> list[Difference]:
    """Return a difference for each adjustment that no approved proposal posted.

    Adjustments that a merge moved to another player are left out.
    """
    with consistent_read():
        approved = approved_entries()
        adjustments = LedgerEntry.objects.filter(kind=LedgerEntry.Kind.ADJUSTMENT).order_by("pk")
        rows = list(adjustments.values_list("pk", "player_id", "points", "source_key"))
    # A merge takes an adjustment back and posts it again for the surviving player. The source key of the new
    # entry names the adjustment that it comes from.
    moved = {origin_of(key)[2] for *_rest, key in rows if origin_of(key)}
    unapproved = []
    for pk, player, points, key in rows:
        if pk in approved and (taken_back_by(key) or approved[pk] == proposal_id_of(key)):
            continue
        if origin_of(key) or taken_back_by(key) in moved:
            continue
        stored, derived = f"entry {pk}: {points}", "approved by a second person"
        unapproved.append(Difference("adjustment", None, stored, derived, None, str(player)))
    return with_numbers(unapproved)
