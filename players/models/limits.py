"""Counts of attempts that must be limited, mainly attempts to enter a password."""

from django.db import models


class Tally(models.Model):
    """A counter of attempts, for example of one account or of one network; see `players.services.limits`.

    `key` is a digest of the counter's name, so that the table does not reveal who tried what, or from where.
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
