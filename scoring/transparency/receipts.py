"""What proves an entry: its leaf with the proof of inclusion, and the data from which it can be scored again.

Nothing in it names anybody: `tools/verify_log.py --receipt` checks it without the site.
"""

import base64
from typing import Any

from scoring import regulations
from scoring.ledger import systems
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.transparency.models import Leaf
from scoring.transparency.queries import Inclusion, inclusion_of, published_note

Kind = LedgerEntry.Kind


def receipt_of(entry: LedgerEntry) -> dict[str, Any] | None:
    """Return the receipt of an entry as JSON values; None if no checkpoint has the entry yet.

    Keys: `index`, `leaf`, `proof` (base64) of the entry; `size` and `checkpoint` of the log. An award also
    has `run`, the leaf with the digest of the inputs; `inputs`, as they were stored; `event`, which
    `manage.py score` takes; and the `contestant` that has the points. Raise EngineError if the regulation is
    unknown.
    """
    leaf = Leaf.objects.filter(entry=entry).first()
    proven = inclusion_of(leaf) if leaf else None
    if proven is None:
        return None
    receipt = {
        **_proof(proven),
        "size": proven.checkpoint.size,
        "checkpoint": published_note(proven.checkpoint),
    }
    return receipt | (_scored(entry, entry.run) if entry.kind == Kind.AWARD and entry.run else {})


def _proof(proven: Inclusion) -> dict[str, Any]:
    proof = [base64.b64encode(part).decode() for part in proven.proof]
    return {"index": proven.index, "leaf": proven.data.decode(), "proof": proof}


def _scored(entry: LedgerEntry, run: ScoringRun) -> dict[str, Any]:
    assert entry.contestant is not None  # every award has one
    contestant = str(entry.contestant.position)
    [event] = [
        stored["event"]
        for stored in run.inputs
        if any(one["id"] == contestant for one in stored["event"]["contestants"])
    ]
    regulation = regulations.get(run.regulation)
    event = {"regulation": run.regulation, **systems.of_regulation(regulation).input_of(regulation, event)}
    leaf = Leaf.objects.filter(run=run).first()
    proven = inclusion_of(leaf) if leaf else None
    return {
        "run": _proof(proven) if proven else None,
        "digest": run.input_digest,
        "inputs": run.inputs,
        "event": event,
        "contestant": contestant,
    }
