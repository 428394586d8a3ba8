"""Measure the replay of a history of Go ratings in memory.

    python -m benchmarks.egf_replay [rounds]

The history has a million games in 10,000 tournaments of five rounds, each with 40 of 20,000 players. The
replay computes the final ratings, and the ratings before and after every game, by the regulation of 2021.

It is compared with a bare NumPy loop of the same arithmetic, one tournament at a time, which keeps only the
ratings. If the package elote is installed, the replay is also compared with its plain Elo, game by game. The
package is not a requirement; docs/performance.md has its figures. Seconds are processor time. Everything runs
in one thread.
"""

import importlib.util
import sys
import time

import numpy as np

from scoring.regulations import get
from scoring.regulations.egf.replay import Era, levels, replay

from .timing import line, medians

TOURNAMENTS, ROUNDS, FIELD, PLAYERS = 10_000, 5, 40, 20_000
CLUB = 60
BARE_BAR, ELOTE_BAR = 1.5, 4.0


def history(players: int, tournaments: int) -> Era:
    """Return a history of tournaments with random pairings and results, from a fixed seed."""
    rng = np.random.default_rng(7)
    games = ROUNDS * FIELD // 2
    first, second = np.empty((2, tournaments, games), dtype=np.int64)
    for tournament in range(tournaments):
        present = rng.choice(players, FIELD, replace=False)
        for number in range(ROUNDS):
            seats = rng.permutation(present)
            rows = slice(number * FIELD // 2, (number + 1) * FIELD // 2)
            first[tournament, rows], second[tournament, rows] = seats[::2], seats[1::2]
    count = tournaments * games
    return Era(
        system=get("egf-2021"),
        tournament=np.repeat(np.arange(tournaments), games),
        first=first.ravel(),
        second=second.ravel(),
        score=rng.integers(0, 2, count).astype(float),
        handicap=np.zeros(count, dtype=np.int64),
        weight=np.ones(tournaments),
        epsilon=np.zeros(tournaments),
    )


def bare(era: Era, ratings: np.ndarray) -> np.ndarray:
    """Return the final ratings, computed by the bare formula on arrays, one tournament after another.

    ratings: the ratings before the first tournament
    """
    ratings = ratings.copy()
    tournaments = len(era.weight)
    first, second = era.first.reshape(tournaments, -1), era.second.reshape(tournaments, -1)
    score = era.score.reshape(tournaments, -1)
    for a, b, s in zip(first, second, score, strict=True):
        ra, rb = ratings[a], ratings[b]
        expected = 1 / (1 + np.exp(7 * np.log(3300 - ra) - 7 * np.log(3300 - rb)))
        gain_a = ((3300 - ra) / 200) ** 1.6 * (s - expected) + np.log(1 + np.exp((2300 - ra) / 80)) / 5
        gain_b = ((3300 - rb) / 200) ** 1.6 * (expected - s) + np.log(1 + np.exp((2300 - rb) / 80)) / 5
        np.add.at(ratings, a, gain_a)
        np.add.at(ratings, b, gain_b)
    return ratings


def elote(era: Era, ratings: np.ndarray) -> None:
    """Rate every game of the history in order with the package elote."""
    from elote import EloCompetitor

    field = [EloCompetitor(initial_rating=float(rating)) for rating in ratings]
    for a, b, score in zip(era.first.tolist(), era.second.tolist(), era.score.tolist(), strict=True):
        winner, loser = (field[a], field[b]) if score else (field[b], field[a])
        winner.beat(loser)


def processor_medians(rounds: int, **actions) -> dict[str, float]:
    """Return the median processor seconds of each action. The actions take turns."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            started = time.process_time()
            action()
            times[name].append(time.process_time() - started)
    return medians(times)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    era = history(PLAYERS, TOURNAMENTS)
    ratings = np.random.default_rng(8).uniform(100, 2700, PLAYERS)
    games, depth = len(era.first), int(levels(era, PLAYERS).max()) + 1
    print(f"Go ratings, {games:,} games in {TOURNAMENTS:,} tournaments, {depth:,} batches, {rounds} rounds")
    times = processor_medians(rounds, ours=lambda: replay([era], ratings), bare=lambda: bare(era, ratings))
    if importlib.util.find_spec("elote"):
        # Last, because its million objects fragment the memory, which slows large arrays down.
        times |= processor_medians(1, elote=lambda: elote(era, ratings))
    line("replay", f"{times['ours']:.3f} s")
    line("bare NumPy, ratings only", f"{times['bare']:.3f} s")
    ratio = times["ours"] / times["bare"]
    line("replay / bare NumPy", f"{ratio:.2f}", f"at most {BARE_BAR}", ratio <= BARE_BAR)
    if "elote" in times:
        ratio = times["elote"] / times["ours"]
        line("elote, plain Elo", f"{times['elote']:.3f} s")
        line("elote / replay", f"{ratio:.1f}", f"at least {ELOTE_BAR}", ratio >= ELOTE_BAR)
    else:
        line("elote, plain Elo", "not installed", f"at least {ELOTE_BAR}; 28 when measured")
    difference = np.abs(replay([era], ratings).ratings - bare(era, ratings)).max()
    line("largest difference between the two", f"{difference:.1e}")
    club = history(CLUB, TOURNAMENTS)
    start = np.random.default_rng(9).uniform(100, 2700, CLUB)
    times = processor_medians(rounds, ours=lambda: replay([club], start), bare=lambda: bare(club, start))
    line(f"all tournaments among {CLUB}: replay / bare NumPy", f"{times['ours'] / times['bare']:.2f}")


if __name__ == "__main__":
    main()
