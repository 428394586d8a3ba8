"""Regions, clubs, players and their licences."""

from collections.abc import Iterable
from datetime import date
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, Max, OuterRef, Q, Subquery
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from ui.text import sort_key, words_of

from .names import (
    SEARCHED,
    ClubPair,
    Named,
    NamedQuerySet,
    NamePair,
    matching,
    search_text_of,
)

# In a sort key a Latin letter or a digit takes up to two characters, a letter of another alphabet eight.
SORT_KEY_LENGTH = 500


def desk_name(name: str, hidden: bool) -> str:
    """Return a player's name for readers who may see hidden names; a hidden name is marked."""
    return gettext("%(name)s (hidden)") % {"name": name} if hidden else name


def _sort_key_field() -> models.CharField:
    """Return a model field for a sort key (`ui.text.sort_key`). Lists are sorted by it, not by the name."""
    return models.CharField(max_length=SORT_KEY_LENGTH, editable=False)


class Region(models.Model):
    """A territorial association of clubs."""

    code = models.CharField(_("code"), max_length=10, unique=True)
    name = models.CharField(_("name"), max_length=100, unique=True)
    slug = models.SlugField(max_length=110, unique=True, editable=False)
    sort_key = _sort_key_field()

    class Meta:
        verbose_name = _("region")
        verbose_name_plural = _("regions")
        ordering = ["sort_key", "pk"]

    def __str__(self) -> str:
        return self.name

    def save(self, *args, **kwargs) -> None:
        self.slug = self.slug or slugify(self.name)
        self.sort_key = sort_key(self.name)[:SORT_KEY_LENGTH]
        super().save(*args, **kwargs)


class ClubQuerySet(NamedQuerySet):
    def search(self, text: str) -> Self:
        """Return the clubs whose name, town and code have words that begin with those of `text`.

        Unlike other names, a text without words finds nothing.
        """
        return super().search(text) if words_of(text) else self.none()


class Club(Named):
    """A club. Every tournament belongs to a club. A player may belong to a club."""

    code = models.CharField(_("code"), max_length=10, unique=True)
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(max_length=130, unique=True, editable=False)
    search_text = models.CharField(max_length=SEARCHED, blank=True, default="", db_default="", editable=False)
    sort_key = _sort_key_field()
    region = models.ForeignKey(Region, models.PROTECT, related_name="clubs", verbose_name=_("region"))
    city = models.CharField(_("town"), max_length=80, blank=True)
    active = models.BooleanField(_("active"), default=True)

    PAIRS = ClubPair

    objects = ClubQuerySet.as_manager()

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["sort_key", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def label(self) -> str:
        """The name with the code, by which a form tells it from clubs of the same name."""
        return f"{self.name} ({self.code})"

    def derive_from_name(self) -> None:
        """Set `search_text` and `sort_key` from name, town and code, and the slug unless it has one."""
        self.slug = self.slug or slugify(f"{self.code} {self.name}")
        self.search_text = search_text_of(f"{self.name} {self.city} {self.code}", ClubPair.MOST)
        self.sort_key = sort_key(self.name)[:SORT_KEY_LENGTH]

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.slug])


def is_hidden(prefix: str = "") -> Q:
    """Return the condition that a player's name is hidden, or that of the player with the surviving number.

    prefix: lookup path from the queried model to the player, such as `player__`
    """
    return Q((f"{prefix}hidden", True)) | Q((f"{prefix}merged_into__hidden", True))


class PlayerQuerySet(NamedQuerySet):
    def search(self, text: str) -> Self:
        """Return the players whose name has words that begin with those of `text`, or whose number is `text`.

        Names are compared without case and accents. Hidden players match by number only, because a match by
        name would reveal who they are. The number of a merged player matches the surviving player.
        """
        return self.unmerged().filter(has_name_or_number(text)) if words_of(text) else self.none()

    def unmerged(self) -> "PlayerQuerySet":
        """Exclude players whose number was merged into another number of the same person."""
        return self.filter(merged_into=None)

    def numbers_of(self, player: "Player") -> "PlayerQuerySet":
        """Return a player's own row and the rows of the numbers merged into it."""
        return self.filter(Q(pk=player.pk) | Q(merged_into=player))

    def kept(self) -> dict[int, int]:
        """Return {id of a merged player: id of the surviving player} for all merged players."""
        return dict(self.exclude(merged_into=None).values_list("pk", "merged_into"))

    def with_licence(self, day: date) -> "PlayerQuerySet":
        """Annotate `licensed`: whether the player has a licence that counts on `day`."""
        return self.annotate(licensed=Exists(Licence.objects.valid_on(day).filter(player=OuterRef("pk"))))


