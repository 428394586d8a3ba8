"""Compare the results that two rankings state for the same contestants."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from tournaments.formats.types import Entry, EventInfo

FIGURES: tuple[Literal["percentage"], Literal["score"]] = ("percentage", "score")
ENOUGH = 4  # the least number of equal results that tell one ranking, if some differ
HUNDREDTH = Decimal("0.01")
ROUNDING = Decimal("0.05")  # results that differ by more, and by more than their last decimal, contradict


@dataclass(frozen=True, slots=True)
class Contradiction:
    """How two rankings contradict each other.

    index: of the first pair of entries that differ
    first, second: the results of these two entries, as messages show them
    count: the number of pairs of entries that differ
    """

    index: int
    first: str
    second: str
    count: int


def contradiction(pairs: Sequence[tuple[Entry, Entry]], has_scores: bool = True) -> Contradiction | None:
    """Return how two rankings contradict each other; None if they agree or cannot be compared.

    Percentages are compared, or scores if the rankings have no percentages in common.

    pairs: each contestant in the first and in the second ranking
    has_scores: whether the scores can be compared, because they may be in the same unit
    """
    for name in FIGURES if has_scores else FIGURES[:1]:
        figures = [(getattr(one, name), getattr(two, name)) for one, two in pairs]
        stated = [(index, one, two) for index, (one, two) in enumerate(figures) if one and two]
        if stated:
            allowed = allowed_difference([one for _, one, _two in stated], [two for _, _one, two in stated])
            differing = [item for item in stated if abs(Decimal(item[1]) - Decimal(item[2])) > allowed]
            if not differing:
                return None
            index, first, second = differing[0]
            is_share = name == "percentage"
            return Contradiction(index, shown(first, is_share), shown(second, is_share), count=len(differing))
    return None


def is_same_ranking(pairs: Sequence[tuple[Entry, Entry]], has_scores: bool = True) -> bool:
    """Return whether two files have one ranking: most common results are equal or, without any, all places.

    A few results may differ, by a penalty that only one of the files has. Sessions of the same contestants
    have hardly any equal results. If only one of the files has results, or one has percentages and the other
    scores, all places must be equal, and at least `ENOUGH`.

    pairs, has_scores: as for `contradiction`
    """
    compared = _compared(pairs, has_scores)
    if compared:
        equal, differing = compared
        return 2 * equal > len(pairs) and (not differing or equal >= ENOUGH)
    have_results = any(getattr(entry, name) for pair in pairs for entry in pair for name in FIGURES)
    are_enough = len(pairs) >= ENOUGH or not have_results
    return are_enough and all(one.place and one.place == two.place for one, two in pairs)


def equal_results(pairs: Sequence[tuple[Entry, Entry]], has_scores: bool = True) -> int:
    """Return the number of equal results if they are most, but too few to tell one ranking; else 0.

    pairs, has_scores: as for `contradiction`
    """
    equal, _differing = _compared(pairs, has_scores) or (0, 0)
    return equal if 2 * equal > len(pairs) and not is_same_ranking(pairs, has_scores) else 0


def _compared(pairs: Sequence[tuple[Entry, Entry]], has_scores: bool) -> tuple[int, int] | None:
    """Return the numbers of equal and of different results; None if the rankings have none in common."""
    for name in FIGURES if has_scores else FIGURES[:1]:
        stated = [pair for pair in pairs if all(getattr(entry, name) for entry in pair)]
        if stated:
            differing = contradiction(stated, has_scores)
            count = differing.count if differing else 0
            return len(stated) - count, count
    return None


def decimals(entries: Iterable[Entry]) -> int:
    """Return the largest number of decimals of the results of a ranking."""
    texts = [text for entry in entries for text in (entry.percentage, entry.score) if text]
    return max((-int(Decimal(text).as_tuple().exponent) for text in texts), default=0)


def shown(figure: str | Decimal, is_share: bool) -> str:
    """Return a result for a message: a percentage with two decimals and its sign, or a score as it is."""
    return f"{Decimal(figure).quantize(HUNDREDTH, ROUND_HALF_UP)}%" if is_share else str(figure)


def allowed_difference(*rankings: Sequence[str]) -> Decimal:
    """Return by how much results may differ because of rounding.

    rankings: the results of each ranking
    """
    return max(ROUNDING, *map(_unit, rankings))


def are_comparable(first: EventInfo, second: EventInfo) -> bool:
    """Return whether the scores of two rankings may be in the same unit, as far as the files state it."""
    return not first.unit or not second.unit or first.unit == second.unit


def _unit(texts: Iterable[str]) -> Decimal:
    """Return half of the last decimal of the figures of a ranking."""
    exponents = [int(Decimal(text).normalize().as_tuple().exponent) for text in texts]
    return Decimal(5).scaleb(min(0, *exponents) - 1)
