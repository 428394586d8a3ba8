"""Numbers a regulation needs and no source gives: the office fills them in, with where it has them from."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ScoringFactor(models.Model):
    """The value of a factor from a day on. A later row replaces an earlier one; none is ever changed.

    `case` tells apart what the factor depends on (of R: the rating of the tournament); empty where it
    depends on nothing. What was scored keeps the value it was scored with.
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
        ]

    def __str__(self) -> str:
        return f"{self.regulation} {self.name}: {self.value}"
