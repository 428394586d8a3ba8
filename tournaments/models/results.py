"""The rankings of a tournament. A correction adds a revision and leaves the old one unchanged."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Player

from .tournament import Tournament


class Revision(models.Model):
    """One confirmed ranking of a tournament. Number 1 is the first; later ones are corrections.

    `boards_scored` says how the board results are scored; blank if there are none. `unit` is the unit of the
    contestants' scores; blank if it is not known.
    """

    class Boards(models.TextChoices):
        """How the boards of a session are scored; the first two are of pairs."""

        MATCHPOINTS = "mp", _("Matchpoints")
        IMPS = "imp", _("IMPs")
        MATCHPOINTS_APART = "mpa", _("Matchpoints, each section apart")
        TEAMS = "tms", _("IMPs of both rooms")
        INDIVIDUAL = "ind", _("Matchpoints of an individual event")
        INDIVIDUAL_IMPS = "idi", _("IMPs of an individual event")

    class Unit(models.TextChoices):
        IMPS = "imps", _("IMPs")
        VICTORY_POINTS = "vp", _("Victory points")
        MATCHPOINTS = "mp", _("Matchpoints")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="revisions")
    number = models.PositiveSmallIntegerField()
    reason = models.CharField(_("reason for the correction"), max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    boards_scored = models.CharField(max_length=3, choices=Boards, blank=True, editable=False)
    unit = models.CharField(max_length=4, choices=Unit, blank=True, editable=False, db_default="", default="")

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ["tournament_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="revision_once"),
            models.CheckConstraint(condition=Q(number=1) | ~Q(reason=""), name="correction_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.number}"

    def player_ids(self) -> list[int]:
        """Return the ids of the registered players in the ranking."""
        return list(self.seats.filter(player__isnull=False).values_list("player", flat=True))


class Contestant(models.Model):
    """A pair, a team or a player of an individual event, with their place.

    If the ranking has board results, two figures are computed from them: `boards_played`, and `adjusted`, the
    mean result per board (in percent or IMPs) after correction for the strength of the opponents.
    """

    class Field(models.TextChoices):
        ALL = "", _("All")
        NS = "NS", _("North-South")
        EW = "EW", _("East-West")

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="contestants")
    position = models.PositiveSmallIntegerField()  # order in the ranking, from 1
    field = models.CharField(max_length=2, choices=Field, blank=True)
    place = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=20, blank=True)  # pair or team number in the file
    team_name = models.CharField(max_length=100, blank=True)
    score = models.DecimalField(max_digits=9, decimal_places=3, null=True)
    percentage = models.DecimalField(max_digits=6, decimal_places=3, null=True)
    boards = models.PositiveSmallIntegerField(null=True, editable=False)  # as stated by the file
    boards_played = models.PositiveSmallIntegerField(null=True, editable=False)
    adjusted = models.DecimalField(max_digits=8, decimal_places=4, null=True, editable=False)

    class Meta:
        verbose_name = _("contestant")
        verbose_name_plural = _("contestants")
        ordering = ["revision_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["revision", "position"], name="contestant_once"),
            models.CheckConstraint(condition=Q(place__gt=0), name="contestant_place"),
        ]

    def __str__(self) -> str:
        return f"{self.revision_id}: {self.place}"


class Seat(models.Model):
    """A person of a contestant: a registered player, or a guest.

    `guest_country` is the ISO 3166 code of the country whose federation a guest belongs to, if stated.
    """

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="seats")
    contestant = models.ForeignKey(Contestant, models.PROTECT, related_name="seats")
    position = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="seats")
    guest_name = models.CharField(max_length=120, blank=True)
    guest_country = models.CharField(max_length=2, blank=True, db_default="", default="")

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["contestant_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["contestant", "position"], name="seat_once"),
            # Last defence against awarding a player points twice for one tournament.
            models.UniqueConstraint(fields=["revision", "player"], name="player_once_a_revision"),
        ]

    def __str__(self) -> str:
        return self.guest_name if self.player_id is None else str(self.player_id)


class BoardResult(models.Model):
    """The result of one board at one table. Rows never change, like the ranking they belong to.

    `ns` or `ew` is null if that side is not in the ranking, for example an unknown pair. Results of two such
    sides are kept too, because the others of the board are compared with them. In an individual event,
    `ns_partner` and `ew_partner` are the other two players. `round` is the round of a match of teams, if the
    file states it. For an artificial score, `score` is null, and `adjusted_ns` and `adjusted_ew` are set.

    `contract`, `declarer`, `lead` and `tricks` have the forms of `tournaments.formats.cards`, blank or
    null if the file does not state them.

    A large federation plays millions of boards a year: keep the columns short, and always read the rows of a
    revision, because the table has no other index.
    """

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="boards")
    board = models.PositiveSmallIntegerField()
    section = models.CharField(max_length=10, blank=True)
    ns = models.ForeignKey(Contestant, models.PROTECT, null=True, related_name="+", db_index=False)
    ew = models.ForeignKey(Contestant, models.PROTECT, null=True, related_name="+", db_index=False)
    ns_partner = models.ForeignKey(Contestant, models.PROTECT, null=True, related_name="+", db_index=False)
    ew_partner = models.ForeignKey(Contestant, models.PROTECT, null=True, related_name="+", db_index=False)
    round = models.PositiveSmallIntegerField(null=True)
    score = models.SmallIntegerField(null=True)  # points for North-South
    adjusted_ns = models.PositiveSmallIntegerField(null=True)  # percent
    adjusted_ew = models.PositiveSmallIntegerField(null=True)
    ns_points = models.DecimalField(max_digits=7, decimal_places=3, null=True)  # as stated by the file
    ew_points = models.DecimalField(max_digits=7, decimal_places=3, null=True)
    contract = models.CharField(max_length=4, blank=True)
    declarer = models.CharField(max_length=1, blank=True)
    lead = models.CharField(max_length=2, blank=True)
    tricks = models.PositiveSmallIntegerField(null=True)

    class Meta:
        verbose_name = _("board result")
        verbose_name_plural = _("board results")
        constraints = [
            models.CheckConstraint(
                condition=Q(score=None, adjusted_ns__isnull=False, adjusted_ew__isnull=False)
                | Q(score__isnull=False, adjusted_ns=None, adjusted_ew=None),
                name="board_result_scored_or_adjusted",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision_id}: {self.board}"


class Deal(models.Model):
    """The cards of one board. Rows never change, like the ranking they belong to.

    `section` is blank if all sections played these cards. `hands` has the hands of North, East, South and
    West, separated by blanks, in the form of `tournaments.formats.cards`.
    """

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="deals", db_index=False)
    board = models.PositiveSmallIntegerField()
    section = models.CharField(max_length=10, blank=True)
    dealer = models.CharField(max_length=1)
    vulnerable = models.CharField(max_length=4)
    hands = models.CharField(max_length=67)

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        constraints = [
            models.UniqueConstraint(fields=["revision", "board", "section"], name="deal_once"),
        ]

    def __str__(self) -> str:
        return f"{self.revision_id}: {self.board}"
