"""Ratings of a whole history of tournaments, for when an old one changes and all later ones follow.

A player's rating depends on the path, but tournaments that share nobody do not depend on each other: they are
computed together, as one batch of arrays. This is the only difference from rating them one by one; the
results agree to the last few digits of a float, because sums are taken in another order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .system import A_STONE

if TYPE_CHECKING:
    from numpy import ndarray

    from .system import RatingSystem


@dataclass(frozen=True, slots=True)
class Reset:
    """Before the games of a tournament a player's rating rises to ``to``, if it is below."""

    tournament: int
    player: int
    to: float


@dataclass(frozen=True, slots=True)
class Era:
    """Tournaments under one system, in the order they were rated; numbers are indexes from 0.

    One element a game, the games of a tournament together: ``tournament`` (never falling), ``first``,
    ``second``, ``score`` (of the first), ``handicap`` (stones, first to second). One element a tournament:
    ``weight`` (of its class) and ``epsilon``.
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
class Replayed:
    """``ratings`` at the end; for each era, ``before`` and ``after`` with a row a game, first and second.

    ``before`` is the rating the game was played with, so after a reset; both are the same in all games of a
    player in one tournament.
    """

    ratings: ndarray
    before: list[ndarray] = field(default_factory=list)
    after: list[ndarray] = field(default_factory=list)


def replay(eras: list[Era], ratings: ndarray) -> Replayed:
    """Plays all eras, one after the other, from these ratings, which stay as they are.

    A player who enters later must have the rating to enter with from the start.
    """
    result = Replayed(ratings.astype(float))
    for era in eras:
        before, after = _play(era, result.ratings)
        result.before.append(before)
        result.after.append(after)
    return result


def levels(era: Era, players: int) -> ndarray:
    """For each tournament the number of its batch: one more than the last in which any of its players was."""
    import numpy as np

    tournaments = len(era.weight)
    bounds = np.searchsorted(era.tournament, np.arange(tournaments + 1)).tolist()
    pairs = np.stack((era.first, era.second), axis=1)
    also: dict[int, list[int]] = {}
    for reset in era.resets:
        also.setdefault(reset.tournament, []).append(reset.player)
    latest = np.full(players, -1, dtype=np.int32)
    found = np.empty(tournaments, dtype=np.int32)
    for tournament in range(tournaments):
        present = pairs[bounds[tournament] : bounds[tournament + 1]]
        if tournament in also:
            present = np.append(present, also[tournament])
        level = latest[present].max(initial=-1) + 1
        latest[present] = level
        found[tournament] = level
    return found


def _play(era: Era, ratings: ndarray) -> tuple[ndarray, ndarray]:
    """Moves the ratings through an era, in place."""
    import numpy as np

    level = levels(era, len(ratings))
    depth = int(level.max(initial=-1)) + 1
    of_game = level[era.tournament]
    # Sixteen bits where they do: numpy then sorts in linear time.
    order = np.argsort(of_game.astype(np.uint16 if depth < 2**16 else np.int32), kind="stable")
    bounds = np.searchsorted(of_game[order], np.arange(depth + 1)).tolist()
    # Two rows, one a side, in the order of the batches.
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
        who = players[:, games].ravel()
        old = ratings[who].reshape(2, -1)
        stones = None if helped is None else helped[games]
        change = _change(era.system, old, scores[:, games], stones, epsilon[games])
        change *= weight[games]
        np.add.at(ratings, who, change.ravel())
        new = ratings[who]
        np.maximum(new, era.system.floor, out=new)
        np.minimum(new, era.system.ceiling, out=new)
        ratings[who] = new
        before[:, games], after[:, games] = old, new.reshape(2, -1)
    return _in_order(before, order), _in_order(after, order)


def _change(system: RatingSystem, old: ndarray, scores: ndarray, stones, epsilon: ndarray) -> ndarray:
    """What games change for their two sides, before the class weight."""
    expected, stakes, bonus = system.batch(old, stones, epsilon)
    change = scores - expected
    change *= stakes
    if bonus is not None:
        change += bonus
    return change


def _in_order(sides: ndarray, order: ndarray) -> ndarray:
    """Two rows in the order of the batches as one row a game, in the order of the era."""
    import numpy as np

    found = np.empty((len(order), 2))
    found[order] = sides.T
    return found