def has_name_or_number(text: str, prefix: str = "") -> Q:
    """Return the condition of `PlayerQuerySet.search`, apart from that on merged players.

    prefix: the relation that leads to the player, such as `player__`
    """
    by_name = matching(text, NamePair, prefix) & Q((f"{prefix}hidden", False))
    number = text.strip().lstrip("0")
    if not number.isdecimal():
        return by_name
    numbered = Player.objects.filter(number=number).values_list("pk", "merged_into")
    return by_name | Q((f"{prefix}pk__in", [into or pk for pk, into in numbered]))


class Player(Named):
    """One person with one federation number. Never created from a name alone."""

    number = models.CharField(_("federation number"), max_length=12, unique=True)
    given_name = models.CharField(_("first name"), max_length=80)
    surname = models.CharField(_("surname"), max_length=120)
    search_text = models.CharField(max_length=SEARCHED, editable=False)
    sort_key = _sort_key_field()
    club = models.ForeignKey(
        Club, models.PROTECT, null=True, blank=True, related_name="players", verbose_name=_("club")
    )
    hidden = models.BooleanField(
        _("hidden"), default=False, help_text=_("Shown by number only on every public page and export.")
    )
    email = models.EmailField(
        _("e-mail address"), blank=True, help_text=_("Only the office and the player see it.")
    )
    birth_year = models.PositiveSmallIntegerField(
        _("year of birth"), null=True, blank=True, help_text=_("Only the office and the player see it.")
    )
    deceased_on = models.DateField(
        _("died on"),
        null=True,
        blank=True,
        help_text=_("Their points and places stay; they move up no more and get no letters."),
    )
    erased_on = models.DateField(
        _("personal data erased on"),
        null=True,
        editable=False,
        help_text=_("Their points and places stay, under the number alone."),
    )
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="player",
        verbose_name=_("account"),
    )
    merged_into = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="merged",
        editable=False,
        verbose_name=_("merged into"),
    )

    PAIRS, NATURAL_KEY = NamePair, "number"

    objects = PlayerQuerySet.as_manager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["sort_key", "pk"]
        indexes = [
            models.Index(fields=["sort_key", "id"], name="player_by_name"),
            models.Index(Lower("email"), name="player_by_email"),
            models.Index(fields=["birth_year"], name="player_by_birth_year"),
            # Few players: those who take no place in the candidates.
            models.Index(
                fields=["deceased_on"], name="player_deceased", condition=Q(deceased_on__isnull=False)
            ),
        ]
        constraints = [
            # Stored without leading zeros, so that 00462158 and 462158 are the same number.
            models.CheckConstraint(condition=Q(number__regex=r"^[1-9][0-9]*$"), name="player_number_normal"),
            models.CheckConstraint(condition=~Q(merged_into=F("id")), name="player_merged_into_another"),
        ]

    def __str__(self) -> str:
        return self.public_name

    def get_absolute_url(self) -> str:
        slug = "" if self.hidden else slugify(self.full_name)
        return reverse("player", args=[f"{self.number}-{slug}" if slug else self.number])

    def derive_from_name(self) -> None:
        """Set `search_text` and `sort_key` from the name. Code that updates rows in bulk has to call this."""
        self.search_text = search_text_of(f"{self.given_name} {self.surname}")
        self.sort_key = sort_key(self.surname, self.given_name)[:SORT_KEY_LENGTH]

    @property
    def current(self) -> "Player":
        """The player that pages show: this one, or the player that it was merged into."""
        return self.merged_into if self.merged_into_id else self

    @property
    def full_name(self) -> str:
        """First name and surname, even if the player is hidden. Show it only to the office and the player.

        A player whose personal data were erased has no name but the number.
        """
        return f"{self.given_name} {self.surname}".strip() or self._number_as_name()

    @property
    def public_name(self) -> str:
        """The name for public pages; for a hidden player the number."""
        if self.hidden:
            return self._number_as_name()
        return self.full_name

    @property
    def public_club(self) -> Club | None:
        """The club for public pages; none for a hidden player."""
        return None if self.hidden else self.club

    def _number_as_name(self) -> str:
        return gettext("Player %(number)s") % {"number": self.number}

    @property
    def desk_name(self) -> str:
        """The name for the office, the committee and auditors; a hidden player's name is marked as hidden."""
        return desk_name(self.full_name, self.hidden)


