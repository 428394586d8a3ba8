"""Compute the score of a contract from the law of duplicate bridge (law 77)."""

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


def _penalty(down: int, doubled: int, vulnerable: bool) -> int:
    if not doubled:
        return (100 if vulnerable else 50) * down
    if vulnerable:
        single = 300 * down - 100
    else:
        single = 200 * down - 100 + 100 * max(0, down - 3)
    return single * doubled
