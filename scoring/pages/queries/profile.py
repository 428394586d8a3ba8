"""The data of a player's page, read in a fixed number of queries."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from heapq import nlargest
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.categories import categories_on, category_of
from players.models import Category, CategoryAssignment, Licence, Player
from players.models.people import LicenceState, licence_state
from scoring.ledger import conditional, systems
from scoring.ledger.conditional import StandingsVersion
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.queries.week import WEEK, place_before, place_of
from scoring.ledger.rolling import Rolling
from scoring.ledger.windows import first_day, reference_day, year_before
from scoring.promotions.pure.selection import PlaceState
from scoring.promotions.queries.ranked import CategoryCandidates, rules_of
from scoring.promotions.wording import hindrance
from ui.counting import counted_points
from ui.formatting import format_points
from ui.year_plot import YearPlot

AHEAD = timedelta(days=183)  # how far the chart looks ahead at least


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
class Week:
    """What changed in a player's standing in the last seven days.

    points: change of the 12-month total, in hundredths
    places: how many places the player went up, negative if down; None if the player is or was in no list
    """

    points: int
    places: int | None

    @property
    def lost(self) -> int:
        """How many points the player lost, in hundredths."""
        return -self.points

    @property
    def places_down(self) -> int | None:
        """How many places the player went down; None if none."""
        return -self.places if self.places and self.places < 0 else None


def players(state: StandingsVersion) -> QuerySet[Player]:
    """Return a query of players, with what `standing_of` and `licence_of` need of each."""
    day = state.as_of
    return Player.objects.annotate(
        licence_until=Licence.objects.last_day(day),
        foreign_until=Licence.objects.last_day(day, foreign=True),
    )


@dataclass(frozen=True, slots=True)
class OwnLicence:
    """The state of a player's licence, and the last day of the last one of the federation, if any."""

    state: LicenceState
    until: date | None


def licence_of(player: Any, day: date) -> OwnLicence:
    """Return the licence on `day` of a player from the query `players`."""
    return OwnLicence(licence_state(day, player.licence_until, player.foreign_until), player.licence_until)


def standing_of(
    player: Any, history: Iterable[CategoryAssignment], totals: "Totals", state: StandingsVersion
) -> tuple[Position, Week]:
    """Return the position in the AEB's standings of a player from the query `players`, and a week's change.

    One query, cached by the version of the standings, and that of `week.place_before`.

    history: from `players.categories.history_of`
    """
    category = category_of(history, state.as_of)
    licensed = licence_of(player, state.as_of).state is LicenceState.VALID
    now = totals.rolling.total(state.as_of)
    before = totals.rolling.total(state.as_of - WEEK)
    rank = of = places = None
    if category and licensed and now > 0:
        rank, of = place_of(state, category.pk, now)
        places = place_before(state, category.pk, before) - rank if before > 0 else None
    counting = totals.counting(state.as_of)
    position = Position(
        category, now, now - counting.online, counting.online, counting.tournaments, licensed, rank, of
    )
    return position, Week(now - before, places)


@dataclass(frozen=True, slots=True)
class Counting:
    """What counts in twelve months: points online, in hundredths, and the number of tournaments."""

    online: int
    tournaments: int


class Totals:
    """All ledger entries of a player as plain rows, and the sums of them that pages show.

    rows: (family, day, hundredths, online, kind) of every entry
    standing: (day, id) of the entries that stand: no reversals, and nothing that was reversed
    """

    def __init__(
        self, rows: Iterable[tuple[str, date, int, bool, str]], standing: Iterable[tuple[date, int]] = ()
    ) -> None:
        self.rows, self.standing = list(rows), list(standing)
        self.rolling = Rolling((day, points) for family, day, points, *_rest in self.rows if family == FAMILY)

    def counting(self, day: date) -> Counting:
        """Return what counts in the twelve months up to `day`, of the AEB's points."""
        first = first_day(day)
        rows = [row for row in self.rows if row[0] == FAMILY and first <= row[1] <= day]
        added = sum(kind in ("award", "opening") for *_rest, kind in rows)
        taken = sum(kind == "reversal" for *_rest, kind in rows)
        return Counting(sum(row[2] for row in rows if row[3]), added - taken)

    def latest(self, day: date, most: int) -> list[int]:
        """Return the ids of the latest entries up to `day` that stand."""
        return [pk for _day, pk in nlargest(most, (entry for entry in self.standing if entry[0] <= day))]

    def others(self, day: date) -> list[dict[str, Any]]:
        """Return the totals of the points systems other than the AEB's.

        Records have `system`, `decimals` and, in hundredths, `recent` (of the 12 months) and `total`.
        """
        first = first_day(day)
        recent: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for family, played, points, *_rest in self.rows:
            if family != FAMILY and played <= day:
                total[family] += points
                recent[family] += points if played >= first else 0
        return [
            {
                "system": systems.of(family),
                "decimals": systems.of(family).decimals({}, day),
                "recent": recent[family],
                "total": total[family],
            }
            for family in sorted(total)
        ]


def totals_of(player: Player) -> Totals:
    """Return all ledger entries of a player, summed up. One query."""
    entries = LedgerEntry.objects.filter(player=player).order_by()
    columns = ("family", "played_on", "points", "online", "kind", "pk", "reverses")
    rows, stand, reversed_ids = [], {}, set()
    for *row, pk, reverses in entries.values_list(*columns):
        rows.append(tuple(row))
        if reverses is None:
            stand[pk] = row[1]
        else:
            reversed_ids.add(reverses)
    return Totals(rows, [(day, pk) for pk, day in stand.items() if pk not in reversed_ids])


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
    if category is None:
        return None
    day = standings.as_of
    rule = rules_of(standings).get(category.pk)
    if rule is None:
        return None
    candidates = CategoryCandidates(standings, day.year, reference_day(day.year, day), category, rule)
    if candidates.cut.points is None:
        return None
    points, state = candidates.result_of(player.pk)
    return Prospect(candidates, candidates.cut.points, points, state, own)


def plot_of(rolling: Rolling, day: date, lang: str, cut: int | None) -> YearPlot | None:
    """Return the chart of a player's 12-month total, or None if the player has no points in two years.

    It shows the past twelve months, and what becomes of the points until the end of the year and for at least
    half a year, if no more is played.

    cut: today's estimate of the points to move up, in hundredths
    """
    past = rolling.past(year_before(day), day)
    if not any(points for _day, points in past):
        return None
    last = date(day.year, 12, 31)
    end = max(last, day + AHEAD)
    ahead = [point for point in rolling.ahead(day) if point[0] <= end]
    ahead.append((end, ahead[-1][1]))
    values = {"now": counted_points(past[-1][1]), "left": format_points(rolling.left_on(last, day), lang)}
    desc = _("Today %(now)s; %(left)s on 31 December if nothing more is played.") % values
    if cut is not None:
        desc += " " + _("The estimated promotion cut is %(cut)s.") % {"cut": format_points(cut, lang)}
    year_end = (last, rolling.left_on(last, day)) if last > day else None
    return YearPlot(past, ahead, desc, year_end, cut)
