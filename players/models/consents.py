"""The log of what people decided about their personal data, and of what was decided for them."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Consent(models.Model):
    """A decision about a person's data. Rows are only added; the latest of a kind is in force.

    detail: what the kind is about, such as a kind of notices; blank if that is clear
    by: the account that decided; None for a rule of the site, such as that minors are hidden
    """

    class Kind(models.TextChoices):
        HIDDEN = "hidden", _("The name is hidden")
        SHOWN = "shown", _("The name is shown")
        MAIL = "mail", _("Notices by e-mail")
        OF_AGE = "of_age", _("Said to be 14 or older")
        COPY = "copy", _("Asked for a copy of all data")
        ERASURE = "erasure", _("Asked for erasure")
        ERASED = "erased", _("The personal data are erased")

    player = models.ForeignKey("players.Player", models.PROTECT, related_name="consents")
    kind = models.CharField(max_length=10, choices=Kind)
    detail = models.CharField(max_length=100, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("decision about personal data")
        verbose_name_plural = _("decisions about personal data")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.kind}"
