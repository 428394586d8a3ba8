"""A pairs session played board by board, for result files: travellers, matchpoints and the ranking agree."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from random import Random

CENT = Decimal("0.01")
BOARDS_A_ROUND = 3


@dataclass(frozen=True, slots=True)
class Entrant:
    """A name and a number as the director's program has them."""

    number: str
    name: str


@dataclass(frozen=True, slots=True)
class Traveller:
    """One result of one board: pair numbers, North-South's score and both sides' matchpoints."""

    board: int
    ns: int
    ew: int
    score: int
    ns_points: int
    ew_points: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """A pair of the ranking, its percentage with two decimals."""

    place: int
    number: int
    players: tuple[Entrant, Entrant]
    percentage: Decimal


@dataclass(frozen=True, slots=True)
class PairsSession:
    """Everything a scoring program knows: the ranking, best first, and the travellers."""

    boards: int
    ranking: tuple[Ranked, ...]
    travellers: tuple[Traveller, ...]


def play_session(
    pairs: list[tuple[Entrant, Entrant]], strengths: list[float], boards: int, rng: Random
) -> PairsSession:
    """Every pair plays every board once, three a round, against somebody new each round. One ranking of all.

    `pairs` are an even number, of more than boards divided by three.
    """
    tables = len(pairs) // 2
    travellers, points = [], dict.fromkeys(range(1, len(pairs) + 1), 0)
    for board in range(1, boards + 1):
        meetings = howell(len(pairs), (board - 1) // BOARDS_A_ROUND)
        scores = [_score(strengths[ns - 1] - strengths[ew - 1], rng) for ns, ew in meetings]
        for (ns, ew), score in zip(meetings, scores, strict=True):
            mine = sum(2 * (score > other) + (score == other) for other in scores) - 1  # not against itself
            travellers.append(Traveller(board, ns, ew, score, mine, 2 * (tables - 1) - mine))
            points[ns] += mine
            points[ew] += 2 * (tables - 1) - mine
    top = 2 * (tables - 1) * boards
    percentages = {
        number: (Decimal(100 * won) / top).quantize(CENT, ROUND_HALF_UP) for number, won in points.items()
    }
    order = sorted(percentages, key=lambda number: -percentages[number])
    ranking = []
    for index, number in enumerate(order, start=1):
        tied = ranking and ranking[-1].percentage == percentages[number]
        place = ranking[-1].place if tied else index
        ranking.append(Ranked(place, number, pairs[number - 1], percentages[number]))
    return PairsSession(boards, tuple(ranking), tuple(travellers))


def howell(size: int, turn: int) -> list[tuple[int, int]]:
    """(North-South, East-West) of each table in a round, from 0 on: the last pair stays, the others move."""
    ring = list(range(1, size))
    order = [size, *ring[turn:], *ring[:turn]]
    tables = [(order[k], order[-1 - k]) for k in range(size // 2)]
    return [pair if (turn + k) % 2 else pair[::-1] for k, pair in enumerate(tables)]


def _score(edge: float, rng: Random) -> int:
    """A plausible score of a deal from North-South's side: tens, rarely large."""
    return 10 * round(edge * 2.5 + rng.gauss(0, 32))
