"""The log of annulled and restored tournaments: who decided, and why."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.ratings.models import RatingTournament
from tournaments.models import Tournament


class Annulment(models.Model):
    """The annulment or restoration of a bridge or Go tournament.

    The latest row of a tournament is the valid one. While a tournament is annulled, its field `annulled_at`
    is set.
    """

    class Act(models.TextChoices):
        ANNULLED = "annulled", _("annulled")
        RESTORED = "restored", _("restored")

    act = models.CharField(max_length=8, choices=Act)
    tournament = models.ForeignKey(Tournament, models.PROTECT, null=True, related_name="annulments")
    rating_tournament = models.ForeignKey(
        RatingTournament, models.PROTECT, null=True, related_name="annulments"
    )
    reason = models.CharField(_("reason"), max_length=300)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("annulment")
        verbose_name_plural = _("annulments")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(tournament=None, rating_tournament__isnull=False)
                | Q(tournament__isnull=False, rating_tournament=None),
                name="annulment_of_one",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="annulment_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.act}"

    @property
    def event(self) -> Tournament | RatingTournament:
        """The annulled or restored tournament, of bridge or of Go."""
        return self.tournament or self.rating_tournament
