"""The data of a player's page, read in a fixed number of queries."""

from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from players.categories import categories_on
from players.models import Category, Player
from scoring.ledger import conditional
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.rolling import Rolling
from scoring.ledger.windows import first_day, year_before
from scoring.promotions.pure.selection import PlaceState, public_view
from scoring.promotions.queries.candidates import CategoryCandidates, candidates_of, criteria, rule_set_of
from scoring.promotions.wording import hindrance
from ui.counting import counted_points
from ui.formatting import format_points
from ui.plots import Chart, rolling_total, year_total


@dataclass(frozen=True, slots=True)
class Position:
    """A player's category, points of the last 12 months, and rank among the players of the category.

    points, in_person, online: hundredths of a point, in total and by venue
    tournaments: the number of tournaments that gave these points
    rank, of: the player has rank `rank` among `of` players; None if the standings do not list the player
    """

    category: Category | None
    points: int
    in_person: int
    online: int
    tournaments: int
    licensed: bool
    rank: int | None
    of: int | None


def position_of(player: Player, day: date) -> Position:
    """Return the player's position in the AEB's standings, with zero points if the player is not in them."""
    row = Standing.objects.filter(player=player, family="aeb").select_related("category").first()
    if row is None:
        category = categories_on(day, [player.pk]).get(player.pk)
        return Position(category, 0, 0, 0, 0, player.licences.valid_on(day).exists(), None, None)
    rank = of = None
    if row.category_id and row.points > 0 and row.licensed:
        listed = Standing.objects.ranked(row.category_id)
        rank, of = 1 + listed.filter(points__gt=row.points).count(), listed.count()
    return Position(
        row.category,
        row.points,
        row.points_in_person,
        row.points_online,
        row.tournaments,
        row.licensed,
        rank,
        of,
    )


@dataclass(frozen=True, slots=True)
class Prospect:
    """Whether a player would move up at the end of the year, judged by the points of the year so far.

    campaign: all candidates of the player's category, from which the cut is estimated
    cut: the estimated points, in hundredths, that are needed to move up
    points: the player's points of the year, in hundredths
    state: whether the player moves up, and if not, why; None if the player has no points this year
    own: whether the visitor is the player; other visitors do not see every reason
    """

    campaign: CategoryCandidates
    cut: int
    points: int
    state: PlaceState | None
    own: bool

    @property
    def candidate(self) -> bool:
        """Whether the player would move up today."""
        return self.state is not None and self.state.up

    @property
    def hindrance(self) -> str:
        """The reason, other than too few points, why the player does not move up; "" if there is none."""
        return hindrance(self.state, own=self.own) if self.state else ""

    @property
    def missing(self) -> int:
        """The points, in hundredths, that the player lacks to reach the cut; 0 or less if it is reached."""
        return self.cut - self.points

    @property
    def distance(self) -> int:
        """The points, in hundredths, between the player and the cut, above or below it."""
        return abs(self.missing)


def prospect_of(
    player: Player, category: Category | None, standings: conditional.StandingsVersion, *, own: bool
) -> Prospect | None:
    """Predict from the points so far whether the player moves up a category at the end of the year.

    Return None if nobody can move up from this category by points. A player who has died gets the same
    prediction as any other, so that the page does not reveal the death.

    own: whether the visitor is the player, who may read reasons that others may not
    """
    year = standings.as_of.year
    rules = rule_set_of(year)
    if category is None or rules is None:
        return None
    candidates = candidates_of(standings, year, category, rules)
    selection = candidates.selection
    if selection is None or selection.cut is None:
        return None
    place = next((place for place in selection.places if place.entrant.player_id == player.pk), None)
    points = place.entrant.points if place else 0
    state = public_view(place, criteria(candidates.rule)).state if place else None
    return Prospect(candidates, selection.cut, points, state, own)


def rolling_of(player: Player, day: date) -> Rolling:
    """Return the player's 12-month totals on every day of the last two years.

    They are computed from the ledger entries of the last three years.
    """
    oldest = first_day(year_before(year_before(day)))
    return Rolling(
        LedgerEntry.objects.between(oldest, day).filter(player=player).values_list("played_on", "points")
    )


def chart_of(rolling: Rolling, day: date, lang: str) -> Chart | None:
    """Return the chart of a player's 12-month total, or None if the player has no ledger entries.

    It shows the total on each day of the past two years, and how it will fall as awards expire.
    """
    if not rolling.days:
        return None
    past = rolling.past(year_before(year_before(day)), day)
    best_day, best = max(past, key=lambda point: point[1])
    desc = _("Today %(now)s; the most in two years was %(best)s.") % {
        "now": counted_points(past[-1][1]),
        "best": format_points(best, lang),
    }
    return rolling_total(past, rolling.ahead(day), desc=desc)


def year_chart_of(rolling: Rolling, day: date, lang: str, cut: int | None) -> Chart | None:
    """Return the chart of a player's points since 1 January, with the estimated cut to move up.

    Return None if the player has no points this year or if there is no cut.

    cut: today's estimate of the cut, in hundredths
    """
    year = rolling.year(day)
    if cut is None or not any(points for _day, points in year):
        return None
    desc = _("%(now)s since 1 January; today the cut would be %(cut)s.") % {
        "now": counted_points(year[-1][1]),
        "cut": format_points(cut, lang),
    }
    return year_total(year, desc=desc, cut=cut)
