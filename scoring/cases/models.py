"""Cases, and their messages."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.models import Club, Player
from scoring.cases import states
from tournaments.models import Revision, Tournament

USER = settings.AUTH_USER_MODEL
LONGEST_TEXT = 2000  # characters of one message


class Case(models.Model):
    """Something that a player reports as missing or wrong, until it is answered and closed.

    player: whom the case is about; may have been merged since: read `player.current`
    club: the club that answers, or answered before; None if only the office reads the case
    day: the day of play that the case is about
    waiting_since: since when the club or the office, whose turn it is, has had the case
    answered_at: when the last answer was written
    closed_at: when the case was closed; None while it is not
    """

    class Kind(models.TextChoices):
        MISSING = "missing", _("A tournament is missing")
        NUMBER = "number", _("My name or my number is missing")
        PARTNER = "partner", _("My partner is another one")
        PLACE = "place", _("The place or the score is wrong")
        POINTS = "points", _("The points are wrong")
        PERSONAL = "personal", _("My personal data")
        OTHER = "other", _("Something else")

    class State(models.TextChoices):
        CLUB = states.State.CLUB, _("With the club")
        OFFICE = states.State.OFFICE, _("With the office")
        ANSWERED = states.State.ANSWERED, _("Answered")
        CLOSED = states.State.CLOSED, _("Closed")

    kind = models.CharField(max_length=10, choices=Kind)
    player = models.ForeignKey(Player, models.PROTECT, related_name="cases")
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="cases")
    day = models.DateField(null=True)
    tournament = models.ForeignKey(Tournament, models.SET_NULL, null=True, related_name="cases")
    state = models.CharField(max_length=10, choices=State)
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(USER, models.PROTECT, related_name="+")
    waiting_since = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        ordering = ["-opened_at", "-pk"]
        indexes = [
            models.Index(fields=["state", "waiting_since"], name="case_waiting"),
            models.Index(fields=["club", "state", "waiting_since"], name="case_of_club"),
            models.Index(fields=["-opened_at", "-id"], name="case_latest"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~Q(state="club") | Q(club__isnull=False), name="case_with_club_has_club"
            ),
            models.CheckConstraint(
                condition=~Q(kind="personal") | Q(club=None), name="case_of_personal_data_has_no_club"
            ),
            models.CheckConstraint(
                condition=~Q(state="answered") | Q(answered_at__isnull=False), name="case_answered_when"
            ),
            models.CheckConstraint(
                condition=Q(state="closed", closed_at__isnull=False)
                | (~Q(state="closed") & Q(closed_at=None)),
                name="case_closed_when",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    def get_absolute_url(self) -> str:
        return reverse("case", args=[self.pk])

    @property
    def reopens_until(self) -> datetime:
        """Until when the player may reopen the case. An answered case closes by itself then."""
        since = self.answered_at or self.closed_at or self.opened_at
        return since + timedelta(days=settings.CASE_REOPEN_DAYS)

    @property
    def is_waiting(self) -> bool:
        """Whether the club or the office has to answer."""
        return self.state in states.WAITING


class CaseMessage(models.Model):
    """A step of a case, with what was written. Rows are never changed, except that a text can be erased.

    party: as whom the account acted
    text: blank for steps without words, and after erasing
    revision: the ranking that mended what the case is about, if an answer names one
    days: of the first answer to a turn, how many days the club or the office had the case; otherwise None
    """

    class Party(models.TextChoices):
        PLAYER = states.Party.PLAYER, _("Player")
        CLUB = states.Party.CLUB, _("Club")
        OFFICE = states.Party.OFFICE, _("Office")
        SYSTEM = states.Party.SYSTEM, _("Automatic")

    case = models.ForeignKey(Case, models.PROTECT, related_name="messages")
    act = models.CharField(max_length=10)
    party = models.CharField(max_length=10, choices=Party)
    state = models.CharField(max_length=10, choices=Case.State)  # the state to which the step led
    text = models.TextField(max_length=LONGEST_TEXT, blank=True)
    revision = models.ForeignKey(Revision, models.SET_NULL, null=True, related_name="+")
    days = models.PositiveIntegerField(null=True)
    at = models.DateTimeField()
    by = models.ForeignKey(USER, models.PROTECT, null=True, related_name="+")

    class Meta:
        verbose_name = _("message of a case")
        verbose_name_plural = _("messages of cases")
        ordering = ["pk"]
        indexes = [
            # For the days until an answer.
            models.Index(fields=["party", "at"], condition=Q(days__isnull=False), name="case_answers")
        ]

    def __str__(self) -> str:
        return f"{self.case_id} {self.act}"
