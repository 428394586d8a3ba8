"""The ladder of categories, and the assignments of categories to players."""

from datetime import date, datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext_lazy as _


class CategoryQuerySet(models.QuerySet):
    def on(self, day: date) -> "CategoryQuerySet":
        """Return the categories of the ladder in force on `day`, lowest first."""
        return self.filter(Q(valid_to=None) | Q(valid_to__gte=day), valid_from__lte=day)


class Category(models.Model):
    """A step or title of the ladder, valid between two dates (AEB 2022 table 2, AEB 2026 table 2).

    Codes are those of the regulations (3D … 1P, MN-O …). A category that a later ladder renamed has a
    `successor`: players who hold MN count as MN-O from 2026 on.
    """

    code = models.CharField(_("code"), max_length=6, unique=True)
    order = models.PositiveSmallIntegerField(_("order"), unique=True, help_text=_("By value, lowest first."))
    is_title = models.BooleanField(_("title"), default=False)
    valid_from = models.DateField(_("valid from"))
    valid_to = models.DateField(_("valid to"), null=True, blank=True)
    successor = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="predecessors",
        verbose_name=_("successor"),
    )

    objects = CategoryQuerySet.as_manager()

    class Meta:
        verbose_name = _("category")
        verbose_name_plural = _("categories")
        ordering = ["order"]
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_to=None) | Q(valid_from__lte=F("valid_to")), name="category_dates"
            ),
        ]

    def __str__(self) -> str:
        return self.code


class CategoryAssignmentQuerySet(models.QuerySet):
    def in_force(self, day: date, recorded_before: datetime | None = None) -> "CategoryAssignmentQuerySet":
        """Return one assignment for each player: the assignment that decides the player's category on `day`.

        Titles are permanent: the highest title held takes precedence, also over any step. Among steps the
        latest takes precedence (federation rules, section 4).

        recorded_before: ignore assignments and revocations recorded at this moment or later
        """
        # Titles sort by value, steps only by date.
        title_value = models.Case(models.When(category__is_title=True, then=F("category__order")), default=0)
        rank = Window(
            RowNumber(),
            partition_by=F("player_id"),
            order_by=[title_value.desc(), F("valid_from").desc(), F("id").desc()],
        )
        held = self.filter(valid_from__lte=day)
        if recorded_before is None:
            held = held.filter(revoked_at=None)
        else:
            not_revoked = Q(revoked_at=None) | Q(revoked_at__gte=recorded_before)
            held = held.filter(not_revoked, created_at__lt=recorded_before)
        return held.annotate(preference=rank).filter(preference=1)


def _evidence(name) -> models.CharField:
    """Return a model field that names the document behind a decision.

    It is blank for imported lists that name no document, and for campaigns, which keep their own log.

    name: the field's label
    """
    return models.CharField(name, max_length=300, blank=True, default="", db_default="")


class CategoryAssignment(models.Model):
    """A player's category from a day on. Never edited: a mistaken assignment is revoked, with a reason.

    by_two: a second person approved the assignment, so that one person alone cannot revoke it
    revoked_alone: one person alone revoked the assignment, which counts towards that person's daily limit
    """

    class Origin(models.TextChoices):
        INITIAL = "initial", _("Initial")
        CAMPAIGN = "campaign", _("Year-end change")
        MANUAL = "manual", _("By hand")
        IMPORT = "import", _("Imported")

    player = models.ForeignKey("players.Player", models.PROTECT, related_name="assignments")
    category = models.ForeignKey(Category, models.PROTECT, related_name="+")
    valid_from = models.DateField(_("valid from"))
    origin = models.CharField(_("origin"), max_length=10, choices=Origin)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    evidence = _evidence(_("evidence"))
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    by_two = models.BooleanField(default=False, db_default=False)
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    revoked_reason = models.CharField(max_length=300, blank=True)
    revoked_evidence = _evidence(_("evidence for revoking"))
    revoked_alone = models.BooleanField(default=False, db_default=False)

    objects = CategoryAssignmentQuerySet.as_manager()

    class Meta:
        verbose_name = _("category assignment")
        verbose_name_plural = _("category assignments")
        ordering = ["-valid_from", "-pk"]
        indexes = [
            models.Index(fields=["player", "valid_from"], name="assignment_by_player"),
            models.Index(fields=["valid_from", "player"], name="assignment_by_day"),
            # For oversight: what was given and revoked of late.
            models.Index(fields=["created_at", "id"], name="assignment_by_creation"),
            models.Index(
                fields=["revoked_at", "id"],
                condition=Q(revoked_at__isnull=False),
                name="assignment_by_revocation",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "category", "valid_from"],
                condition=Q(revoked_at=None),
                name="assignment_once",
            ),
            models.CheckConstraint(
                condition=~Q(origin="manual") | ~Q(reason=""), name="assignment_by_hand_has_reason"
            ),
            models.CheckConstraint(
                condition=Q(revoked_at=None) | ~Q(revoked_reason=""), name="assignment_revoked_has_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.category_id} ({self.valid_from})"

    @property
    def words(self) -> str:
        """The origin of the assignment and, if there is one, its reason, for the screen."""
        origin = self.get_origin_display()
        return f"{origin}: {self.reason}" if self.reason else str(origin)
