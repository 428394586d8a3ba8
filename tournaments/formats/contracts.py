"""Compute the score of a contract from the law of duplicate bridge (law 77)."""

from functools import cache

from .types import Vulnerable

_MINORS, _NO_TRUMPS = "CD", "N"


def score_of(contract: str, over: int, vulnerable: bool) -> int:
    """Return declarer's points for a contract. They are negative if the contract failed.

    contract: as `cards.contract_text` returns it, such as `4S`, `3NX` or `PASS`
    over: tricks above the contract, negative if it failed
    vulnerable: whether declarer's side was vulnerable
    """
    if contract == "PASS":
        return 0
    level, strain, doubled = int(contract[0]), contract[1], contract.count("X")
    if over < 0:
        return -_penalty(-over, doubled, vulnerable)
    trick = 20 if strain in _MINORS else 30
    points = (trick * level + (10 if strain == _NO_TRUMPS else 0)) * 2**doubled
    game = points >= 100
    points += (500 if vulnerable else 300) if game else 50
    points += {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0)
    overtrick = trick if not doubled else (100 if vulnerable else 50) * 2**doubled
    return points + overtrick * over + 50 * doubled


def possible_scores(vulnerable: Vulnerable | None) -> frozenset[int]:
    """Return the points that North-South can get from a contract on a board.

    vulnerable: the sides that are vulnerable; None if that is not known
    """
    ns, ew = {
        None: ((True, False), (True, False)),
        "none": ((False,), (False,)),
        "NS": ((True,), (False,)),
        "EW": ((False,), (True,)),
        "both": ((True,), (True,)),
    }[vulnerable]
    made_by_ns = {points for state in ns for points in _points(state)}
    return frozenset({0} | made_by_ns | {-points for state in ew for points in _points(state)})


@cache
def _points(vulnerable: bool) -> frozenset[int]:
    """Return the points that a side can get as declarer, from -7600 to 2980."""
    return frozenset(
        score_of(f"{level}{strain}{doubled}", tricks - 6 - level, vulnerable)
        for level in range(1, 8)
        for strain in "CHN"  # diamonds count as clubs, spades as hearts
        for doubled in ("", "X", "XX")
        for tricks in range(14)
    )


def _penalty(down: int, doubled: int, vulnerable: bool) -> int:
    if not doubled:
        return (100 if vulnerable else 50) * down
    if vulnerable:
        single = 300 * down - 100
    else:
        single = 200 * down - 100 + 100 * max(0, down - 3)
    return single * doubled
