"""The transparency log: the hashes of its tree, checkpoints, pseudonyms, and the logs that are witnessed.

Rows are only added: guards refuse to change or delete any but those of `LogState`, `WitnessRound` and
`WitnessedLog`.
"""

from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from players.models import Player
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.models.work import Work


class Pseudonym(models.Model):
    """The random code that stands for a player in the log.

    It stays when the player is hidden, merged or erased, so leaves never have to change.
    """

    player = models.OneToOneField(Player, models.PROTECT, related_name="pseudonym")
    code = models.CharField(_("code in the log"), max_length=32, unique=True)

    class Meta:
        verbose_name = _("pseudonym in the log")
        verbose_name_plural = _("pseudonyms in the log")

    def __str__(self) -> str:
        return self.code


class Leaf(models.Model):
    """A leaf of the tree: a ledger entry, or a scoring run that was posted.

    id: index of the leaf in the tree, from 0
    hash: SHA-256 of the leaf; the data follow from the row (`scoring.transparency.leaves`)
    """

    id = models.BigIntegerField(primary_key=True)
    hash = models.BinaryField(max_length=32)
    entry = models.OneToOneField(LedgerEntry, models.PROTECT, null=True, related_name="leaf")
    run = models.OneToOneField(ScoringRun, models.PROTECT, null=True, related_name="leaf")

    class Meta:
        verbose_name = _("leaf of the log")
        verbose_name_plural = _("leaves of the log")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(entry__isnull=False, run=None) | Q(entry=None, run__isnull=False),
                name="leaf_of_one_row",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Node(models.Model):
    """A hash above the leaves: that of 256 hashes of the level below (`scoring.transparency.tree`)."""

    level = models.PositiveSmallIntegerField()
    number = models.BigIntegerField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("node of the log")
        verbose_name_plural = _("nodes of the log")
        ordering = ["level", "number"]
        constraints = [models.UniqueConstraint(fields=["level", "number"], name="node_once")]

    def __str__(self) -> str:
        return f"{self.level}/{self.number}"


class LogState(models.Model):
    """The only row says how far the log is. Its lock lets one worker at a time append.

    size: number of leaves
    entries_to: all entries up to this id are in the log, whatever is still to be committed
    seen_to, seen_at: up to this id entries were in the log at this time
    seen_before: the transactions of that time have lower numbers (`scoring.transparency.transactions`); None
        until all have one. When all have ended, `seen_to` becomes `entries_to`
    runs_to: all runs that finished before this time are in the log; None before the first
    due_at: when the next worker appends
    appended_at: when everything committed was in the log for the last time
    """

    size = models.BigIntegerField(default=0)
    entries_to = models.BigIntegerField(default=0)
    seen_to = models.BigIntegerField(default=0)
    seen_at = models.DateTimeField(null=True)
    seen_before = models.BigIntegerField(null=True)
    runs_to = models.DateTimeField(null=True)
    due_at = models.DateTimeField(db_default=Now())
    appended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("state of the log")
        verbose_name_plural = _("states of the log")
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="log_state_once")]

    def __str__(self) -> str:
        return str(self.size)


class Checkpoint(models.Model):
    """A signed statement of the log's size and root.

    note: the checkpoint as it is published, with the log's signature
    """

    size = models.BigIntegerField()
    root = models.BinaryField(max_length=32)
    note = models.TextField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("checkpoint of the log")
        verbose_name_plural = _("checkpoints of the log")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["created_at"], name="checkpoint_by_time"),
            models.Index(fields=["size"], name="checkpoint_by_size"),
        ]

    def __str__(self) -> str:
        return str(self.size)


class Cosignature(models.Model):
    """The signature of a witness under a checkpoint. `line` is the line of the note."""

    checkpoint = models.ForeignKey(Checkpoint, models.PROTECT, related_name="cosignatures", db_index=False)
    witness = models.CharField(max_length=200)
    line = models.TextField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("cosignature of a witness")
        verbose_name_plural = _("cosignatures of witnesses")
        constraints = [models.UniqueConstraint(fields=["checkpoint", "witness"], name="cosignature_once")]

    def __str__(self) -> str:
        return self.line


class Stamp(models.Model):
    """The stamp of a time-stamping authority under a checkpoint's note (RFC 3161).

    content: the authority's answer in DER
    """

    checkpoint = models.OneToOneField(Checkpoint, models.PROTECT, related_name="stamp")
    service = models.CharField(max_length=200)
    content = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("time stamp of a checkpoint")
        verbose_name_plural = _("time stamps of checkpoints")

    def __str__(self) -> str:
        return f"{self.checkpoint_id}: {self.service}"


class WitnessRound(Work):
    """A request to all witnesses, and the time-stamping authority, about the latest checkpoint.

    problems: why witnesses did not cosign, as texts
    """

    problems = models.JSONField(default=list)

    class Meta:
        verbose_name = _("round of the witnesses")
        verbose_name_plural = _("rounds of the witnesses")
        indexes = [models.Index(fields=["created_at"], name="witness_round_by_time")]
        constraints = [
            models.UniqueConstraint(
                Value(1), condition=Q(state__in=["pending", "running"]), name="witness_round_one_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {self.state}"


class WitnessedLog(models.Model):
    """The latest checkpoint of another log that this installation cosigned as a witness."""

    origin = models.CharField(max_length=200, unique=True)
    size = models.BigIntegerField()
    root = models.BinaryField(max_length=32)
    note = models.TextField()
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name = _("witnessed log")
        verbose_name_plural = _("witnessed logs")

    def __str__(self) -> str:
        return f"{self.origin} {self.size}"
