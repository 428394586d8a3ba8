"""The derivation of one contestant's adjusted result: own mean, the opponents' mean, their sum."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING

from scoring.engine.errors import EngineError
from scoring.engine.points import plain, short
from scoring.engine.rounding import decimal_of
from scoring.engine.types import Step

from .types import BoardSession, StrengthResult

if TYPE_CHECKING:
    from .scheme import Adjustment

ARTICLE = "1"


def steps(
    scheme: Adjustment, session: BoardSession, result: StrengthResult, contestant_id: str
) -> tuple[Step, ...]:
    """official and, where there is evidence, estimate, opponents and adjusted.

    The last is checked against the fixed point by whoever reads: own mean + mean of the opponents − mean of a
    board, less the surplus of an unbalanced component. Raises ``unknown_contestant``.
    """
    found = {contestant.id: contestant for contestant in result.contestants}
    own = found.get(contestant_id)
    if own is None:
        message = f"the session has no contestant {contestant_id!r}"
        raise EngineError("unknown_contestant", "results", message)
    tally = scheme.tallies(session)[contestant_id]
    working = f"{plain(decimal_of(tally.total))}/{tally.boards} = {short(own.official)}"
    params = {"boards": tally.boards, "artificial": tally.boards - tally.played}
    official = Step("official", "mean", own.official, "Σ/b", working, ARTICLE, params=params)
    if own.component is None:
        return (official,)
    mean = decimal_of(tally.earned / tally.played)
    working = f"{plain(decimal_of(tally.earned))}/{tally.played} = {short(mean)}"
    params = {"boards": tally.played}
    estimate = Step("estimate", "mean", mean, "s = Σ/b", working, ARTICLE, params=params)
    met = Counter()
    for game in session.results:
        if contestant_id in (game.ns, game.ew) and not game.adjusted:
            met[game.ew if game.ns == contestant_id else game.ns] += 1
    strength = sum(found[name].adjusted.value * boards for name, boards in met.items()) / tally.played
    terms = " + ".join(f"{boards}·{_shown(found[name].adjusted.value)}" for name, boards in met.items())
    params = {
        "met": tuple((name, boards, _exact(found[name].adjusted.value)) for name, boards in met.items())
    }
    working = f"({terms})/{tally.played} = {_shown(strength)}"
    opponents = Step("opponents", "mean", _exact(strength), "r = (Σ b·A)/b", working, ARTICLE, params=params)
    return (official, estimate, opponents, _adjusted_step(scheme, own, mean, strength))


def _adjusted_step(scheme: Adjustment, own, mean: Decimal, strength: float) -> Step:
    value = own.adjusted.value
    surplus = float(mean) + strength - scheme.mean - value
    code, working = "sum", f"{short(mean)} + {_shown(strength)} − {scheme.mean}"
    # A surplus below the reach of floats is none.
    if abs(surplus) > 1e-9:
        code, working = "projected", f"{working} − ({_shown(surplus)})"
    params = {"place": own.adjusted.place, "component": own.component, "surplus": _exact(surplus)}
    working = f"{working} = {_shown(value)}"
    return Step("adjusted", code, _exact(value), "A = s + r − μ", working, ARTICLE, params=params)


def _exact(value: float) -> Decimal:
    return Decimal(repr(value))


def _shown(value: float) -> str:
    return short(_exact(value)).replace("-", "−")
