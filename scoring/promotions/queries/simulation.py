"""Simulate the category change on a day, with one rule set or two to compare."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from scoring.promotions.models import PromotionRuleSet
from scoring.promotions.pure.documents import place_of, place_values
from scoring.promotions.pure.selection import Place, PlaceState
from scoring.promotions.queries.candidates import CategoryList, gather_by
from ui.memo import collector_off


class Summary(NamedTuple):
    """The figures of a category in a simulation.

    category: the category's code
    order: the category's order on the ladder
    target: code of the category to which players move up; None if nobody does
    listed: number of players with a rank
    cut: the fewest points, in hundredths, that suffice for a place; None if the rule gives no places
    up, down: number of players who would move up and down
    """

    category: str
    order: int
    target: str | None
    listed: int
    cut: int | None
    up: int
    down: int

    @property
    def moving(self) -> int:
        """The number of players who would move."""
        return self.up + self.down


class Outcome(NamedTuple):
    """The simulated result of a rule set for one category, with its players.

    demotion: code of the category to which players move down; None if nobody does
    moving: {player id: the player's row in the list}, of the players who would move up or down
    states: {player id: state}, of all players
    """

    summary: Summary
    demotion: str | None
    moving: Mapping[int, Place]
    states: Mapping[int, PlaceState]

    def destination(self, player_id: int) -> str | None:
        """Return the code of the category that a player would move to, None if the player stays."""
        place = self.moving.get(player_id)
        return place and (self.summary.target if place.state.up else self.demotion)


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


@dataclass(frozen=True, slots=True)
class Results:
    """What a simulation shows.

    sides: the figures of each rule set, by category code; the second are empty if nothing is compared
    movers: the players who would move by either rule set, highest category and most points first; who moves
        by both is there once, with the place by the first
    """

    sides: tuple[Mapping[str, Summary], Mapping[str, Summary]]
    movers: list[Mover]

    def as_json(self) -> dict[str, Any]:
        """Return the results as plain JSON values, from which `results_of` makes them again."""
        return {
            "sides": [list(side.values()) for side in self.sides],
            "movers": [
                [mover.category, place_values(mover.place), mover.states, mover.destinations]
                for mover in self.movers
            ],
        }


def results_of(value: dict[str, Any]) -> Results:
    """Return the results that `Results.as_json` wrote."""
    first, second = (
        {summary.category: summary for summary in map(Summary._make, side)} for side in value["sides"]
    )
    with collector_off():
        movers = [
            Mover(category, place_of(place), _states(states), (destinations[0], destinations[1]))
            for category, place, states, destinations in value["movers"]
        ]
    return Results((first, second), movers)


def _states(values: list[str | None]) -> tuple[PlaceState | None, PlaceState | None]:
    first, second = (value and PlaceState(value) for value in values)
    return first, second


def simulate(day: date, first: PromotionRuleSet, second: PromotionRuleSet | None = None) -> Results:
    """Apply one rule set, or two to compare, to the year's points up to `day`.

    All players' figures of the year are read, which takes long in a large federation: pages show what a
    worker computed (`scoring.promotions.services.simulations`).
    """
    rule_sets = [rule_set for rule_set in (first, second) if rule_set]
    with collector_off():
        outcomes = [
            {item.category.code: _outcome(item) for item in lists} for lists in gather_by(day, *rule_sets)
        ]
        sides = outcomes[0], outcomes[1] if second else {}
        summaries = _summaries(sides[0]), _summaries(sides[1])
        movers = [mover for code in codes_of(*summaries) for mover in _movers(code, *sides)]
        return Results(summaries, movers)


def _outcome(category_list: CategoryList) -> Outcome:
    document, selection = category_list.document, category_list.document.selection
    up, down = selection.movers, selection.fallers
    summary = Summary(
        category=document.category,
        order=category_list.category.order,
        target=document.target,
        listed=len(selection.listed),
        cut=selection.cut,
        up=len(up),
        down=len(down),
    )
    return Outcome(
        summary,
        document.demotion,
        moving={place.entrant.player_id: place for place in (*up, *down)},
        states={place.entrant.player_id: place.state for place in selection.places},
    )


def _summaries(side: Mapping[str, Outcome]) -> dict[str, Summary]:
    return {code: outcome.summary for code, outcome in side.items()}


def codes_of(first: Mapping[str, Summary], second: Mapping[str, Summary]) -> list[str]:
    """Return the codes of the categories in either rule set's result, highest first."""
    order = {code: summary.order for side in (first, second) for code, summary in side.items()}
    return sorted(order, key=order.__getitem__, reverse=True)


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
