"""The public candidates of a category, read from the ranked year totals.

Nothing is computed from all players of a category: their number, the cut and the rows of a page are ranges of
one index. The result is that of `pure.selection.select` without modified averages, which are private until
the year's list is published.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Case, Count, Q, QuerySet, Subquery, When

from players.models import Category
from scoring.ledger.conditional import StandingsVersion
from scoring.ledger.models import YearTotal
from scoring.ledger.windows import reference_day
from scoring.promotions.models import PromotionRule, PromotionRuleSet
from scoring.promotions.pure.selection import Entrant, Place, PlaceState, Rule, public_view, state_of
from scoring.promotions.queries.candidates import criteria, rule_of, rules_in_force
from ui.memo import per_version
from ui.paging import every_record

ORDER = ("-points", "player_id")
Criteria = tuple[tuple[int, Rule], ...]  # (category id, criteria of its rule)


class Cut(NamedTuple):
    """What decides who moves up from a category.

    listed: the number of players with a place in the list
    quota: the number of places that the rule gives
    points: the fewest points, in hundredths, that suffice for a place; None if the rule gives no places
    full: whether all places are taken
    """

    listed: int
    quota: int
    points: int | None
    full: bool


class Movers(NamedTuple):
    """The number of players who move up from a category, and how many of them have the fewest points."""

    number: int
    last: int


def totals_of(day: date, category_id: int) -> QuerySet[YearTotal]:
    """Return the totals of a category's players who have points from 1 January to `day`.

    day: a reference day (`scoring.ledger.windows.reference_day`)
    """
    return YearTotal.stored.of(day).filter(category_id=category_id, points__gt=0)


def ranked(day: date, category_id: int, rule: Rule) -> QuerySet[YearTotal]:
    """Return the totals of the players with a place in the list, most points first."""
    totals = totals_of(day, category_id).order_by(*ORDER)
    return totals.filter(licensed=True) if rule.licence else totals


def _takers(day: date, category_id: int, rule: Rule, deceased: Collection[int]) -> QuerySet[YearTotal]:
    """Return the totals of the players who meet the rule's criteria, most points first.

    deceased: ids of players who take no place because they have died
    """
    listed = ranked(day, category_id, rule)
    takers = listed.filter(tournaments__gte=rule.tournaments, points__gte=rule.points or 1)
    return takers.exclude(player_id__in=deceased) if deceased else takers


def _numbers(day: date, rules: Mapping[int, Rule]) -> dict[int, int]:
    """Return {category id: number of players with a place in the list}. One query."""
    totals = YearTotal.stored.of(day).filter(category__in=rules, points__gt=0).order_by()
    numbers = dict.fromkeys(rules, 0)
    for category, licensed, number in totals.values_list("category", "licensed").annotate(number=Count("pk")):
        if licensed or not rules[category].licence:
            numbers[category] += number
    return numbers


def _last_points(
    day: date, rules: Mapping[int, Rule], quotas: Mapping[int, int], deceased: Collection[int]
) -> dict[int, int | None]:
    """Return {category id: points of the player who takes the last place}, None if places remain. One query.

    quotas: {category id: number of places}, at least 1
    """
    last = []
    for category, quota in quotas.items():
        takers = _takers(day, category, rules[category], deceased)
        last.append(When(pk=category, then=Subquery(takers.values("points")[quota - 1 : quota])))
    rows = Category.objects.filter(pk__in=quotas).order_by()
    return dict(rows.annotate(last=Case(*last)).values_list("pk", "last"))


def rules_of(state: StandingsVersion) -> Mapping[int, PromotionRule]:
    """Return the rules by which players move up this year, by category id.

    A change of the rules is a new version of the standings.
    """
    return _rules(state.version, reference_day(state.as_of.year, state.as_of))


def cut_today(state: StandingsVersion, category_id: int) -> int | None:
    """Return the fewest points since 1 January, in hundredths, that suffice today to move up.

    None if nobody moves up from the category by points.
    """
    return cuts_of(state).get(category_id)


def cuts_of(state: StandingsVersion) -> dict[int, int | None]:
    """Return {category id: what `cut_today` returns} for the categories that players may move up from.

    Four queries at the first call for a version of the standings, however many categories there are.
    """
    day = reference_day(state.as_of.year, state.as_of)
    cuts = _cuts(state.version, day, _criteria(state.version, day))
    return {category: cut.points for category, cut in cuts.items()}


@per_version(2)
def _rules(version: int, day: date) -> dict[int, PromotionRule]:
    return rules_in_force(day)


@per_version(2)
def _criteria(version: int, day: date) -> Criteria:
    return tuple((category, criteria(row)) for category, row in _rules(version, day).items())


@per_version(8)
def _cuts(version: int, day: date, rules: Criteria) -> dict[int, Cut]:
    """Return {category id: what decides who moves up}. At most three queries, on ranges of the index."""
    numbers = _numbers(day, dict(rules))
    quotas = {category: rule.places(numbers[category]) for category, rule in rules}
    offered = {category: quota for category, quota in quotas.items() if quota}
    last = _last_points(day, dict(rules), offered, _deceased(version, day)) if offered else {}
    cuts = {}
    for category, rule in rules:
        # Where places remain, the points that the rule requires suffice.
        points = (last[category] or rule.points or 1) if category in offered else None
        cuts[category] = Cut(numbers[category], quotas[category], points, bool(last.get(category)))
    return cuts


@per_version(64)
def _movers(version: int, day: date, category_id: int, rule: Rule, points: int) -> Movers:
    takers = _takers(day, category_id, rule, _deceased(version, day)).order_by()
    moving = takers.filter(points__gte=points)
    return Movers(**moving.aggregate(number=Count("pk"), last=Count("pk", filter=Q(points=points))))


@per_version(4)
def _deceased(version: int, day: date) -> list[int]:
    """Return the ids of the players with points in the year who have died."""
    totals = YearTotal.stored.of(day).filter(player__deceased_on__isnull=False)
    return list(totals.order_by().values_list("player_id", flat=True))


@dataclass(frozen=True)
class CategoryCandidates:
    """One category's candidates at the end of a year, or as of the last standings in the current year.

    day: a reference day (`scoring.ledger.windows.reference_day`)
    row: None if nobody of this category moves up by points; then there is no list
    """

    state: StandingsVersion
    year: int
    day: date
    category: Category
    row: PromotionRule | None

    @property
    def final(self) -> bool:
        """Whether the year is over."""
        return self.day == date(self.year, 12, 31)

    @cached_property
    def rule(self) -> Rule:
        """The criteria of the rule."""
        assert self.row is not None
        return criteria(self.row)

    @cached_property
    def cut(self) -> Cut:
        """What decides who moves up. It is read together with that of the other categories of the year."""
        version, category = self.state.version, self.category.pk
        rules = _criteria(version, self.day)
        if (category, self.rule) not in rules:
            rules = ((category, self.rule),)
        return _cuts(version, self.day, rules)[category]

    @cached_property
    def movers(self) -> Movers:
        """How many players move up."""
        if self.cut.points is None:
            return Movers(0, 0)
        return _movers(self.state.version, self.day, self.category.pk, self.rule, self.cut.points)

    @property
    def _listed(self) -> QuerySet[YearTotal]:
        return ranked(self.day, self.category.pk, self.rule)

    def count(self) -> int:
        """Return the number of players with a place in the list."""
        return self.cut.listed

    def rows(self, start: int, stop: int) -> list[Place]:
        """Return the places from index `start` up to, but not including, `stop`. Three queries."""
        extra = min(start, 1)  # one more row on either side tells whether a rank is shared
        ids = list(self._listed.values_list("player_id", flat=True)[start - extra : stop + 1])
        entrants = sorted(self._entrants(ids), key=lambda entrant: (-entrant.points, entrant.player_id))
        places = list(self._places(entrants, start - extra))
        return places[extra : extra + stop - start]

    def every_place(self) -> Iterator[Place]:
        """Yield all places, some hundred at a time."""
        return every_record(self)

    def place_of(self, player_id: int) -> Place | None:
        """Return the place of a player, None for one without points in this category in the year.

        Players without a licence, whom the list leaves out, have a place without a rank.
        """
        entrant = next(self._entrants([player_id]), None)
        if entrant is None:
            return None
        in_list = entrant.licensed or not self.rule.licence
        rank = self._rank(entrant.points) if in_list else None
        shared = in_list and self._listed.filter(points=entrant.points)[:2].count() > 1
        return self._place(entrant, rank, shared)

    def result_of(self, player_id: int) -> tuple[int, PlaceState | None]:
        """Return a player's points of the year, and what the public reads about them; None without points.

        One query, beside those of the cut. Of players who move up it is not said who shares the last place.
        """
        entrant = next(self._entrants([player_id]), None)
        if entrant is None:
            return 0, None
        return entrant.points, public_view(self._place(entrant, None, False, tied=False), self.rule).state

    def _entrants(self, ids: list[int]) -> Iterator[Entrant]:
        totals = totals_of(self.day, self.category.pk).filter(player__in=ids)
        columns = ("player_id", "points", "points_in_person", "points_online", "tournaments", "licensed")
        rows = totals.values_list(*columns, "player__deceased_on", "player__club_id")
        for player, points, in_person, online, tournaments, licensed, died, club in rows:
            died = died is not None
            yield Entrant(player, points, in_person, online, tournaments, 0, licensed, died, club, None)

    def _rank(self, points: int) -> int:
        return 1 + self._listed.filter(points__gt=points).count()

    def _places(self, entrants: list[Entrant], offset: int) -> Iterator[Place]:
        """Yield the places of consecutive players, beginning with the one at the index `offset`."""
        rank = self._rank(entrants[0].points) if entrants and offset else 1
        points: list[Any] = [None, *(entrant.points for entrant in entrants), None]
        for index, entrant in enumerate(entrants, start=1):
            above, own, below = points[index - 1 : index + 2]
            if index > 1 and own != above:
                rank = offset + index
            yield self._place(entrant, rank, own in (above, below))

    def _place(self, entrant: Entrant, rank: int | None, shared: bool, *, tied: bool | None = None) -> Place:
        """Return the place of a player.

        tied: whether several players take a place with the points of the cut; None to read it
        """
        cut = self.cut.points
        if tied is None:
            tied = self.cut.full and self.movers.last > 1
        state = state_of(entrant, self.rule, cut, tied)
        return Place(entrant, rank, shared, state, None if cut is None else entrant.points - cut)


def candidates_of(
    state: StandingsVersion, year: int, category: Category, rules: PromotionRuleSet
) -> CategoryCandidates:
    """Return a category's candidates in a year, from the points up to the day of the standings."""
    day = reference_day(year, state.as_of)
    return CategoryCandidates(state, year, day, category, rule_of(rules, category, day))
