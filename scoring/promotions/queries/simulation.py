"""What the rules would do on a day, without doing it: one rule set, or two beside each other."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from scoring.promotions.models import PromotionRuleSet
from scoring.promotions.pure.selection import Place, State
from scoring.promotions.queries.candidates import CategoryList, criteria, gather_cached
from ui.memo import collector_off, per_version


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule set makes of one category: codes, its order on the ladder, `listed` players with a rank.

    `moving` are the places of those who would move, up or down; `states` what is said of everybody.
    """

    category: str
    order: int
    target: str | None
    demotion: str | None
    listed: int
    quota: int
    cut: int | None
    moving: Mapping[int, Place]
    states: Mapping[int, State]

    @property
    def up(self) -> int:
        """How many would move up."""
        return sum(place.state.up for place in self.moving.values())

    @property
    def down(self) -> int:
        """How many would move down."""
        return len(self.moving) - self.up

    def goes(self, player_id: int) -> str | None:
        """The category that a player would move to; None for one who stays."""
        place = self.moving.get(player_id)
        return place and (self.target if place.state.up else self.demotion)


@dataclass(frozen=True, slots=True)
class Mover:
    """A player who would move by at least one of two rule sets, with what each says of them.

    A state is None where the other rule set has no rule for the category; `goes` are codes, None: stays.
    """

    category: str
    place: Place
    states: tuple[State | None, State | None]
    goes: tuple[str | None, str | None]

    @property
    def differs(self) -> bool:
        """Whether the two rule sets lead to different categories."""
        return self.goes[0] != self.goes[1]


def simulate(version: int, day: date, rule_set: PromotionRuleSet) -> dict[str, Outcome]:
    """Category code -> outcome from the points of the day's year, lowest first.

    Remembered under the version of the standings and the figures of the rules, which change without it.
    """
    rows = rule_set.rules.order_by("category__order")
    figures = (
        rule_set.average, rule_set.field_weight,
        tuple((row.category_id, row.target_id, row.demotion_target_id, criteria(row)) for row in rows),
    )  # fmt: skip
    return _simulated(version, day, rule_set, figures)


@per_version(4)  # up to 20 MB each for 150,000 players
def _simulated(version: int, day: date, rule_set: PromotionRuleSet, figures: Hashable) -> dict[str, Outcome]:
    with collector_off():
        lists = gather_cached(version, day, rule_set)
        return {each.category.code: _outcome(each) for each in lists}


def _outcome(found: CategoryList) -> Outcome:
    document, selection = found.document, found.document.selection
    going = (*selection.movers, *selection.fallers)
    return Outcome(
        category=document.category,
        order=found.category.order,
        target=document.target,
        demotion=document.demotion,
        listed=len(selection.listed),
        quota=selection.quota,
        cut=selection.cut,
        moving={place.entrant.player_id: place for place in going},
        states={place.entrant.player_id: place.state for place in selection.places},
    )


def codes_of(first: Mapping[str, Outcome], second: Mapping[str, Outcome]) -> list[str]:
    """The categories of either, highest first."""
    order = {code: outcome.order for side in (first, second) for code, outcome in side.items()}
    return sorted(order, key=order.__getitem__, reverse=True)


def movers(first: Mapping[str, Outcome], second: Mapping[str, Outcome]) -> list[Mover]:
    """Everybody who would move by either rule set, highest category and most points first.

    Who moves by both is there once, with the place that `first` gives.
    """
    with collector_off():
        return [mover for code in codes_of(first, second) for mover in _movers(code, first, second)]


def _movers(code: str, first: Mapping[str, Outcome], second: Mapping[str, Outcome]) -> Iterator[Mover]:
    """Those of one category."""
    here, there = sides = first.get(code), second.get(code)
    places = {**(there.moving if there else {}), **(here.moving if here else {})}
    for player, place in sorted(places.items(), key=lambda item: (-item[1].entrant.points, item[0])):
        states = tuple(side and side.states.get(player) for side in sides)
        yield Mover(code, place, states, tuple(side and side.goes(player) for side in sides))
