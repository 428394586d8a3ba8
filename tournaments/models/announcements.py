"""Announced tournaments: what will be played, before there is a result."""

import uuid
from datetime import date, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.models import Club
from players.models.names import SEARCHED, Named, NamedQuerySet, WordPair

from .tournament import Tournament

LONGEST = timedelta(days=31)  # from the first to the last day, as the form allows
REMINDED = timedelta(days=60)  # how long a missing result is asked for
# A result may be dated a day before or after the announced last day: evenings end after midnight.
TOLERANCE = timedelta(days=1)


class AnnouncementPair(WordPair):
    """Two different words of the name of an announced tournament."""

    OWNER = "announcement"
    MOST = 12

    announcement = models.ForeignKey("tournaments.Announcement", models.CASCADE, related_name="name_pairs")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stem", "second", "announcement"], name="announcement_pair_once")
        ]


class AnnouncementQuerySet(NamedQuerySet):
    def standing(self) -> Self:
        """Return the announcements that were not cancelled."""
        return self.filter(cancelled_at=None)

    def free(self) -> Self:
        """Return the announcements to which a result can be linked: not cancelled and without a result."""
        return self.standing().filter(tournament=None)

    def between(self, first: date, last: date) -> Self:
        """Return the announcements with a day from `first` to `last`, ordered by their first day.

        No tournament is longer than LONGEST. The query can therefore limit the last day at both ends, and
        needs only the index on the last day.
        """
        return self.filter(end_date__gte=first, end_date__lte=last + LONGEST, start_date__lte=last).order_by(
            "start_date", "end_date", "pk"
        )

    def upcoming(self, day: date) -> Self:
        """Return the announcements that are neither cancelled nor over on `day` and have no result.

        They are in the order of their last day.
        """
        return self.free().filter(end_date__gte=day).order_by("end_date", "pk")

    def without_result(self, day: date) -> Self:
        """Return the announcements whose last day was lately, before `day`, and that have no result or draft.

        The latest come first.
        """
        overdue = self.free().filter(end_date__lt=day, end_date__gte=day - REMINDED)
        return overdue.exclude(uploads__state="review").order_by("-end_date", "-pk")

    def fitting(self, club_id: int, day: date, event_type: str = "") -> Self:
        """Return the free announcements of a club that a result of this last day may belong to.

        Their first day has come. They are in the order of their last day.

        event_type: "" if it is not known yet
        """
        days = (day - TOLERANCE, day + TOLERANCE)
        fitting = self.free().filter(club=club_id, end_date__range=days, start_date__lte=timezone.localdate())
        if event_type:
            fitting = fitting.filter(event_type=event_type)
        return fitting.order_by("end_date", "pk")


class Announcement(Named):
    """An announced tournament.

    event_type: the code of a type in the AEB's regulation in force on the last day
    boards: the number of boards scheduled, if known
    series: the same id for all tournaments that were announced together
    announced_by: the account that announced the tournament or last changed it; if it may approve the points,
        they may need no other approval (see `scoring.ledger.services.approval`)
    tournament: the result, once it is confirmed
    sequence: the number of changes, for calendar programs
    """

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    series = models.UUIDField(null=True, db_index=True, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="announcements", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=150)
    search_text = models.CharField(max_length=SEARCHED, blank=True, default="", db_default="", editable=False)
    event_type = models.CharField(_("tournament type"), max_length=40)
    format = models.CharField(_("format"), max_length=10, choices=Tournament.Format)
    venue = models.CharField(_("venue"), max_length=20, choices=Tournament.Venue)
    start_date = models.DateField(_("first day"))
    end_date = models.DateField(_("last day"))
    starts_at = models.TimeField(_("hour"), null=True, blank=True)  # in the federation's time zone
    boards = models.PositiveSmallIntegerField(_("boards scheduled"), null=True, blank=True)
    note = models.CharField(_("note"), max_length=300, blank=True)
    announced_at = models.DateTimeField(auto_now_add=True)
    announced_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)
    sequence = models.PositiveIntegerField(default=0, editable=False)
    cancelled_at = models.DateTimeField(null=True, editable=False)
    cancel_reason = models.CharField(_("reason"), max_length=300, blank=True)
    tournament = models.OneToOneField(
        Tournament, models.SET_NULL, null=True, editable=False, related_name="announcement"
    )

    PAIRS = AnnouncementPair

    objects = AnnouncementQuerySet.as_manager()

    class Meta:
        verbose_name = _("announced tournament")
        verbose_name_plural = _("announced tournaments")
        ordering = ["start_date", "pk"]
        indexes = [
            models.Index(fields=["end_date", "id"], name="announcement_by_date"),
            models.Index(fields=["club", "end_date"], name="announcement_by_club"),
            models.Index(fields=["changed_at"], name="announcement_by_change"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(start_date__lte=F("end_date")), name="announcement_dates"),
            models.CheckConstraint(condition=Q(boards=None) | Q(boards__gt=0), name="announcement_boards"),
            models.CheckConstraint(
                condition=Q(cancelled_at=None) | Q(tournament=None), name="announcement_cancelled_or_played"
            ),
            models.UniqueConstraint(
                fields=["club", "start_date", "name"],
                condition=Q(cancelled_at=None),
                name="announcement_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("announcement", args=[self.pk])

    @property
    def is_free(self) -> bool:
        """Whether a result can be linked."""
        return self.cancelled_at is None and self.tournament_id is None

    def fits(self, club_id: int, day: date | None, event_type: str) -> bool:
        """Return whether a result with these data can be that of this announcement."""
        return (
            self.club_id == club_id
            and self.event_type == event_type
            and day is not None
            and self.start_date <= timezone.localdate()
            and abs(day - self.end_date) <= TOLERANCE
        )
