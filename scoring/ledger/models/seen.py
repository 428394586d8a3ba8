"""What players have seen of the corrections of their points."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from players.models import Player


class SeenCorrections(models.Model):
    """Until when a player has seen the corrections of their points, so that they are not shown as news."""

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="seen_corrections")
    until = models.DateTimeField()

    class Meta:
        verbose_name = _("corrections seen by a player")
        verbose_name_plural = _("corrections seen by players")

    def __str__(self) -> str:
        return f"{self.player_id}: {self.until}"
