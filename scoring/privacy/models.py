"""Copies of a person's data, and erasures under way."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Player, Proposal
from scoring.ledger.models.work import Work


class DataCopy(Work):
    """A copy of everything that is stored about an account and its player: a zip file made by a worker.

    content: the zip file; None until it is made, and after `KEEP_DATA_COPIES`
    done, total: numbers of kinds of data that are in it, and that there are
    """

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting")
        RUNNING = "running", _("Being made")
        DONE = "done", _("Ready")
        FAILED = "failed", _("Stopped after several attempts")

    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="data_copies")
    content = models.BinaryField(null=True)
    done = models.PositiveSmallIntegerField(default=0)
    total = models.PositiveSmallIntegerField(null=True)

    class Meta:
        verbose_name = _("copy of personal data")
        verbose_name_plural = _("copies of personal data")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["account", "-id"], name="copy_by_account")]
        constraints = [
            models.UniqueConstraint(
                fields=["account"], condition=Q(state__in=["pending", "running"]), name="copy_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.state}"


class Erasure(Work):
    """The erasure of a person's data. Approving it erases the entry of the register; a worker does the rest.

    words: the names and addresses that the worker looks for in stored files and lists; empty once it is done
    changed: number of stored rows from which the worker erased something
    """

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting")
        RUNNING = "running", _("Being erased")
        DONE = "done", _("Done")
        FAILED = "failed", _("Stopped after several attempts")

    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    player = models.OneToOneField(Player, models.PROTECT, related_name="erasure")
    proposal = models.ForeignKey(Proposal, models.PROTECT, related_name="+")
    words = models.JSONField(default=list)
    changed = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("erasure of personal data")
        verbose_name_plural = _("erasures of personal data")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.state}"
