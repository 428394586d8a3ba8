"""Sums of the ledger, materialised right after every posting: of 12 months, and of each calendar year."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from players.models import Category, Player
from scoring.ledger.querysets import StandingQuerySet

ADDS_UP = models.Q(points=models.F("points_in_person") + models.F("points_online"))


class LedgerSum(models.Model):
    """A player's points of some days, in hundredths, by venue; a subclass adds the player and the days.

    Category and licence are those of the last of these days.
    """

    category = models.ForeignKey(Category, models.PROTECT, null=True, related_name="+", db_index=False)
    licensed = models.BooleanField()
    points = models.IntegerField(_("points"))
    points_in_person = models.IntegerField(_("in person"))
    points_online = models.IntegerField(_("online"))
    tournaments = models.PositiveIntegerField(_("tournaments"))

    class Meta:
        abstract = True


class Standing(LedgerSum):
    """A player's points of the 12 months up to `StandingsState.as_of`, in hundredths, by venue."""

    family = models.CharField(max_length=12, default="aeb")
    player = models.ForeignKey(Player, models.CASCADE, related_name="standings", db_index=False)

    objects = StandingQuerySet.as_manager()

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering = ["-points", "player"]
        indexes = [
            models.Index(
                fields=["family", "category", "licensed", f"-{column}", "player"], name=f"standing_{name}"
            )
            for column, name in (
                ("points", "all"),
                ("points_in_person", "in_person"),
                ("points_online", "online"),
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["player", "family"], name="standing_once"),
            models.CheckConstraint(name="standing_adds_up", condition=ADDS_UP),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.points}"


class YearTotal(LedgerSum):
    """A player's points of a calendar year up to `StandingsState.as_of`, in hundredths, by venue.

    Only of the federation's own points, whose year-end change goes by years. Category and licence are those
    of the last day that counts (`scoring.ledger.windows.reference_day`).
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="year_totals", db_index=False)
    year = models.PositiveSmallIntegerField(_("year"))

    class Meta:
        verbose_name = _("total of a year")
        verbose_name_plural = _("totals of years")
        ordering = ["year", "player_id"]
        indexes = [models.Index(fields=["year", "category", "player"], name="year_total_by_category")]
        constraints = [
            models.UniqueConstraint(fields=["player", "year"], name="year_total_once"),
            models.CheckConstraint(name="year_total_adds_up", condition=ADDS_UP),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}, {self.year}: {self.points}"


class StandingsState(models.Model):
    """Of which day the standings are, and how often they changed: pages are cached by `version`.

    people_version: the version since which nobody's category, licence, death or name has changed
    """

    family = models.CharField(max_length=12, primary_key=True)
    as_of = models.DateField()
    version = models.PositiveBigIntegerField(default=0)
    people_version = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("state of the standings")
        verbose_name_plural = _("states of the standings")

    def __str__(self) -> str:
        return f"{self.family}: {self.as_of} ({self.version})"
