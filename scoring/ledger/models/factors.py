"""Factors that a regulation leaves to the federation. The office enters them with their source."""

from functools import reduce
from operator import or_

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.regulations.acbl import CLUB_AWARDS, OVERALL
from scoring.regulations.acbl.shared import LARGEST_FACTOR
from scoring.regulations.acbl.tables import CLUB_ENTERED, OVERALL_ENTERED

# Names of the factors that the office enters, by regulation.
OFFICE_FACTORS = {OVERALL.code: OVERALL_ENTERED, CLUB_AWARDS.code: CLUB_ENTERED}


class ScoringFactor(models.Model):
    """The value of a factor that a regulation leaves to the federation, valid from a day on.

    Rows never change; a later row replaces an earlier one. Runs store the values that they were scored with.

    name: name of the factor in the formula, for example R, the rating factor of the ACBL formula
    case: the kind of tournament that the value is for, for example "national" for R; empty if it is for all
        tournaments
    """

    regulation = models.CharField(_("regulation"), max_length=20)
    name = models.CharField(_("factor"), max_length=10)
    case = models.CharField(_("for"), max_length=40, blank=True)
    value = models.DecimalField(_("value"), max_digits=8, decimal_places=4)
    source = models.CharField(
        _("source"), max_length=300, help_text=_("Where the number stands: document, page, date.")
    )
    valid_from = models.DateField(_("valid from"))
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    set_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("factor")
        verbose_name_plural = _("factors")
        ordering = ["regulation", "name", "case", "-valid_from", "-pk"]
        constraints = [
            models.CheckConstraint(condition=models.Q(value__gt=0), name="factor_positive"),
            # The engine's own limit: it refuses every tournament with a larger factor.
            models.CheckConstraint(
                condition=models.Q(value__lte=LARGEST_FACTOR), name="factor_not_too_large"
            ),
            models.CheckConstraint(
                condition=~models.Q(name="depth") | models.Q(value__lte=1), name="factor_depth_is_a_share"
            ),
            models.CheckConstraint(
                condition=reduce(
                    or_, (models.Q(regulation=code, name__in=OFFICE_FACTORS[code]) for code in OFFICE_FACTORS)
                ),
                name="factor_of_its_regulation",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.regulation} {self.name}: {self.value}"
