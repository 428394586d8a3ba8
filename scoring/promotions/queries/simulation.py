"""Simulate the category change on a day, with one rule set or two to compare."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from scoring.promotions.models import PromotionRuleSet
from scoring.promotions.pure.selection import Place, PlaceState
from scoring.promotions.queries.candidates import CategoryList, criteria, gather_cached
from ui.memo import collector_off, per_version


@dataclass(frozen=True, slots=True)
class Outcome:
    """The simulated result of a rule set for one category.

    category: the category's code
    order: the category's order on the ladder
    target, demotion: codes of the categories to which players move up and down; None if nobody does
    listed: number of players with a rank
    quota: the number of places that the rule gives
    cut: the fewest points, in hundredths, that suffice for a place; None if the rule gives no places
    moving: {player id: the player's row in the list}, of the players who would move up or down
    states: {player id: state}, of all players
    """

    category: str
    order: int
    target: str | None
    demotion: str | None
    listed: int
    quota: int
    cut: int | None
    moving: Mapping[int, Place]
    states: Mapping[int, PlaceState]

    @property
    def up(self) -> int:
        """The number of players who would move up."""
        return sum(place.state.up for place in self.moving.values())

    @property
    def down(self) -> int:
        """The number of players who would move down."""
        return len(self.moving) - self.up

    def destination(self, player_id: int) -> str | None:
        """Return the code of the category that a player would move to, None if the player stays."""
        place = self.moving.get(player_id)
        return place and (self.target if place.state.up else self.demotion)


@dataclass(frozen=True, slots=True)
class Mover:
    """A player who would move by at least one of two rule sets, with the result of each set.

    category: code of the player's category
    place: the player's place by a rule set that moves the player, by the first one if both do
    states: the player's state by each rule set, None for a set that has no rule for the category
    destinations: code of the category that each rule set moves the player to, None if the player stays
    """

    category: str
    place: Place
    states: tuple[PlaceState | None, PlaceState | None]
    destinations: tuple[str | None, str | None]

    @property
    def differs(self) -> bool:
        """Whether the two rule sets lead to different categories."""
        return self.destinations[0] != self.destinations[1]


def simulate(version: int, day: date, rule_set: PromotionRuleSet) -> dict[str, Outcome]:
    """Apply a rule set to the year's points up to `day`.

    Return the outcomes by category code, lowest category first. They are cached by the version of the
    standings and by the figures of the rules, because either can change without the other.
    """
    rows = rule_set.rules.order_by("category__order")
    rules = tuple((row.category_id, row.target_id, row.demotion_target_id, criteria(row)) for row in rows)
    return _simulated(version, day, rule_set, (rule_set.average, rule_set.field_weight, rules))


@per_version(4)  # up to 20 MB each for 150,000 players
def _simulated(version: int, day: date, rule_set: PromotionRuleSet, figures: Hashable) -> dict[str, Outcome]:
    with collector_off():
        lists = gather_cached(version, day, rule_set)
        return {item.category.code: _outcome(item) for item in lists}


def _outcome(category_list: CategoryList) -> Outcome:
    document, selection = category_list.document, category_list.document.selection
    moving = (*selection.movers, *selection.fallers)
    return Outcome(
        category=document.category,
        order=category_list.category.order,
        target=document.target,
        demotion=document.demotion,
        listed=len(selection.listed),
        quota=selection.quota,
        cut=selection.cut,
        moving={place.entrant.player_id: place for place in moving},
        states={place.entrant.player_id: place.state for place in selection.places},
    )


def codes_of(first: Mapping[str, Outcome], second: Mapping[str, Outcome]) -> list[str]:
    """Return the codes of the categories in either rule set's outcome, highest first."""
    order = {code: outcome.order for side in (first, second) for code, outcome in side.items()}
    return sorted(order, key=order.__getitem__, reverse=True)


def movers(first: Mapping[str, Outcome], second: Mapping[str, Outcome]) -> list[Mover]:
    """Return all players who would move by either rule set, highest category and most points first.

    A player who moves by both appears once, with the place from `first`.
    """
    with collector_off():
        return [mover for code in codes_of(first, second) for mover in _movers(code, first, second)]


def _movers(code: str, first: Mapping[str, Outcome], second: Mapping[str, Outcome]) -> Iterator[Mover]:
    """Yield the players of one category who would move by at least one of two rule sets, most points first.

    code: the category's code
    first, second: the simulated result under each rule set, by category code
    """
    outcomes = (first.get(code), second.get(code))
    places: dict[int, Place] = {}
    for outcome in reversed(outcomes):
        places |= outcome.moving if outcome else {}
    for player, place in sorted(places.items(), key=lambda item: (-item[1].entrant.points, item[0])):
        states = tuple(outcome and outcome.states.get(player) for outcome in outcomes)
        destinations = tuple(outcome and outcome.destination(player) for outcome in outcomes)
        yield Mover(code, place, states, destinations)
