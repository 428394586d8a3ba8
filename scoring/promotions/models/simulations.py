"""Category changes that workers compute for pages of the office, without carrying them out."""

from django.db import models
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.ledger.models.work import Work

from .campaigns import CampaignSnapshot
from .rules import PromotionRuleSet


class Simulation(Work):
    """The category change on a day by a rule set, as computed by a worker from the data of one moment.

    It is compared with the change by another rule set, or with frozen lists: then it shows their late
    results. Asking again computes the same row again; until that is done, pages show the former result.

    other_rules, snapshot: what it is compared with; at most one of them
    asked_at: when somebody last asked for it
    result: the result as JSON (`queries.simulation`, `queries.late`); None until it is computed
    computed_at: the moment of the data behind the result
    version, rules: version of the standings, and digest of the rules, of that moment
    """

    day = models.DateField(_("day"))
    rule_set = models.ForeignKey(PromotionRuleSet, models.CASCADE, related_name="+")
    other_rules = models.ForeignKey(PromotionRuleSet, models.CASCADE, null=True, related_name="+")
    snapshot = models.ForeignKey(CampaignSnapshot, models.CASCADE, null=True, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    result = models.JSONField(null=True)
    computed_at = models.DateTimeField(null=True)
    version = models.PositiveBigIntegerField(default=0)
    rules = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("simulation")
        verbose_name_plural = _("simulations")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                F("day"),
                F("rule_set"),
                Coalesce("other_rules", 0),
                Coalesce("snapshot", 0),
                name="simulation_once",
            ),
            models.CheckConstraint(
                condition=models.Q(other_rules=None) | models.Q(snapshot=None),
                name="simulation_compared_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.state}"
