"""Validation of a session before it is adjusted."""

from __future__ import annotations

from decimal import Decimal

from scoring.engine.errors import EngineError
from scoring.engine.validation import in_range

from .types import BoardSession

MOST_ITERATIONS = 1000


def check(session: BoardSession, lowest: Decimal, highest: Decimal) -> None:
    """Raise EngineError, naming the field, for the first invalid value of the session.

    lowest, highest: the least and the greatest possible score on a board, in the session's way of scoring
    """
    in_range("iterations", session.iterations, 0, MOST_ITERATIONS)
    if not session.results:
        raise EngineError("no_results", "results", "at least one result must be listed")
    keys = set()
    for k, result in enumerate(session.results):
        path = f"results[{k}]"
        if result.ns == result.ew:
            raise EngineError("same_player", f"{path}.ew", "nobody plays against themselves")
        in_range(f"{path}.ns_score", result.ns_score, lowest, highest)
        if result.ew_score is not None:
            in_range(f"{path}.ew_score", result.ew_score, lowest, highest)
        key = (result.board, frozenset((result.ns, result.ew)))
        if key in keys:
            message = f"these two already have a result on board {result.board}"
            raise EngineError("duplicate_result", path, message)
        keys.add(key)
