"""With whom and where a player plays: sums of the player's awards by club, and with one partner."""

from collections import Counter
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Avg, Count, Exists, Max, OuterRef, QuerySet, Sum
from django.urls import reverse

from players.models import Player
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry
from scoring.pages.queries.results import FIELDS, FIGURES, effective, field_size
from tournaments.models import Seat, Tournament

Kind = LedgerEntry.Kind


def awards_between(player: Player, first: date, last: date) -> QuerySet[LedgerEntry]:
    """Return the player's AEB awards from tournaments that ended from `first` to `last`, none reversed."""
    played = LedgerEntry.objects.between(first, last, FAMILY).filter(player=player, kind=Kind.AWARD)
    return effective(played)


def clubs_played(player: Player, first: date, last: date, most: int = 0) -> list[dict[str, Any]]:
    """Return the clubs where the player played from `first` to `last`, the most frequent first. One query.

    Records have `name`, `url` and the figures of `FIGURES`.

    most: how many to return; 0 for all
    """
    columns = ("tournament__club__slug", "tournament__club__name")
    rows = awards_between(player, first, last).order_by().values(*columns).annotate(**FIGURES)
    rows = rows.order_by("-tournaments", "-sum", "tournament__club__name")
    return [
        {
            "name": row["tournament__club__name"],
            "url": reverse("club", args=[row["tournament__club__slug"]]),
            **{name: row[name] for name in FIGURES},
        }
        for row in (rows[:most] if most else rows)
    ]


@dataclass(frozen=True, slots=True)
class Together:
    """A player's pairs tournaments with one partner, or with all others.

    mean: the mean percentage, None without percentages
    points: of the player, in hundredths
    """

    tournaments: int
    mean: Decimal | None
    points: int

    @property
    def points_per_tournament(self) -> int | None:
        """The mean points of a tournament, in hundredths; None without tournaments."""
        return round(self.points / self.tournaments) if self.tournaments else None


def with_partner(player: Player, partner: Player) -> tuple[Together, Together]:
    """Return the player's pairs tournaments with a partner, and those with other partners. One query."""
    seats = Seat.objects.filter(
        contestant=OuterRef("contestant"), player__in=Player.objects.numbers_of(partner)
    )
    played = awards_between(player, date.min, date.max).filter(tournament__format=Tournament.Format.PAIRS)
    rows = (
        played.annotate(together=Exists(seats))
        .order_by()
        .values_list("together")
        .annotate(Count("tournament", distinct=True), Avg("contestant__percentage"), Sum("points"))
    )
    figures = {together: Together(*values) for together, *values in rows}
    nothing = Together(0, None, 0)
    return figures.get(True, nothing), figures.get(False, nothing)


def won_by_month(player: Player, year: int) -> list[tuple[date, int, int]]:
    """Return (first day of the month, points, tournaments) of each month of a year. One query."""
    rows = awards_between(player, date(year, 1, 1), date(year, 12, 31)).values_list("played_on", "points")
    points: Counter[int] = Counter()
    tournaments: Counter[int] = Counter()
    for day, won in rows:
        points[day.month] += won
        tournaments[day.month] += 1
    return [(date(year, month, 1), points[month], tournaments[month]) for month in range(1, 13)]


def best_of(player: Player, first: date, last: date, most: int) -> list[dict[str, Any]]:
    """Return the awards with the most points, as rows for `results.result_records`. One query."""
    rows = awards_between(player, first, last).annotate(size=field_size())
    return list(rows.order_by("-points", "-played_on", "-pk").values(*FIELDS, "size")[:most])


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a period: tournaments, the mean percentage of pairs, and the most points of one."""

    tournaments: int
    mean: Decimal | None
    best: int | None


def summary_of(player: Player, first: date, last: date) -> Summary:
    """Return the figures of the player's awards from `first` to `last`. One query."""
    figures = awards_between(player, first, last).aggregate(
        Count("tournament", distinct=True), Avg("contestant__percentage"), Max("points")
    )
    return Summary(*figures.values())
