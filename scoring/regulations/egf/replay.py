"""Recomputation of the ratings of a whole history of tournaments, needed when an old tournament changes.

A tournament depends only on the earlier tournaments of its players. Tournaments that do not depend on each
other are computed together, as one batch of arrays. Batches add floats in another order than rating
tournament by tournament does, so the results can differ in the last few digits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .handicap import A_STONE
from .system import RatingSystem

if TYPE_CHECKING:
    from numpy import ndarray


@dataclass(frozen=True, slots=True)
class Reset:
    """A reset: before the tournament, the player's rating is raised to ``to`` if it is lower.

    ``tournament`` and ``player`` are the indexes used in `Era`.
    """

    tournament: int
    player: int
    to: float


@dataclass(frozen=True, slots=True)
class Era:
    """Tournaments under one rating system, as arrays, in the order in which they are rated.

    Tournaments and players are identified by indexes from 0. Games are ordered by tournament.

    tournament: for each game, its tournament
    first, second: for each game, its players
    score: for each game, the score of the first player
    handicap: for each game, the stones that the first player gives the second
    weight: for each tournament, the weight of its class
    epsilon: for each tournament, its ε
    """

    system: RatingSystem
    tournament: ndarray
    first: ndarray
    second: ndarray
    score: ndarray
    handicap: ndarray
    weight: ndarray
    epsilon: ndarray
    resets: tuple[Reset, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """The players' final ratings, and the ratings of both players before and after each game.

    ``before`` and ``after`` hold one array per era, of shape (games, 2), whose columns are the
    first and the second player. ``before`` includes any reset. A tournament is rated as a whole: a player has
    the same ``before`` and the same ``after`` in all its games.
    """

    ratings: ndarray
    before: list[ndarray] = field(default_factory=list)
    after: list[ndarray] = field(default_factory=list)


def replay(eras: list[Era], ratings: ndarray) -> ReplayResult:
    """Rate the tournaments of all eras in order. An `Era` holds the tournaments under one rating system.

    The computation starts from a copy of ``ratings``.
    ``ratings`` must contain the first rating of every player, including those who first play in a later era.
    """
    result = ReplayResult(ratings.astype(float))
    for era in eras:
        before, after = _rate(era, result.ratings)
        result.before.append(before)
        result.after.append(after)
    return result


def levels(era: Era, players: int) -> ndarray:
    """Divide the tournaments into batches, and return the number of each tournament's batch.

    Tournaments of one batch have no player in common. Batches are numbered from 0. A tournament's batch
    number is one more than the highest of the earlier tournaments of its players.

    players: the number of players
    """
    import numpy as np

    tournaments = len(era.weight)
    bounds = np.searchsorted(era.tournament, np.arange(tournaments + 1)).tolist()
    pairs = np.stack((era.first, era.second), axis=1)
    reset_players: dict[int, list[int]] = {}
    for reset in era.resets:
        reset_players.setdefault(reset.tournament, []).append(reset.player)
    latest = np.full(players, -1, dtype=np.int32)
    numbers = np.empty(tournaments, dtype=np.int32)
    for tournament in range(tournaments):
        present = pairs[bounds[tournament] : bounds[tournament + 1]]
        if tournament in reset_players:
            present = np.append(present, reset_players[tournament])
        number = latest[present].max(initial=-1) + 1
        latest[present] = number
        numbers[tournament] = number
    return numbers


def _rate(era: Era, ratings: ndarray) -> tuple[ndarray, ndarray]:
    """Rate an era, changing ``ratings`` in place. Return the ratings before and after each game."""
    import numpy as np

    level = levels(era, len(ratings))
    depth = int(level.max(initial=-1)) + 1
    of_game = level[era.tournament]
    # numpy sorts 16-bit integers in linear time.
    order = np.argsort(of_game.astype(np.uint16 if depth < 2**16 else np.int32), kind="stable")
    bounds = np.searchsorted(of_game[order], np.arange(depth + 1)).tolist()
    # One row per side of the games (first and second player), with the games in the order of the batches.
    players = np.stack((era.first[order], era.second[order]))
    score = era.score[order]
    scores = np.stack((score, 1 - score))
    handicap = era.handicap[order]
    helped = np.where(handicap > 0, A_STONE * (handicap - 0.5), 0.0) if handicap.any() else None
    tournament = era.tournament[order]
    weight, epsilon = era.weight[tournament], era.epsilon[tournament]
    resets: dict[int, list[Reset]] = {}
    for reset in era.resets:
        resets.setdefault(int(level[reset.tournament]), []).append(reset)
    before, after = np.empty(players.shape), np.empty(players.shape)
    for number in range(depth):
        for reset in resets.get(number, ()):
            ratings[reset.player] = max(ratings[reset.player], reset.to)
        games = slice(bounds[number], bounds[number + 1])
        present = players[:, games].ravel()
        old = ratings[present].reshape(2, -1)
        stones = None if helped is None else helped[games]
        change = _change(era.system, old, scores[:, games], stones, epsilon[games])
        change *= weight[games]
        np.add.at(ratings, present, change.ravel())
        new = ratings[present]
        np.maximum(new, era.system.floor, out=new)
        np.minimum(new, era.system.ceiling, out=new)
        ratings[present] = new
        before[:, games], after[:, games] = old, new.reshape(2, -1)
    return _in_era_order(before, order), _in_era_order(after, order)


def _change(
    system: RatingSystem, old: ndarray, scores: ndarray, stones: ndarray | None, epsilon: ndarray
) -> ndarray:
    """Return the rating changes of both players of many games, before the class weight is applied.

    Arrays have the shape (2, games), except ``stones`` (rating points for handicap stones) and ``epsilon``,
    which have one element per game.

    old: the ratings before the games
    """
    expected, stakes, bonus = system.batch(old, stones, epsilon)
    change = scores - expected
    change *= stakes
    if bonus is not None:
        change += bonus
    return change


def _in_era_order(sides: ndarray, order: ndarray) -> ndarray:
    """Convert ratings from the order of computation to the order of the games in the `Era`.

    Return an array with one row per game. Column 0 has the first player's rating, column 1 the second
    player's.

    sides: the same ratings with one column per game, in the order of computation. Row 0 has the first
        players' ratings, row 1 the second players'.
    order: for each column of `sides`, the index of its game in the `Era`
    """
    import numpy as np

    games = np.empty((len(order), 2))
    games[order] = sides.T
    return games
