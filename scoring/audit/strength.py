"""The audit of what is stored of boards: boards played and adjusted result of every contestant.

A year's modified average reads both, so they are derived anew from the stored results of the boards, by the
function that stored them, of every ranking that has such results, corrected ones included.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from scoring.audit.played_boards import Figures, Session, sessions
from scoring.audit.verify import Difference
from scoring.engine.errors import EngineError
from scoring.ledger.isolation import consistent_read
from scoring.strength.figures import adjust_session, database_figures

NOTHING = (None, None)


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rankings that were checked: the id of the last of them, what was checked, what differs."""

    last: int
    rankings: int
    results: int
    differences: list[Difference]


def batches(
    only: int | None = None, since: date | None = None, after: int = 0, size: int = 200
) -> Iterator[Batch]:
    """Check rankings in the order of their ids, `size` at a time, from the one behind `after` on.

    only: those of a single tournament; since: of tournaments that ended on that day or later
    Three queries a batch. Memory holds the figures of a batch, and the results of one ranking.
    """
    while True:
        number, results, differences = 0, 0, []
        with consistent_read():
            for session in sessions(only, since, after, size):
                number, results, after = number + 1, results + len(session.rows), session.revision
                differences += check(session)
        if not number:
            return
        yield Batch(after, number, results, differences)


def check(session: Session) -> Iterator[Difference]:
    """What differs in one ranking; no query."""
    try:
        derived = _derive(session)
    # Results that somebody has changed by hand may be none that can be scored.
    except (EngineError, LookupError, TypeError, ValueError, ArithmeticError) as error:
        stored = f"ranking {session.revision}: {type(error).__name__}: {error}"
        yield Difference("strength", session.tournament, stored, "results of boards that can be scored")
        return
    for contestant in sorted(session.stored.keys() | derived.keys()):
        stored = session.stored.get(contestant)
        found, wanted = (stored[1:] if stored else NOTHING), derived.get(contestant, NOTHING)
        if found != wanted:
            where = f"ranking {session.revision}, {_row(stored, contestant)}"
            one, other = (f"{where}: {_text(*each)}" for each in (found, wanted))
            yield Difference("strength", session.tournament, one, other)


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
