"""Audit the stored board figures: each contestant's number of boards played and strength-adjusted result.

The modified average of the year-end category change uses both figures. The audit computes them again from
the stored board results, for every ranking that has them, including rankings that were corrected later.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from scoring.audit.played_boards import Figures, Session, sessions
from scoring.audit.verify import Batch, Difference
from scoring.engine.errors import EngineError
from scoring.ledger.isolation import consistent_read
from scoring.strength.figures import adjust_session, database_figures

NOTHING = (None, None)


def batches(
    tournament_id: int | None = None, since: date | None = None, after: int = 0, size: int = 200
) -> Iterator[Batch]:
    """Check rankings in batches of `size`, in order of id, starting after `after`.

    tournament_id, since: as in `evidence.selected`

    Three queries per batch. Memory holds the figures of a batch and the board results of one ranking.
    """
    while True:
        count, results, differences = 0, 0, []
        with consistent_read():
            for session in sessions(tournament_id, since, after, size):
                count, results, after = count + 1, results + len(session.rows), session.revision
                differences += check(session)
        if not count:
            return
        yield Batch(after, {"rankings": count, "results": results}, differences)


def check(session: Session) -> Iterator[Difference]:
    """Yield the differences between a ranking's stored board figures and those computed again. No query."""
    try:
        derived = _derive(session)
    # Results that were tampered with may be impossible to score.
    except (EngineError, LookupError, TypeError, ValueError, ArithmeticError) as error:
        stored = f"ranking {session.revision}: {type(error).__name__}: {error}"
        yield Difference("strength", session.tournament, stored, "results of boards that can be scored")
        return
    for contestant in sorted(session.stored.keys() | derived.keys()):
        stored = session.stored.get(contestant)
        pair = (stored[1:] if stored else NOTHING), derived.get(contestant, NOTHING)
        if pair[0] != pair[1]:
            where = f"ranking {session.revision}, {_row(stored, contestant)}"
            texts = (f"{where}: {_text(*figures)}" for figures in pair)
            yield Difference("strength", session.tournament, *texts)


def _derive(session: Session) -> dict[int, tuple[int, Decimal | None]]:
    if not session.scored and not session.rows:
        return {}
    if not session.scored:
        raise ValueError("nothing says how the boards were scored")
    return database_figures(adjust_session(session.scored, session.rows, {}))


def _row(stored: Figures | None, contestant: int) -> str:
    return f"row {stored.position}" if stored else f"contestant {contestant} of another ranking"


def _text(boards: int | None, value: Decimal | None) -> str:
    return "nothing" if boards is None and value is None else f"{boards} boards, {value}"
