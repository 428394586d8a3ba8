"""Go players, tournaments with their games, and the ratings computed from them.

A rating depends on all earlier games. `Rating` rows are therefore computed in the order of
`RatingTournament.Meta.ordering`, and again from the first tournament that changes.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import Player
from players.models.people import is_hidden
from scoring.ledger.models.work import Work
from tournaments.formats.go_types import natural_name
from tournaments.models import Upload, UploadQuerySet
from ui.text import fold


def _named(text: str) -> Q:
    """Return the condition that a player's name contains every word of the text."""
    return Q(*(Q(search_text__contains=word) for word in fold(text).split()))


def is_shown() -> Q:
    """Return the condition that everybody sees a Go player's name and country."""
    return Q(hidden=False) & ~is_hidden("player__")


class RatedPlayerQuerySet(models.QuerySet):
    def search(self, text: str) -> "RatedPlayerQuerySet":
        """Return the players whose PIN is `text`, or whose name contains every word of `text`.

        Names are compared without case and accents. Hidden players match by PIN only.
        """
        return self.filter(is_shown() & _named(text) | (Q(pin=text.strip()) & ~Q(pin="")))

    def search_all(self, text: str) -> "RatedPlayerQuerySet":
        """Return the players with this PIN, federation number or name, hidden ones included."""
        number = text.strip().lstrip("0")
        return self.filter(_named(text) | Q(pin=text.strip()) | Q(player__number=number))


class RatedPlayer(models.Model):
    """A Go player.

    `name` is as Go files write it, the surname first. `given_name` is the end of it, "" if unknown. `rating`,
    `grade` and `last_played` are copied from the latest rated tournament. `events` is the number of rated
    tournaments.
    """

    pin = models.CharField(_("PIN of the European database"), max_length=8, blank=True)
    name = models.CharField(_("name"), max_length=120)
    given_name = models.CharField(_("first name"), max_length=120, blank=True)
    country = models.CharField(_("country"), max_length=2, blank=True)
    search_text = models.CharField(max_length=140, editable=False)
    hidden = models.BooleanField(
        _("hidden"), default=False, help_text=_("Shown by number only on every public page and export.")
    )
    player = models.OneToOneField(
        Player,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="rated",
        verbose_name=_("player"),
        help_text=_("The same person in the federation's register, if any."),
    )
    rating = models.FloatField(_("rating"), null=True, editable=False)
    grade = models.CharField(_("grade"), max_length=3, blank=True, editable=False)
    events = models.PositiveIntegerField(_("tournaments"), default=0, editable=False)
    last_played = models.DateField(_("last played"), null=True, editable=False)

    objects = RatedPlayerQuerySet.as_manager()

    class Meta:
        verbose_name = _("rated player")
        verbose_name_plural = _("rated players")
        ordering = ["-rating", "pk"]
        indexes = [models.Index(fields=["-rating", "id"], name="rated_by_rating")]
        constraints = [
            models.UniqueConstraint(fields=["pin"], condition=~Q(pin=""), name="rated_pin_once"),
            models.CheckConstraint(
                condition=Q(pin="") | Q(pin__regex=r"^[0-9]{8}$"), name="rated_pin_normal"
            ),
        ]

    def __str__(self) -> str:
        return self.public_name

    def save(self, *args, **kwargs) -> None:
        self.search_text = self.folded(self.name)
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("go_player", args=[self.pk])

    @staticmethod
    def folded(name: str) -> str:
        """Return a name without case and accents, to search players and to match rows of files without PINs.

        The Turkish dotted and dotless i count as the Latin i.
        """
        return fold(name.replace("ı", "i").replace("İ", "I"))[:140]

    @property
    def is_hidden(self) -> bool:
        """Whether the player is hidden, as a Go player or as a player of the federation.

        A player of the federation whose number was merged is hidden if either number is.
        """
        if self.hidden or not self.player_id:
            return self.hidden
        return self.player.hidden or self.player.current.hidden

    @property
    def public_name(self) -> str:
        """The name for public pages; if the player is hidden, a text with the PIN or the id instead."""
        if self.is_hidden:
            return gettext("Player %(number)s") % {"number": self.pin or self.pk}
        return self.full_name

    @property
    def full_name(self) -> str:
        """The name with the given name first, even if the player is hidden: the register's, if linked."""
        return self.player.current.full_name if self.player else natural_name(self.name, self.given_name)


