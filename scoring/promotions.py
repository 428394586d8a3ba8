"""Who may move up a category at year end (federation rules, section 6). Pure.

The first ceil(share x players) by points are candidates, never fewer than a minimum, and everybody with the
points of the last of them comes in too.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil


@dataclass(frozen=True, slots=True)
class Place:
    """One player in the list of a category: `margin` is the distance to the cut, in hundredths."""

    player_id: int
    points: int
    rank: int
    shared: bool
    candidate: bool
    at_border: bool
    margin: int


@dataclass(frozen=True, slots=True)
class Selection:
    """The list of a category. `quota` is how many the rule names, `cut` the points of the last of them.

    An empty category has quota 0 and no cut.
    """

    quota: int
    cut: int | None
    places: tuple[Place, ...]

    @property
    def candidates(self) -> tuple[Place, ...]:
        """Those who may move up, most points first."""
        return tuple(place for place in self.places if place.candidate)


def select(players: Iterable[tuple[int, int]], share: Fraction, minimum: int) -> Selection:
    """Choose among (player id, hundredths); those without points never enter.

    Raises ValueError for a share outside 0 < share <= 1.
    """
    if not 0 < share <= 1:
        raise ValueError(f"not a share: {share}")
    entered = sorted(((player, points) for player, points in players if points > 0), key=_by_points)
    quota = min(max(ceil(share * len(entered)), minimum), len(entered))
    if not quota:
        return Selection(0, None, tuple(_places(entered, None)))
    return Selection(quota, entered[quota - 1][1], tuple(_places(entered, entered[quota - 1][1])))


def _by_points(entry: tuple[int, int]) -> tuple[int, int]:
    player, points = entry
    return -points, player


def _places(entered: list[tuple[int, int]], cut: int | None) -> Iterable[Place]:
    with_points: dict[int, int] = {}
    for _player, points in entered:
        with_points[points] = with_points.get(points, 0) + 1
    rank = 0
    previous = None
    for position, (player, points) in enumerate(entered, start=1):
        if points != previous:
            rank, previous = position, points
        yield Place(
            player_id=player,
            points=points,
            rank=rank,
            shared=with_points[points] > 1,
            candidate=cut is not None and points >= cut,
            at_border=points == cut and with_points[points] > 1,
            margin=0 if cut is None else points - cut,
        )
