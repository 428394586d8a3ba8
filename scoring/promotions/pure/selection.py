"""Who moves up from a category at year end, and who down (federation rules, section 6). Pure.

The list of a category goes by points. The rule's criteria are combined: whoever moves up has the points and
the tournaments it asks for, is not blocked by the modified average, and takes one of its places. Whoever has
the points of the last place taken comes in too.
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


class State(StrEnum):
    """What the rule says of one player, and why. The first three move up."""

    MOVES = "moves"
    TIED = "tied"  # moves up, having as many points as others at the cut
    WARNED = "warned"  # moves up, and the modified average is lower than it should be
    BELOW = "below"  # the places went to players with more points
    LOW = "low"  # fewer points than the rule asks for
    FEW = "few"  # would have had a place, had there been enough tournaments
    BLOCKED = "blocked"  # would have had a place but for the modified average
    UNLICENSED = "unlicensed"
    DECEASED = "deceased"
    DOWN = "down"

    @property
    def up(self) -> bool:
        """Whether the player moves up."""
        return self in (State.MOVES, State.TIED, State.WARNED)


@dataclass(frozen=True, slots=True)
class Rule:
    """How a category is selected from. None: the criterion is not used. Points are integer hundredths.

    `share` (of the players with points, rounded up, at least `minimum`) and `count` both limit the places:
    the smaller holds. `effect`, `blocked_place`: values of `PromotionRule.Effect` and `.BlockedPlace`. With
    `licence` only players with a licence are in the list. Whoever does not move up and has fewer points than
    `demote_below` moves down.
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
        """Whether a modified average can change anything: one that is missing is worth a remark then."""
        return self.average is not None and self.effect in ("warn", "block")

    def too_low(self, average: Decimal | None) -> bool:
        """Whether an average is under what is asked for; one that is missing never is."""
        return self.looks_at_average and average is not None and average < self.average

    def blocks(self, average: Decimal | None) -> bool:
        """Whether this average keeps a player from moving up."""
        return self.effect == "block" and self.too_low(average)

    def places(self, players: int) -> int:
        """How many of a list of `players` may move up, ties apart."""
        limits = [players]
        if self.share is not None:
            limits.append(max(ceil(self.share * players), self.minimum))
        if self.count is not None:
            limits.append(self.count)
        return min(limits)


class Entrant(NamedTuple):
    """One player of a category with the figures of the year: points in hundredths, `average` in percent.

    A big federation has hundreds of thousands, and a tuple is made three times as fast as an object.
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
    """One player in the list. `margin`: hundredths above the cut (negative: short of it), None without a cut.

    `rank` is None for a player whom the missing licence keeps out of the list; `shared` says that others have
    the same rank.
    """

    entrant: Entrant
    rank: int | None
    shared: bool
    state: State
    margin: int | None


@dataclass(frozen=True, slots=True)
class Selection:
    """The list of a category, most points first. `quota`: the places that the rule gives.

    `cut`: the fewest points with which a place could be had; None where the rule gives no place.
    """

    quota: int
    cut: int | None
    places: tuple[Place, ...]

    @property
    def movers(self) -> tuple[Place, ...]:
        """Those who move up."""
        return tuple(place for place in self.places if place.state.up)

    @property
    def fallers(self) -> tuple[Place, ...]:
        """Those who move down."""
        return tuple(place for place in self.places if place.state is State.DOWN)

    @property
    def listed(self) -> tuple[Place, ...]:
        """Those with a rank."""
        return tuple(place for place in self.places if place.rank is not None)


def select(entrants: Iterable[Entrant], rule: Rule) -> Selection:
    """Choose among the players of a category; those without points in the year never enter.

    Raises ValueError for a share outside 0 < share <= 1, and for a rule that limits nothing.
    """
    if rule.share is not None and not 0 < rule.share <= 1:
        raise ValueError(f"not a share: {rule.share}")
    if rule.share is None and rule.count is None and rule.points is None:
        raise ValueError("a rule without share, count or points would move everybody up")
    entered = sorted((each for each in entrants if each.points > 0), key=_by_points)
    listed = [each for each in entered if each.licensed or not rule.licence]
    quota = rule.places(len(listed))
    taking = (each.points for each in listed if _takes_a_place(each, rule))
    taken = list(islice(taking, quota))
    cut = _cut(taken, quota, rule)
    tied = len(taken) == quota and (taken.count(cut) > 1 or next(taking, 0) == cut)
    return Selection(quota, cut, tuple(_places(entered, listed, rule, cut, tied)))


def _by_points(entrant: Entrant) -> tuple[int, int]:
    return -entrant.points, entrant.player_id


def _takes_a_place(entrant: Entrant, rule: Rule) -> bool:
    """Whether a place goes to this player when the turn comes; else it passes to the next."""
    if entrant.deceased or entrant.tournaments < rule.tournaments or entrant.points < (rule.points or 0):
        return False
    return rule.blocked_place == "empty" or not rule.blocks(entrant.average)


def _cut(taken: Sequence[int], quota: int, rule: Rule) -> int | None:
    """The points of the last place; where places are left over, the fewest that the rule takes."""
    if not quota:
        return None
    if len(taken) < quota:
        return rule.points or 1
    return taken[-1]


def _places(
    entered: Sequence[Entrant], listed: Sequence[Entrant], rule: Rule, cut: int | None, tied: bool
) -> Iterable[Place]:
    with_points = Counter(each.points for each in listed)
    first: dict[int, int] = {}  # points -> the first place of those who have them
    for position, each in enumerate(listed, start=1):
        first.setdefault(each.points, position)
    for each in entered:
        in_list = each.licensed or not rule.licence
        yield Place(
            entrant=each,
            rank=first[each.points] if in_list else None,
            shared=in_list and with_points[each.points] > 1,
            state=_state(each, rule, cut, tied),
            margin=None if cut is None else each.points - cut,
        )


def _state(entrant: Entrant, rule: Rule, cut: int | None, tied: bool) -> State:
    if entrant.deceased:
        return State.DECEASED
    if rule.licence and not entrant.licensed:
        return State.UNLICENSED
    state = _by_merit(entrant, rule, cut, tied)
    if not state.up and rule.demote_below is not None and entrant.points < rule.demote_below:
        return State.DOWN
    return state


def as_told(place: Place, rule: Rule) -> Place:
    """The place as a public list has it, which does not say who has died.

    Whom the points give no place stands below the cut, or moves down, like anybody else; who has the points
    keeps the state, and lists have one word for all who have them and do not move.
    """
    if place.state is not State.DECEASED:
        return place
    cut = None if place.margin is None else place.entrant.points - place.margin
    living = _state(place.entrant._replace(deceased=False), rule, cut, tied=False)
    return place if living.up else place._replace(state=living)


def _by_merit(entrant: Entrant, rule: Rule, cut: int | None, tied: bool) -> State:
    if rule.points is not None and entrant.points < rule.points:
        return State.LOW
    if cut is None or entrant.points < cut:
        return State.BELOW
    if entrant.tournaments < rule.tournaments:
        return State.FEW
    if rule.blocks(entrant.average):
        return State.BLOCKED
    if rule.too_low(entrant.average):
        return State.WARNED
    return State.TIED if tied and entrant.points == cut else State.MOVES
