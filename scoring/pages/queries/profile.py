"""What a player's page says of the player, gathered in a fixed number of queries."""

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
from ui.formatting import format_points
from ui.plots import Chart, rolling_total, year_total


@dataclass(frozen=True, slots=True)
class Position:
    """Where a player stands on a day: category, points, place and how many there are."""

    category: Category | None
    points: int
    in_person: int
    online: int
    tournaments: int
    licensed: bool
    rank: int | None
    of: int | None


def position_of(player: Player, day: date) -> Position:
    """The player's row of the standings; zeros for one that has none."""
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
    """The estimated cut of the running year, the player's points in it, and what is missing (or to spare).

    `state` is None for a player without points in the year, and else what everybody may read of it, or, for
    the player themself (`own`), why exactly they are no candidate.
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
        """What else than points keeps the player from moving up, in words; "" where nothing does."""
        return hindrance(self.state, own=self.own) if self.state else ""

    @property
    def missing(self) -> int:
        """Hundredths short of the cut; 0 or less for a candidate."""
        return self.cut - self.points


def prospect_of(
    player: Player, category: Category | None, standings: conditional.StandingsVersion, *, own: bool
) -> Prospect | None:
    """How far the player is from this year's cut; None where nobody moves up by points.

    After a death too: a page that no longer said it would say that.
    """
    year = standings.as_of.year
    rules = rule_set_of(year)
    if category is None or rules is None:
        return None
    found = candidates_of(standings, year, category, rules)
    if found.selection is None or found.selection.cut is None:
        return None
    place = next((p for p in found.selection.places if p.entrant.player_id == player.pk), None)
    points = place.entrant.points if place else 0
    state = public_view(place, criteria(found.rule)).state if place else None
    return Prospect(found, found.selection.cut, points, state, own)


def rolling_of(player: Player, day: date) -> Rolling:
    """The player's totals over the last two years; they look back a third."""
    oldest = first_day(year_before(year_before(day)))
    entries = LedgerEntry.objects.between(oldest, day).filter(player=player)
    return Rolling(entries.values_list("played_on", "points"))


def chart_of(rolling: Rolling, day: date, lang: str) -> Chart | None:
    """The 12-month total of the last 24 months, and how it falls as awards leave; None without awards."""
    if not rolling.days:
        return None
    past = rolling.past(year_before(year_before(day)), day)
    best_day, best = max(past, key=lambda point: point[1])
    desc = _("Today %(now)s points; the most in two years was %(best)s.") % {
        "now": format_points(past[-1][1], lang),
        "best": format_points(best, lang),
    }
    return rolling_total(past, rolling.ahead(day), desc=desc)


def year_chart_of(rolling: Rolling, day: date, lang: str, cut: int | None) -> Chart | None:
    """The points since 1 January and the estimated cut, which asks for these; None without either.

    cut: hundredths that this year's promotion would ask for today
    """
    year = rolling.year(day)
    if cut is None or not any(points for _day, points in year):
        return None
    desc = _("%(now)s points since 1 January; today the cut would be %(cut)s.") % {
        "now": format_points(year[-1][1], lang),
        "cut": format_points(cut, lang),
    }
    return year_total(year, desc=desc, cut=cut)


def history_of(player: Player) -> list[CategoryAssignment]:
    """The player's categories since the first, latest first; a revoked one stays, with its reason."""
    return list(player.assignments.select_related("category").order_by("-valid_from", "-pk"))
