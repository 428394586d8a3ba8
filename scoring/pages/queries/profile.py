"""The data of a player's page, read in a fixed number of queries."""

from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from players.categories import categories_on
from players.models import Category, CategoryAssignment, Player
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
    """A player's category, 12-month points in hundredths, and rank in the standings of the category.

    rank, of: the player is number `rank` of `of` players; None for a player who is not listed
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
    """Return the player's position, with zero points for a player without a standing."""
    row = Standing.objects.filter(player=player, family="aeb").select_related("category").first()
    if row is None:
        category = categories_on(day, [player.pk]).get(player.pk)
        licensed = player.licences.valid_on(day).exists()
        return Position(category, 0, 0, 0, 0, licensed, None, None)
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
    """A player's points of the current year, compared with the estimated cut of the category.

    cut, points: hundredths; players move up with at least `cut` points

    state: None for a player without points in the year
    own: whether the reader is the player, who may read every reason
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
        """The reason other than points why the player does not move up, "" if there is none."""
        return hindrance(self.state, own=self.own) if self.state else ""

    @property
    def missing(self) -> int:
        """The hundredths of a point that the player lacks to reach the cut; 0 or less for a candidate."""
        return self.cut - self.points


def prospect_of(
    player: Player, category: Category | None, standings: conditional.StandingsVersion, *, own: bool
) -> Prospect | None:
    """Return the player's distance from this year's cut; None if nobody moves up by points.

    It does not depend on whether the player is alive, so that the page does not reveal a death.
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
    """Return the player's 12-month totals on every day of two years, from the entries of three years."""
    oldest = first_day(year_before(year_before(day)))
    entries = LedgerEntry.objects.between(oldest, day).filter(player=player)
    return Rolling(entries.values_list("played_on", "points"))


def chart_of(rolling: Rolling, day: date, lang: str) -> Chart | None:
    """Return the chart of a player's 12-month total, or None if the player has no entries.

    It shows the total over the past two years, and how it will fall as awards expire.
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
    """Return the chart of the points since 1 January and the estimated cut; None if either is missing.

    cut: today's estimate, in hundredths
    """
    year = rolling.year(day)
    if cut is None or not any(points for _day, points in year):
        return None
    desc = _("%(now)s since 1 January; today the cut would be %(cut)s.") % {
        "now": counted_points(year[-1][1]),
        "cut": format_points(cut, lang),
    }
    return year_total(year, desc=desc, cut=cut)


def history_of(player: Player) -> list[CategoryAssignment]:
    """Return the player's category assignments, latest first, including revoked ones."""
    return list(player.assignments.select_related("category").order_by("-valid_from", "-pk"))