class LicenceState(models.TextChoices):
    """Whether a player has a licence on a day.

    FOREIGN: the player has only a licence of another federation, which the office did not mark as equivalent
    """

    VALID = "valid", pgettext_lazy("licence", "valid")
    LAPSED = "lapsed", pgettext_lazy("licence", "expired")
    FOREIGN = "foreign", pgettext_lazy("licence", "of another federation")
    NONE = "none", pgettext_lazy("licence", "no licence")


class LicenceQuerySet(models.QuerySet):
    def counting(self) -> "LicenceQuerySet":
        """Return the federation's own licences, and those of others that the office marked as equivalent."""
        return self.filter(Q(issuer="") | Q(equivalent=True))

    def valid_on(self, day: date | OuterRef) -> "LicenceQuerySet":
        """Return the licences that count on `day`, which in a subquery may be a column of the outer query."""
        return self.counting().filter(valid_from__lte=day, valid_to__gte=day)

    def last_day(self, day: date, *, foreign: bool = False) -> Subquery:
        """Return the last day of a player's licences that began by `day`, for a query of players.

        foreign: of the licences that do not count, instead of those that do
        """
        counts = Q(issuer="") | Q(equivalent=True)
        rows = self.filter(~counts if foreign else counts, player=OuterRef("pk"), valid_from__lte=day)
        return Subquery(rows.order_by("-valid_to").values("valid_to")[:1])

    def holders(self, day: date | None, players: Iterable[int] | None = None) -> frozenset[int]:
        """Return the ids of the players with a licence that counts on `day`; none if that is None.

        players: return only ids among these; None includes all players
        """
        if day is None:
            return frozenset()
        licences = self.valid_on(day)
        if players is not None:
            licences = licences.filter(player__in=list(players))
        return frozenset(licences.values_list("player_id", flat=True))

    def states(self, day: date | None, players: Iterable[int]) -> dict[int, LicenceState]:
        """Return {player id: state on `day`} for these players; nothing if `day` is None. One query.

        A player whose own licence has expired and who has a valid one of another federation is FOREIGN.
        """
        if day is None:
            return {}
        ids = list(players)
        counts = Q(issuer="") | Q(equivalent=True)
        rows = (
            self.filter(player__in=ids, valid_from__lte=day)
            .order_by()
            .values("player_id")
            .annotate(until=Max("valid_to", filter=counts), foreign=Max("valid_to", filter=~counts))
            .values_list("player_id", "until", "foreign")
        )
        ends = {player: (until, foreign) for player, until, foreign in rows}
        return {player: licence_state(day, *ends.get(player, (None, None))) for player in ids}


def licence_state(day: date, until: date | None, foreign: date | None) -> LicenceState:
    """Return the state of a licence on a day.

    until, foreign: the last days of the player's licences that count, and of the others
    """
    if until and until >= day:
        return LicenceState.VALID
    if foreign and foreign >= day:
        return LicenceState.FOREIGN
    return LicenceState.LAPSED if until else LicenceState.NONE


class Licence(models.Model):
    """A player's licence for a season."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="licences", verbose_name=_("player"))
    valid_from = models.DateField(_("valid from"))
    valid_to = models.DateField(_("valid to"))
    issuer = models.CharField(
        _("foreign federation"), max_length=60, blank=True, help_text=_("Empty for a licence of our own.")
    )
    equivalent = models.BooleanField(
        _("counts as ours"), default=False, help_text=_("For a foreign licence: the office accepts it.")
    )

    objects = LicenceQuerySet.as_manager()

    class Meta:
        verbose_name = _("licence")
        verbose_name_plural = _("licences")
        ordering = ["-valid_from", "pk"]
        indexes = [
            models.Index(fields=["player", "valid_to", "valid_from"], name="licence_by_player"),
            models.Index(fields=["valid_from", "player"], name="licence_by_first_day"),
            models.Index(fields=["valid_to", "player"], name="licence_by_last_day"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(valid_from__lte=F("valid_to")), name="licence_dates"),
            models.UniqueConstraint(fields=["player", "issuer", "valid_from"], name="licence_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.valid_from}–{self.valid_to}"