class RatedPlayerChange(models.Model):
    """A change of a Go player's data by hand, or of the link to the register. Rows are only added.

    before, after: {field name: value} of the fields that changed
    """

    rated = models.ForeignKey(RatedPlayer, models.PROTECT, related_name="data_changes")
    before = models.JSONField()
    after = models.JSONField()
    reason = models.CharField(_("reason"), max_length=300)
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    changed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("change of a Go player's data")
        verbose_name_plural = _("changes of Go players' data")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.rated_id}: {self.reason}"


class RatingTournamentQuerySet(models.QuerySet):
    def counting(self) -> "RatingTournamentQuerySet":
        """Return the tournaments that are rated: all but the annulled ones."""
        return self.filter(annulled_at=None)


class RatingTournament(models.Model):
    """A Go tournament. All its games are rated from the players' ratings before the tournament.

    `identity` is a hash of the name, the first day and the players. `digest` is a hash of everything that
    affects the ratings, including the games. A file with the `identity` of a stored tournament is a
    duplicate if it has the same `digest`, otherwise a correction.
    """

    class Class(models.TextChoices):
        A = "A", _("A: slow")
        B = "B", _("B: medium")
        C = "C", _("C: fast")
        D = "D", _("D: online")

    name = models.CharField(_("name"), max_length=150)
    start_date = models.DateField(_("first day"))
    end_date = models.DateField(_("last day"))
    tournament_class = models.CharField(_("class"), max_length=1, choices=Class)
    source = models.CharField(_("source"), max_length=20)
    identity = models.CharField(max_length=64, unique=True)
    digest = models.CharField(max_length=64)
    annulled_at = models.DateTimeField(_("annulled"), null=True, editable=False)  # null unless annulled
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    objects = RatingTournamentQuerySet.as_manager()

    class Meta:
        verbose_name = _("Go tournament")
        verbose_name_plural = _("Go tournaments")
        ordering = ["end_date", "pk"]  # the order of rating
        constraints = [
            models.CheckConstraint(condition=Q(start_date__lte=F("end_date")), name="rating_event_dates"),
            models.CheckConstraint(
                condition=Q(tournament_class__in=["A", "B", "C", "D"]), name="rating_event_class"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("go_tournament", args=[self.pk])


class RatingEntrant(models.Model):
    """A player of one tournament.

    `position`: the player's row in the tournament's list, from 1. `declared`: the grade that the player
    declared. `seed`: the European rating in the file.
    """

    tournament = models.ForeignKey(RatingTournament, models.CASCADE, related_name="entrants")
    player = models.ForeignKey(RatedPlayer, models.PROTECT, related_name="entries")
    position = models.PositiveIntegerField()
    declared = models.CharField(_("declared grade"), max_length=3)
    seed = models.IntegerField(_("rating in the file"), null=True)

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        ordering = ["tournament_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="rating_entrant_once"),
            models.UniqueConstraint(fields=["tournament", "position"], name="rating_position_once"),
            models.CheckConstraint(
                condition=Q(declared__regex=r"^([1-9][0-9]?k|[1-9]d)$"), name="rating_entrant_grade"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.player_id}"

    def get_absolute_url(self) -> str:
        return reverse("go_receipt", args=[self.tournament_id, self.position])


class RatingGame(models.Model):
    """A game. If its `colours` are known, `first` is White, who gave the handicap, and `second` is Black.

    `half_points` is the result of the first player: 2 for a win, 1 for a draw, 0 for a loss, null without a
    result. `handicap` is a number of stones. `reason` says why a game is not rated.
    """

    class Reason(models.TextChoices):
        FORFEIT = "forfeit", _("decided without play")
        UNFINISHED = "unfinished", _("no result")
        BOTH = "both_win", _("both won")
        NEITHER = "both_lose", _("both lost")

    tournament = models.ForeignKey(RatingTournament, models.CASCADE, related_name="games")
    round = models.PositiveSmallIntegerField(_("round"))
    first = models.ForeignKey(RatingEntrant, models.CASCADE, related_name="games_first")
    second = models.ForeignKey(RatingEntrant, models.CASCADE, related_name="games_second")
    half_points = models.PositiveSmallIntegerField(null=True)
    handicap = models.PositiveSmallIntegerField(_("handicap"), default=0)
    colours = models.BooleanField(default=True)
    rated = models.BooleanField(_("rated"))
    reason = models.CharField(max_length=10, choices=Reason, blank=True)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ["tournament_id", "round", "first__position"]
        constraints = [
            models.UniqueConstraint(fields=["round", "first"], name="rating_game_first_once"),
            models.UniqueConstraint(fields=["round", "second"], name="rating_game_second_once"),
            models.CheckConstraint(condition=~Q(first=F("second")), name="rating_game_of_two"),
            models.CheckConstraint(condition=Q(handicap__lte=9), name="rating_game_handicap"),
            models.CheckConstraint(
                condition=Q(rated=True, reason="", half_points__isnull=False, half_points__in=[0, 1, 2])
                | (Q(rated=False) & ~Q(reason="")),
                name="rating_game_rated",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.round}: {self.first_id}-{self.second_id}"


class Rating(models.Model):
    """An entrant's rating before and after a tournament, unrounded.

    `highest_before` is the highest grade that the player declared in earlier tournaments, "" if there were
    none. If the player now declares a higher one, the rating may be reset to `reset_to` before the games.
    `games` is the number of rated games.
    """

    entrant = models.OneToOneField(RatingEntrant, models.CASCADE, primary_key=True, related_name="result")
    regulation = models.CharField(_("regulation"), max_length=20)
    before = models.FloatField(_("before"))
    after = models.FloatField(_("after"))
    reset_to = models.IntegerField(_("reset to"), null=True)
    highest_before = models.CharField(max_length=3, blank=True)
    games = models.PositiveSmallIntegerField(_("games"))

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        ordering = ["entrant_id"]

    def __str__(self) -> str:
        return f"{self.entrant_id}: {self.after:.2f}"


class RatingReplay(Work):
    """One recomputation of all ratings from a day on. It stores the ratings that differ from the stored ones.

    `done` is the number of tournaments computed so far, of `total`. `changed` is the number of ratings that
    differed.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting")
        RUNNING = "running", _("Rating")
        DONE = "done", _("Done")
        FAILED = "failed", _("Stopped after several attempts")

    tournament = models.ForeignKey(RatingTournament, models.PROTECT, null=True, related_name="replays")
    since = models.DateField()  # tournaments that end on this day or later are rated again
    reason = models.CharField(max_length=300, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(null=True)
    changed = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    class Meta:
        verbose_name = _("computation of ratings")
        verbose_name_plural = _("computations of ratings")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.since}: {self.state}"


class RatingChange(models.Model):
    """A rating that a replay changed. `old` is null if there was none before, `new` if there is none now."""

    replay = models.ForeignKey(RatingReplay, models.PROTECT, related_name="changes")
    player = models.ForeignKey(RatedPlayer, models.PROTECT, related_name="changes")
    tournament = models.ForeignKey(RatingTournament, models.PROTECT, related_name="changes")
    old = models.FloatField(_("old"), null=True)
    new = models.FloatField(_("new"), null=True)

    class Meta:
        verbose_name = _("change of a rating")
        verbose_name_plural = _("changes of ratings")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["replay", "player", "tournament"], name="rating_change_once"),
            models.CheckConstraint(
                condition=Q(old__isnull=False) | Q(new__isnull=False), name="rating_change_of_something"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.old} → {self.new}"


class RatingState(models.Model):
    """A single row whose `version` rises with every change of games or ratings.

    A replay compares versions, to notice that games or ratings have changed during its computation.

    changed_at: when the version last rose, which pages tell their readers
    """

    version = models.PositiveBigIntegerField(default=0)
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("state of the ratings")
        verbose_name_plural = _("states of the ratings")

    def __str__(self) -> str:
        return str(self.version)


class GoUpload(Upload):
    """An uploaded file of a Go tournament.

    `details`: name, days and class as entered in the form, by name. `parsed`: the content of the file, a
    GoResult as JSON.
    """

    class State(models.TextChoices):
        REVIEW = "review", _("To be reviewed")
        CONFIRMED = "confirmed", _("Confirmed")
        DISCARDED = "discarded", _("Discarded")
        REFUSED = "refused", _("Could not be read")

    state = models.CharField(max_length=10, choices=State, default=State.REVIEW)
    details = models.JSONField(default=dict)
    corrects = models.ForeignKey(RatingTournament, models.PROTECT, null=True, related_name="corrections")
    tournament = models.ForeignKey(RatingTournament, models.PROTECT, null=True, related_name="uploads")
    replay = models.ForeignKey(RatingReplay, models.PROTECT, null=True, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="go_uploads")
    confirmed_at = models.DateTimeField(null=True)

    objects = UploadQuerySet.as_manager()

    class Meta:
        verbose_name = _("Go upload")
        verbose_name_plural = _("Go uploads")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="confirmed", tournament__isnull=False, replay__isnull=False)
                | (~Q(state="confirmed") & Q(tournament=None, replay=None)),
                name="go_upload_confirmed_has_event",
            ),
        ]

    def get_absolute_url(self) -> str:
        return reverse("go_upload_review", args=[self.pk])
