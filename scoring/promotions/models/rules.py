"""The rules for promotion to the next category at year end."""

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.models import Category


class PromotionRuleSet(models.Model):
    """A dated set of promotion rules, one per category. Every page that uses an unconfirmed set says so.

    average: method of computing the modified average
    field_weight: how strongly a session's percentage is adjusted for the strength of its field (the
        coefficient C4). For each 0.1 by which C4 exceeds the value of the player's own category,
        `field_weight` percentage points are added. If C4 is smaller, they are subtracted. The method "field"
        adjusts every session in this way, the method "strength" only sessions without board results.
    """

    class Average(models.TextChoices):
        NONE = "none", _("Not worked out")
        PLAIN = "plain", _("Plain: the mean of the percentages")
        STRENGTH = "strength", _("Adjusted for the strength of the opponents")
        FIELD = "field", _("Adjusted for the categories of the field")

    name = models.CharField(_("name"), max_length=80, unique=True)
    family = models.CharField(max_length=12, default="aeb")
    valid_from = models.DateField(_("first year end"))
    valid_to = models.DateField(_("last year end"), null=True, blank=True)
    average = models.CharField(_("modified average"), max_length=8, choices=Average, default=Average.STRENGTH)
    field_weight = models.DecimalField(
        _("percentage points for a tenth of C4"), max_digits=4, decimal_places=2, default=1
    )
    claims_days = models.PositiveSmallIntegerField(_("days for claims"), default=15)
    confirmed = models.BooleanField(_("confirmed by the federation"), default=False)
    source = models.CharField(_("source"), max_length=300)

    class Meta:
        verbose_name = _("promotion rules")
        verbose_name_plural = _("promotion rules")
        ordering = ["-valid_from"]
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_to=None) | Q(valid_from__lte=F("valid_to")), name="rule_set_dates"
            ),
            models.UniqueConstraint(fields=["family", "valid_from"], name="rule_set_once"),
        ]

    def __str__(self) -> str:
        return self.name

    def holds_on(self, day: date) -> bool:
        """Return whether the rules are in force on a day."""
        return self.valid_from <= day and (self.valid_to is None or day <= self.valid_to)


class PromotionRule(models.Model):
    """The promotion rule of one category: which players may move up, and to which category.

    If a category has no rule, or its rule has no target, nobody moves up from it. A player moves up only by
    meeting every criterion that is set (`top_share`, `top_count`, `points_threshold` in hundredths and so
    on). A criterion that is null is not used.
    """

    class Effect(models.TextChoices):
        NONE = "none", _("Only shown")
        WARN = "warn", _("Warns")
        BLOCK = "block", _("Blocks")

    class BlockedPlace(models.TextChoices):
        PASSES = "passes", _("Passes to the next player")
        EMPTY = "empty", _("Stays empty")

    rule_set = models.ForeignKey(PromotionRuleSet, models.CASCADE, related_name="rules")
    category = models.ForeignKey(Category, models.PROTECT, related_name="+", verbose_name=_("category"))
    target = models.ForeignKey(
        Category,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("moves up to"),
        help_text=_("Empty: nobody of this category moves up by points."),
    )
    top_share = models.DecimalField(
        _("top share"),
        max_digits=5,
        decimal_places=4,
        null=True,
        blank=True,
        help_text=_("Of the licensed players with points: 0.1 is 10 %."),
    )
    minimum = models.PositiveSmallIntegerField(
        _("at least"), default=1, help_text=_("Places that the share gives at the very least.")
    )
    top_count = models.PositiveSmallIntegerField(_("top places"), null=True, blank=True)
    points_threshold = models.PositiveIntegerField(
        _("points needed"), null=True, blank=True, help_text=_("In hundredths.")
    )
    minimum_tournaments = models.PositiveSmallIntegerField(_("tournaments needed"), default=0)
    licence_required = models.BooleanField(_("licence needed on the last day"), default=True)
    average_threshold = models.DecimalField(
        _("modified average needed"), max_digits=5, decimal_places=2, null=True, blank=True
    )
    average_effect = models.CharField(
        _("what a lower average does"), max_length=5, choices=Effect, default=Effect.NONE
    )
    blocked_place = models.CharField(
        _("the place of a blocked player"), max_length=6, choices=BlockedPlace, default=BlockedPlace.PASSES
    )
    demotion_target = models.ForeignKey(
        Category,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("moves down to"),
        help_text=_("Empty: nobody moves down."),
    )
    demotion_threshold = models.PositiveIntegerField(
        _("moves down below"), null=True, blank=True, help_text=_("Points of the year, in hundredths.")
    )
    confirmed = models.BooleanField(_("confirmed by the federation"), default=False)

    class Meta:
        verbose_name = _("rule of a category")
        verbose_name_plural = _("rules by category")
        ordering = ["rule_set_id", "category__order"]
        constraints = [
            models.UniqueConstraint(fields=["rule_set", "category"], name="rule_once"),
            models.CheckConstraint(
                condition=Q(top_share=None) | Q(top_share__gt=0, top_share__lte=1), name="rule_share"
            ),
            models.CheckConstraint(
                condition=Q(target=None)
                | Q(top_share__isnull=False)
                | Q(top_count__isnull=False)
                | Q(points_threshold__isnull=False),
                name="rule_selects_somehow",
            ),
            models.CheckConstraint(
                condition=Q(target=None) | ~Q(target=F("category")), name="rule_target_differs"
            ),
            models.CheckConstraint(
                condition=Q(average_effect="none") | Q(average_threshold__isnull=False),
                name="rule_effect_has_threshold",
            ),
            models.CheckConstraint(
                condition=Q(demotion_target=None, demotion_threshold=None)
                | Q(demotion_target__isnull=False, demotion_threshold__isnull=False),
                name="rule_demotion_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rule_set_id}: {self.category_id}"


class RuleSetChange(models.Model):
    """A logged change of a rule set. `before` and `after` hold all figures of the set. Append-only."""

    rule_set = models.ForeignKey(PromotionRuleSet, models.PROTECT, related_name="changes")
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    note = models.CharField(_("why, and by which document"), max_length=300)
    before = models.JSONField()
    after = models.JSONField()

    class Meta:
        verbose_name = _("change of promotion rules")
        verbose_name_plural = _("changes of promotion rules")
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(condition=~Q(note=""), name="rule_change_has_note")]

    def __str__(self) -> str:
        return f"{self.rule_set_id}: {self.at}"
