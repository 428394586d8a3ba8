"""The derivation of one contestant's adjusted result, step by step.

The adjusted result is the contestant's mean result plus the mean strength of the opponents.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any, Protocol

from scoring.engine.errors import EngineError
from scoring.engine.points import plain, short
from scoring.engine.rounding import decimal_of
from scoring.engine.types import Step

from .types import AdjustedContestant, BoardSession, StrengthResult, Tally

ARTICLE = "1"


class Scheme(Protocol):
    """The attributes and methods of an adjustment that a receipt uses."""

    @property
    def mean(self) -> int: ...

    def tallies(self, session: BoardSession) -> dict[str, Tally]: ...


def steps(
    scheme: Scheme, session: BoardSession, result: StrengthResult, contestant_id: str
) -> tuple[Step, ...]:
    """Return the steps of one contestant's receipt. Raise EngineError ``unknown_contestant``.

    The keys of the steps are ``official`` and, if the contestant has a board without an artificial score,
    ``estimate``, ``opponents`` and ``adjusted``.

    The last step computes the adjusted result: own mean + mean of the opponents − mean of a board. The scores
    of the contestant's component may have a mean above that of a board. The step then also subtracts this
    surplus.
    """
    contestants = {contestant.id: contestant for contestant in result.contestants}
    own = contestants.get(contestant_id)
    if own is None:
        message = f"the session has no contestant {contestant_id!r}"
        raise EngineError("unknown_contestant", "results", message)
    tally = scheme.tallies(session)[contestant_id]
    working = f"{plain(decimal_of(tally.total))}/{tally.boards} = {short(own.official)}"
    params: dict[str, Any] = {"boards": tally.boards, "artificial": tally.boards - tally.played}
    official = Step("official", "mean", own.official, "Σ/b", working, ARTICLE, params=params)
    if own.component is None:
        return (official,)
    mean = decimal_of(tally.earned / tally.played)
    working = f"{plain(decimal_of(tally.earned))}/{tally.played} = {short(mean)}"
    params = {"boards": tally.played}
    estimate = Step("estimate", "mean", mean, "s = Σ/b", working, ARTICLE, params=params)
    boards_against: Counter[str] = Counter()
    for board in session.results:
        if contestant_id in (board.ns, board.ew) and not board.adjusted:
            boards_against[board.ew if board.ns == contestant_id else board.ns] += 1
    opponents_met = [(name, boards, _value(contestants[name])) for name, boards in boards_against.items()]
    strength = sum(value * boards for _, boards, value in opponents_met) / tally.played
    terms = " + ".join(f"{boards}·{_shown(value)}" for _, boards, value in opponents_met)
    params = {"met": tuple((name, boards, _exact(value)) for name, boards, value in opponents_met)}
    working = f"({terms})/{tally.played} = {_shown(strength)}"
    opponents = Step("opponents", "mean", _exact(strength), "r = (Σ b·A)/b", working, ARTICLE, params=params)
    return (official, estimate, opponents, _adjusted_step(scheme, own, mean, strength))


def _adjusted_step(scheme: Scheme, own: AdjustedContestant, mean: Decimal, strength: float) -> Step:
    value = _value(own)
    surplus = float(mean) + strength - scheme.mean - value
    code, working = "sum", f"{short(mean)} + {_shown(strength)} − {scheme.mean}"
    # A smaller surplus is only a rounding error of floats.
    if abs(surplus) > 1e-9:
        code, working = "projected", f"{working} − ({_shown(surplus)})"
    params = {"place": own.adjusted.place, "component": own.component, "surplus": _exact(surplus)}
    working = f"{working} = {_shown(value)}"
    return Step("adjusted", code, _exact(value), "A = s + r − μ", working, ARTICLE, params=params)


def _value(contestant: AdjustedContestant) -> float:
    assert contestant.adjusted.value is not None  # it is None only if no board counts for strength
    return contestant.adjusted.value


def _exact(value: float) -> Decimal:
    return Decimal(repr(value))


def _shown(value: float) -> str:
    return short(_exact(value)).replace("-", "−")
