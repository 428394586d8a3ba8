"""The rules that say who may move up a category at year end."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.models import Category


class PromotionRuleSet(models.Model):
    """A dated set of rules, one row a category. Unconfirmed sets say so on every page that uses them."""

    name = models.CharField(_("name"), max_length=80, unique=True)
    family = models.CharField(max_length=12, default="aeb")
    valid_from = models.DateField(_("first year end"))
    valid_to = models.DateField(_("last year end"), null=True, blank=True)
    veto = models.BooleanField(_("the modified average can block"), default=False)
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


class PromotionRule(models.Model):
    """How many of a category may move up, and to where; no row or no target: nobody."""

    rule_set = models.ForeignKey(PromotionRuleSet, models.CASCADE, related_name="rules")
    category = models.ForeignKey(Category, models.PROTECT, related_name="+", verbose_name=_("category"))
    target = models.ForeignKey(
        Category, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("moves up to"),
        help_text=_("Empty: nobody of this category moves up by points."),
    )  # fmt: skip
    top_share = models.DecimalField(
        _("top share"), max_digits=5, decimal_places=4,
        help_text=_("Of the licensed players with points: 0.1 is 10 %."),
    )  # fmt: skip
    minimum = models.PositiveSmallIntegerField(_("at least"), default=1)

    class Meta:
        verbose_name = _("rule of a category")
        verbose_name_plural = _("rules by category")
        ordering = ["rule_set", "category__order"]
        constraints = [
            models.UniqueConstraint(fields=["rule_set", "category"], name="rule_once"),
            models.CheckConstraint(condition=Q(top_share__gt=0, top_share__lte=1), name="rule_share"),
            models.CheckConstraint(
                condition=Q(target=None) | ~Q(target=F("category")), name="rule_target_differs"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rule_set_id}: {self.category_id}"
