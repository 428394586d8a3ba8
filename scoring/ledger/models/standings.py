"""Sums of the ledger over 12 months and over each calendar year, updated with every posting.

While the standings advance to a new day, the sums of both days are stored. The standings of some past days
are kept (`scoring.ledger.windows.is_kept`). Readers get those of `StandingsState.as_of` from the managers
`objects`; `stored` has all rows.
"""

from datetime import date
from typing import ClassVar

from django.db import models
from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce, Now
from django.utils.translation import gettext_lazy as _

from players.models import Category, Player

ADDS_UP = Q(points=models.F("points_in_person") + models.F("points_online"))


class LedgerSum(models.Model):
    """A player's points over a period, in hundredths, by venue. Subclasses add the player and the period.

    day: the last day of the period; category and licence are those of this day
    IF_KNOWN: further columns of the subclass, with None in rows for which they are unknown
    """

    IF_KNOWN: ClassVar[tuple[str, ...]] = ()

    day = models.DateField()
    category = models.ForeignKey(Category, models.PROTECT, null=True, related_name="+", db_index=False)
    licensed = models.BooleanField()
    points = models.IntegerField(_("points"))
    points_in_person = models.IntegerField(_("in person"))
    points_online = models.IntegerField(_("online"))
    tournaments = models.PositiveIntegerField(_("tournaments"))

    class Meta:
        abstract = True


# Column of `LedgerSum` -> aggregate over ledger entries. The total `points` is the sum of both venues.
SUMS = {
    "points_in_person": Coalesce(Sum("points", filter=Q(online=False)), 0),
    "points_online": Coalesce(Sum("points", filter=Q(online=True)), 0),
    # A reversal subtracts the tournament that the reversed award had added.
    # It counts `kind`, not rows by their id, because `ledger_of_player` has it.
    "tournaments": Count("kind", filter=Q(kind__in=["award", "opening"]))
    - Count("kind", filter=Q(kind="reversal")),
}

# Columns of `Standing` that the venue filter chooses from.
VENUE_COLUMNS = ("points", "points_in_person", "points_online")


def _published_day() -> models.Subquery:
    """Return `StandingsState.as_of`, which is the same for all families, as a part of a query."""
    return models.Subquery(StandingsState.objects.filter(family="aeb").values("as_of"))


class StandingQuerySet(models.QuerySet["Standing"]):
    def ranked(
        self, category_id: int | None, column: str = "points", licensed_only: bool = True, family: str = "aeb"
    ) -> "StandingQuerySet":
        """Return the standings of a category's players with points in `column`, highest first.

        Players with equal points are in order of player id.

        category_id: None for a family without categories
        column: points column of the venue: one of `VENUE_COLUMNS`
        licensed_only: False includes players without a licence
        """
        if column not in VENUE_COLUMNS:
            raise ValueError(f"not a column of points: {column}")
        licences = [True] if licensed_only else [True, False]
        in_category = Q(category=category_id)  # `filter(category=None)` would not type-check
        return (
            self.filter(in_category, family=family, licensed__in=licences)
            .filter(**{f"{column}__gt": 0})
            .order_by(f"-{column}", "player_id")
        )

    def by_category(self) -> dict[int, tuple[int, int]]:
        """Return {category id: (number of players, highest points in hundredths)}.

        Only licensed players with AEB points are counted.
        """
        rows = (
            self.filter(family="aeb", licensed=True, points__gt=0, category__isnull=False)
            .order_by()
            .values_list("category_id")
            .annotate(players=Count("pk"), most=models.Max("points"))
        )
        return {category: (players, most) for category, players, most in rows}


class PublishedStandings(models.Manager.from_queryset(StandingQuerySet)):  # type: ignore[misc]
    """Selects the standings of `StandingsState.as_of`, without those of past days and of the next one."""

    def get_queryset(self) -> StandingQuerySet:
        return super().get_queryset().filter(day=_published_day())


