"""Select who moves up from a category at year end, and who moves down.

Uses no database. A category's list is ordered by points. All criteria of the rule apply together: to move up,
a player needs the required points and tournaments, must not be blocked by a low modified average, and must
take one of the places. Players tied with the last player who takes a place move up too.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from itertools import islice
from math import ceil
from typing import NamedTuple


class PlaceState(StrEnum):
    """The result of the promotion rule for one player.

    MOVES, TIED and WARNED mean that the player moves up.
    """

    MOVES = "moves"
    TIED = "tied"  # moves up, tied with others at the cut
    WARNED = "warned"  # moves up, although the modified average is below the threshold
    BELOW = "below"  # the places went to players with more points
    LOW = "low"  # fewer points than the rule requires
    FEW = "few"  # has the points for a place, but too few tournaments
    BLOCKED = "blocked"  # has the points for a place, but the modified average is too low
    UNLICENSED = "unlicensed"
    DECEASED = "deceased"
    DOWN = "down"

    @property
    def up(self) -> bool:
        """Whether the player moves up."""
        return self in (PlaceState.MOVES, PlaceState.TIED, PlaceState.WARNED)


@dataclass(frozen=True, slots=True)
class Rule:
    """The promotion criteria of a category. None means "not used". Points are in hundredths.

    A new criterion needs a default that means "not used", because lists frozen earlier do not contain it.

    share: number of places as a share of the listed players, rounded up
    minimum: the fewest places that `share` gives
    count: number of places; if `share` is set too, the smaller number applies
    points, tournaments: the fewest that a player needs to move up
    licence: whether only licensed players are listed
    average: the threshold of the modified average, in percent
    effect: what an average below the threshold does, a `PromotionRule.Effect`
    blocked_place: what happens to the place of a blocked player, a `PromotionRule.BlockedPlace`
    demote_below: players who do not move up and have fewer points than this move down
    """

    share: Fraction | None
    minimum: int
    count: int | None
    points: int | None
    tournaments: int
    licence: bool
    average: Decimal | None
    effect: str
    blocked_place: str
    demote_below: int | None

    @property
    def looks_at_average(self) -> bool:
        """Whether a modified average below the threshold has an effect: a warning or a block.

        Only then do pages report that a player has no average.
        """
        return self.average is not None and self.effect in ("warn", "block")

    def too_low(self, average: Decimal | None) -> bool:
        """Return whether an average warns or blocks, because it is below the threshold.

        A missing average (None) is never too low.
        """
        if average is None or self.average is None:
            return False
        return self.looks_at_average and average < self.average

    def blocks(self, average: Decimal | None) -> bool:
        """Return whether this average prevents a player from moving up."""
        return self.effect == "block" and self.too_low(average)

    def places(self, players: int) -> int:
        """Return how many players may move up from a list of `players` players, not counting ties."""
        limits = [players]
        if self.share is not None:
            limits.append(max(ceil(self.share * players), self.minimum))
        if self.count is not None:
            limits.append(self.count)
        return min(limits)


class Entrant(NamedTuple):
    """One player of a category with the year's figures: points in hundredths, `average` in percent.

    `in_person` and `online` are the points won in person and online. A large federation has hundreds of
    thousands of entrants, and tuples are created three times as fast as dataclass instances.
    """

    player_id: int
    points: int
    in_person: int
    online: int
    tournaments: int
    boards: int
    licensed: bool
    deceased: bool
    club_id: int | None
    average: Decimal | None


class Place(NamedTuple):
    """A player's row in a category's list, with the result of the promotion rule.

    rank: None for a player left out of the ranking for lack of a licence
    shared: whether other players have the same rank
    margin: the points above the cut (`Selection.cut`), in hundredths; negative below it; None without a cut
    """

    entrant: Entrant
    rank: int | None
    shared: bool
    state: PlaceState
    margin: int | None


@dataclass(frozen=True, slots=True)
class Selection:
    """The list of a category after the rule was applied, most points first.

    quota: the number of places that the rule gives
    cut: the fewest points, in hundredths, that suffice for a place; None if the rule gives no places
    """

    quota: int
    cut: int | None
    places: tuple[Place, ...]

    @property
    def movers(self) -> tuple[Place, ...]:
        """The places of the players who move up."""
        return tuple(place for place in self.places if place.state.up)

    @property
    def fallers(self) -> tuple[Place, ...]:
        """The places of the players who move down."""
        return tuple(place for place in self.places if place.state is PlaceState.DOWN)

    @property
    def listed(self) -> tuple[Place, ...]:
        """The places with a rank, that is, without the players who lack a required licence."""
        return tuple(place for place in self.places if place.rank is not None)


def select(entrants: Iterable[Entrant], rule: Rule) -> Selection:
    """Apply the rule to the players of a category. Players without points in the year are left out.

    Raises ValueError if the rule has none of share, count and points, or if its share is not above 0 and at
    most 1.
    """
    if rule.share is not None and not 0 < rule.share <= 1:
        raise ValueError(f"not a share: {rule.share}")
    if rule.share is None and rule.count is None and rule.points is None:
        raise ValueError("a rule without share, count or points would move everybody up")
    entered = sorted((entrant for entrant in entrants if entrant.points > 0), key=_by_points)
    listed = [entrant for entrant in entered if entrant.licensed or not rule.licence]
    quota = rule.places(len(listed))
    taking = (entrant.points for entrant in listed if _takes_a_place(entrant, rule))
    taken = list(islice(taking, quota))
    cut = _cut(taken, quota, rule)
    tied = cut is not None and len(taken) == quota and (taken.count(cut) > 1 or next(taking, 0) == cut)
    return Selection(quota, cut, tuple(_places(entered, listed, rule, cut, tied)))


def _by_points(entrant: Entrant) -> tuple[int, int]:
    return -entrant.points, entrant.player_id


def _takes_a_place(entrant: Entrant, rule: Rule) -> bool:
    """Return whether the player uses up one of the places. If not, the place passes to the next player."""
    if entrant.deceased or entrant.points < (rule.points or 0) or _unmet(entrant, rule):
        return False
    return rule.blocked_place == "empty" or not rule.blocks(entrant.average)


def _unmet(entrant: Entrant, rule: Rule) -> PlaceState | None:
    """Return the state for the first criterion that the player does not meet, None if all are met.

    Points and the modified average are not checked here. A player for whom this returns a state takes no
    place.
    """
    if entrant.tournaments < rule.tournaments:
        return PlaceState.FEW
    return None


def _cut(taken: Sequence[int], quota: int, rule: Rule) -> int | None:
    """Return the cut, in hundredths: the points of the last player who takes one of the places.

    If fewer players take a place than the quota, return the fewest points that the rule accepts. If the quota
    is 0, return None.

    taken: the points of the players who take a place, most first
    """
    if not quota:
        return None
    if len(taken) < quota:
        return rule.points or 1
    return taken[-1]


def _places(
    entered: Sequence[Entrant], listed: Sequence[Entrant], rule: Rule, cut: int | None, tied: bool
) -> Iterable[Place]:
    with_points = Counter(entrant.points for entrant in listed)
    rank_by_points: dict[int, int] = {}
    for position, entrant in enumerate(listed, start=1):
        rank_by_points.setdefault(entrant.points, position)
    for entrant in entered:
        in_list = entrant.licensed or not rule.licence
        yield Place(
            entrant=entrant,
            rank=rank_by_points[entrant.points] if in_list else None,
            shared=in_list and with_points[entrant.points] > 1,
            state=state_of(entrant, rule, cut, tied),
            margin=None if cut is None else entrant.points - cut,
        )


def state_of(entrant: Entrant, rule: Rule, cut: int | None, tied: bool) -> PlaceState:
    """Return the result of the rule for one player.

    cut: as `Selection.cut`
    tied: whether several players have exactly the points of the cut and take a place
    """
    if entrant.deceased:
        return PlaceState.DECEASED
    if rule.licence and not entrant.licensed:
        return PlaceState.UNLICENSED
    state = _by_merit(entrant, rule, cut, tied)
    if not state.up and rule.demote_below is not None and entrant.points < rule.demote_below:
        return PlaceState.DOWN
    return state


def public_view(place: Place, rule: Rule) -> Place:
    """Return the place as public lists show it, without disclosing that a player has died.

    A deceased player who would not have moved up gets the state of a living player. A deceased player who
    would have moved up keeps the state DECEASED: public lists use the same text for everybody who has enough
    points and does not move.
    """
    if place.state is not PlaceState.DECEASED:
        return place
    cut = None if place.margin is None else place.entrant.points - place.margin
    living = state_of(place.entrant._replace(deceased=False), rule, cut, tied=False)
    return place if living.up else place._replace(state=living)


def _by_merit(entrant: Entrant, rule: Rule, cut: int | None, tied: bool) -> PlaceState:
    if rule.points is not None and entrant.points < rule.points:
        return PlaceState.LOW
    if cut is None or entrant.points < cut:
        return PlaceState.BELOW
    if unmet := _unmet(entrant, rule):
        return unmet
    if rule.blocks(entrant.average):
        return PlaceState.BLOCKED
    if rule.too_low(entrant.average):
        return PlaceState.WARNED
    return PlaceState.TIED if tied and entrant.points == cut else PlaceState.MOVES
