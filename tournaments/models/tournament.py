"""Tournaments."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from players.models import Club
from players.models.names import SEARCHED, Named, NamedQuerySet, WordPair, matching


class TournamentPair(WordPair):
    """Two different words of a tournament's name."""

    OWNER = "tournament"
    MOST = 12

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="name_pairs")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stem", "second", "tournament"], name="tournament_pair_once")
        ]


def has_name(text: str, prefix: str) -> Q:
    """Return the condition of `Tournament.objects.search` for rows of another model.

    prefix: the relation that leads to the tournament, such as `tournament__`
    """
    return matching(text, TournamentPair, prefix)


class Tournament(Named):
    """A scored event.

    `family` is the family of points it gives. `event_type` is one of that family's event types; for the AEB,
    a row of the C1 table of the regulation in force on `end_date`. `params` holds further inputs of the
    family's formula by name; the AEB needs none. An annulled tournament gives no points.
    """

    class Family(models.TextChoices):
        AEB = "aeb", _("AEB points")
        SBF_BRONZE = "sbf-bronze", _("Swedish bronze points")
        SBF_SILVER = "sbf-silver", _("Swedish silver points")
        ACBL = "acbl", _("ACBL masterpoints")

    class Format(models.TextChoices):
        PAIRS = "pairs", _("Pairs")
        TEAMS = "teams", _("Teams")
        INDIVIDUAL = "individual", _("Individual")

    class Venue(models.TextChoices):
        IN_PERSON = "in_person", _("In person")
        ONLINE_SUPERVISED = "online_supervised", _("Online with director and cameras, without spectators")
        ONLINE = "online", _("Online, other")

    class Ranking(models.TextChoices):
        ONE = "one", _("One ranking")
        TWO = "two", _("Two rankings: North-South and East-West")

    name = models.CharField(_("name"), max_length=150)
    search_text = models.CharField(max_length=SEARCHED, blank=True, default="", db_default="", editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="tournaments", verbose_name=_("club"))
    family = models.CharField(_("points system"), max_length=12, choices=Family, default=Family.AEB)
    event_type = models.CharField(_("tournament type"), max_length=40)
    format = models.CharField(_("format"), max_length=10, choices=Format)
    venue = models.CharField(_("venue"), max_length=20, choices=Venue)
    start_date = models.DateField(_("first day"))
    end_date = models.DateField(_("last day"))
    boards = models.PositiveSmallIntegerField(_("boards played by the winner"))
    boards_scheduled = models.PositiveSmallIntegerField(_("boards scheduled"))
    ranking = models.CharField(_("ranking"), max_length=3, choices=Ranking, default=Ranking.ONE)
    regulation_override = models.CharField(_("other regulation"), max_length=20, blank=True)
    override_reason = models.CharField(_("reason for the other regulation"), max_length=300, blank=True)
    params = models.JSONField(_("data of the points system"), default=dict, blank=True)
    source_id = models.CharField(max_length=60, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    annulled_at = models.DateTimeField(_("annulled"), null=True, editable=False)
    published = models.OneToOneField(
        "tournaments.Revision", models.PROTECT, null=True, editable=False, related_name="published_as"
    )

    PAIRS = TournamentPair

    objects = NamedQuerySet.as_manager()

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["-end_date", "-pk"]
        indexes = [
            models.Index(fields=["-end_date", "-id"], name="tournament_by_date"),
            models.Index(fields=["club", "-end_date", "-id"], name="tournament_by_club"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(start_date__lte=F("end_date")), name="tournament_dates"),
            models.CheckConstraint(
                condition=Q(boards__gt=0, boards_scheduled__gt=0), name="tournament_boards"
            ),
            models.CheckConstraint(
                condition=Q(regulation_override="") | ~Q(override_reason=""),
                name="tournament_override_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.end_date.year, f"{slugify(self.name) or 't'}-{self.pk}"])

    @property
    def online(self) -> bool:
        """Whether the tournament was played online, supervised or not."""
        return self.venue != self.Venue.IN_PERSON