class Standing(LedgerSum):
    """A player's points over the 12 months up to `day`, in hundredths, by venue.

    points_week_ago: what `points` was a week before `day`, by what the ledger has today; None if unknown: of
        other families than the AEB's, of days that are over, and in rows of an earlier version of the program
    """

    IF_KNOWN = ("points_week_ago",)

    family = models.CharField(max_length=12, default="aeb")
    player = models.ForeignKey(Player, models.CASCADE, related_name="standings", db_index=False)
    points_week_ago = models.IntegerField(null=True)

    objects = PublishedStandings()
    stored = StandingQuerySet.as_manager()

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering = ["-points", "player"]
        indexes = [
            models.Index(
                fields=["family", "day", "category", "licensed", f"-{column}", "player"],
                name=f"standing_{name}",
            )
            for column, name in (
                ("points", "all"),
                ("points_in_person", "in_person"),
                ("points_online", "online"),
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["player", "family", "day"], name="standing_once"),
            models.CheckConstraint(name="standing_adds_up", condition=ADDS_UP),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.points}"


class YearTotalQuerySet(models.QuerySet["YearTotal"]):
    def of(self, day: date) -> "YearTotalQuerySet":
        """Return the totals of the year of `day`, which is that year's reference day."""
        return self.filter(year=day.year, day=day)


class PublishedYearTotals(models.Manager.from_queryset(YearTotalQuerySet)):  # type: ignore[misc]
    """Selects the totals as of `StandingsState.as_of`, without those of a day that is being prepared."""

    def get_queryset(self) -> YearTotalQuerySet:
        current = Q(day=_published_day())
        past = Q(day__lt=_published_day(), day__month=12, day__day=31)
        return super().get_queryset().filter(current | past)


class YearTotal(LedgerSum):
    """A player's points of a calendar year up to `day`, in hundredths, by venue.

    Stored only for AEB points, because only the year-end category change uses calendar years. The day is 31
    December or, in the current year, `StandingsState.as_of` (`scoring.ledger.windows.reference_day`).
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="year_totals", db_index=False)
    year = models.PositiveSmallIntegerField(_("year"))

    objects = PublishedYearTotals()
    stored = YearTotalQuerySet.as_manager()

    class Meta:
        verbose_name = _("total of a year")
        verbose_name_plural = _("totals of years")
        ordering = ["year", "player_id"]
        indexes = [
            models.Index(
                fields=["year", "day", "category", "licensed", "-points", "player", "tournaments"],
                name="year_total_ranked",
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["player", "year", "day"], name="year_total_once"),
            models.CheckConstraint(name="year_total_adds_up", condition=ADDS_UP),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}, {self.year}: {self.points}"


class StandingsState(models.Model):
    """The day up to which a family's standings are computed, and their version.

    version: number that grows with every change; cached pages are valid for one version
    people_version: the version at the last change of more than the points of the last week: of older points,
        or of a player's category, licence, death or name
    next_day: the day whose standings are being prepared; None most of the time
    prepared_to: the sums of `next_day` of the players up to this id are prepared
    has_old_rows: whether sums of days before `as_of` are still to be deleted
    unkept_from: the standings of kept days from this one on are not all stored; None if they are
    kept_to: those of the players up to this id are
    changed_at: when the version last grew, which pages tell their readers

    `FAMILY`'s row says it for the days and kept days of all families.
    """

    family = models.CharField(max_length=12, primary_key=True)
    as_of = models.DateField()
    version = models.PositiveBigIntegerField(default=0)
    people_version = models.PositiveBigIntegerField(default=0)
    next_day = models.DateField(null=True)
    prepared_to = models.PositiveBigIntegerField(default=0)
    has_old_rows = models.BooleanField(default=False)
    unkept_from = models.DateField(null=True, db_default=date.min)
    kept_to = models.PositiveBigIntegerField(db_default=0)
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("state of the standings")
        verbose_name_plural = _("states of the standings")

    def __str__(self) -> str:
        return f"{self.family}: {self.as_of} ({self.version})"
