"""How often something was tried that must not be tried without end, passwords above all."""

from django.db import models


class Tally(models.Model):
    """What counts against one address, one account or both; `players.services.limits` keeps it.

    `key` is a digest: nobody reads from it who tried what, or from where.
    """

    key = models.CharField(max_length=64, unique=True)
    count = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        verbose_name = "tally of attempts"
        verbose_name_plural = "tallies of attempts"
        ordering = ["pk"]
        indexes = [models.Index(fields=["last_at"], name="tally_age")]

    def __str__(self) -> str:
        return f"{self.key[:8]}: {self.count}"
