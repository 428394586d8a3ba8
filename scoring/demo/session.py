"""The simulation of a pairs session board by board. Travellers, matchpoints and ranking are consistent."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from random import Random
from typing import Any

from tournaments.formats.types import Deal

from .hands import Play, play, random_deal

CENT = Decimal("0.01")
BOARDS_PER_ROUND = 3


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player's federation number and name, as a scoring program knows them."""

    number: str
    name: str


@dataclass(frozen=True, slots=True)
class Traveller:
    """One result of one board: the numbers of both pairs, what happened, and both sides' matchpoints."""

    board: int
    ns: int
    ew: int
    play: Play
    ns_points: int
    ew_points: int

    @property
    def score(self) -> int:
        return self.play.score


@dataclass(frozen=True, slots=True)
class RankedPair:
    """A pair in the ranking of a session.

    players: the pair, as it was passed to `play_session`
    percentage: with two decimals
    """

    place: int
    number: int
    players: tuple[Any, Any]
    percentage: Decimal


@dataclass(frozen=True, slots=True)
class PairsSession:
    """A played session: the number of boards, the ranking, best pair first, all travellers, and the deals."""

    boards: int
    ranking: tuple[RankedPair, ...]
    travellers: tuple[Traveller, ...]
    deals: tuple[Deal, ...]


def play_session(
    pairs: Sequence[tuple[Any, Any]], strengths: list[float], boards: int, rng: Random
) -> PairsSession:
    """Simulate a session with one ranking. Every pair plays every board, against new opponents in each round.

    The number of pairs must be even and greater than the number of rounds.

    strengths: the strength of each pair, in the order of `pairs`
    """
    tables = len(pairs) // 2
    travellers, points = [], dict.fromkeys(range(1, len(pairs) + 1), 0)
    deals = tuple(random_deal(board, rng) for board in range(1, boards + 1))
    for board, deal in enumerate(deals, start=1):
        meetings = howell(len(pairs), (board - 1) // BOARDS_PER_ROUND)
        played = [play(deal, strengths[ns - 1] - strengths[ew - 1], rng) for ns, ew in meetings]
        scores = [result.score for result in played]
        for (ns, ew), result, score in zip(meetings, played, scores, strict=True):
            # Subtract the comparison of the score with itself, which gives 1.
            ns_points = sum(2 * (score > compared) + (score == compared) for compared in scores) - 1
            ew_points = 2 * (tables - 1) - ns_points
            travellers.append(Traveller(board, ns, ew, result, ns_points, ew_points))
            points[ns] += ns_points
            points[ew] += ew_points
    top = 2 * (tables - 1) * boards
    percentages = {
        number: (Decimal(100 * total) / top).quantize(CENT, ROUND_HALF_UP) for number, total in points.items()
    }
    order = sorted(percentages, key=lambda number: -percentages[number])
    ranking = []
    for index, number in enumerate(order, start=1):
        tied = ranking and ranking[-1].percentage == percentages[number]
        place = ranking[-1].place if tied else index
        ranking.append(RankedPair(place, number, pairs[number - 1], percentages[number]))
    return PairsSession(boards, tuple(ranking), tuple(travellers), deals)


def howell(size: int, turn: int) -> list[tuple[int, int]]:
    """Return the pairs at each table in one round of a Howell movement, as (North-South, East-West) numbers.

    A Howell movement is a schedule in which every pair meets every other pair once.

    size: number of pairs, numbered from 1; the last pair stays at its table
    turn: the round, from 0
    """
    ring = list(range(1, size))
    order = [size, *ring[turn:], *ring[:turn]]
    tables = [(order[k], order[-1 - k]) for k in range(size // 2)]
    return [pair if (turn + k) % 2 else pair[::-1] for k, pair in enumerate(tables)]
