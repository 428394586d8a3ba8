"""Changeovers: the points of a former program, which the ledger takes over in one act."""

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.models import Proposal
from scoring.ledger.models.work import Work


class Changeover(Work):
    """The history of all players' points from a former program, with its last list to compare it with.

    A worker reads the files into `ChangeoverAward` rows. Then the office sees what they add up to, and where
    that differs from the old list. Applying posts all rows as opening awards, undoing takes all of them back.

    step: what a worker does, or did last; `state` says how far it is
    list_day: the day of the old list
    period: which points the old list counts
    number: how many awards are read, and to be posted
    same: how many awards of the files are in the ledger already
    done: how many rows of the files are read
    totals: what the awards add up to, see `scoring.changeover.reconciling.totals`
    issues: problems of the awards of all files together, as `tournaments.formats.types.Issue`
    digest: a digest of the files and of what they were compared with; a second person approves it
    refusal: why the last applying or undoing wrote nothing: a code, see `services.REFUSALS`
    differences: players whose points differ from the old list
    differences_accepted: whether the office applies it in spite of these differences
    entries: the ids of the posted ledger entries, as a list of [first, last]
    left_alone: how many entries were not taken back, because they were taken back or moved before
    """

    class Step(models.TextChoices):
        READ = "read"
        APPLY = "apply"
        UNDO = "undo"

    class Period(models.TextChoices):
        YEAR = "year", _("of the last 12 months")
        ALL = "all", _("of all years")

    step = models.CharField(max_length=5, choices=Step, default=Step.READ)
    list_day = models.DateField(null=True)
    period = models.CharField(max_length=4, choices=Period, default=Period.YEAR)
    number = models.PositiveIntegerField(default=0)
    same = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    totals = models.JSONField(default=dict)
    issues = models.JSONField(default=list)
    digest = models.CharField(max_length=64, blank=True)
    refusal = models.CharField(max_length=10, blank=True)
    differences = models.PositiveIntegerField(default=0)
    differences_accepted = models.BooleanField(default=False)
    entries = models.JSONField(default=list)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    proposal = models.ForeignKey(Proposal, models.PROTECT, null=True, related_name="+")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField(null=True)
    applied_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    applied_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    undone_at = models.DateTimeField(null=True)
    undo_reason = models.CharField(max_length=300, blank=True)
    left_alone = models.PositiveIntegerField(default=0)
    discarded_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("changeover")
        verbose_name_plural = _("changeovers")
        ordering = ["-pk"]
        constraints = [
            # Two at once could post the same award twice: each is compared with the ledger when it is read.
            models.UniqueConstraint(
                Value(1),
                condition=Q(applied_at=None, discarded_at=None) | Q(state__in=["pending", "running"]),
                name="changeover_one_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {self.step} {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("changeover", args=[self.pk])

    @property
    def is_under_review(self) -> bool:
        """Whether it is read, and neither applied nor discarded."""
        is_read = self.step == self.Step.READ and self.state == self.State.DONE
        return is_read and self.applied_at is None and self.discarded_at is None

    @property
    def is_applied(self) -> bool:
        """Whether its awards are in the ledger and not taken back."""
        return self.applied_at is not None and self.undone_at is None


class ChangeoverFile(models.Model):
    """A file of a changeover: a part of the history, or the old list.

    content: the bytes as uploaded; empty once the changeover is applied or discarded
    rows: how many rows were read
    is_read: whether all its rows are stored as `ChangeoverAward`s
    issues: the problems of the file, as `tournaments.formats.types.Issue`
    """

    changeover = models.ForeignKey(Changeover, models.CASCADE, related_name="files")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=255)
    content = models.BinaryField()
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    is_list = models.BooleanField(default=False)
    rows = models.PositiveIntegerField(default=0)
    is_read = models.BooleanField(default=False)
    issues = models.JSONField(default=list)

    class Meta:
        verbose_name = _("file of a changeover")
        verbose_name_plural = _("files of changeovers")
        ordering = ["changeover_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["changeover", "position"], name="changeover_file_once"),
        ]

    def __str__(self) -> str:
        return self.name


class ChangeoverAward(models.Model):
    """An award of a former program that waits to be posted. Points in hundredths.

    There may be millions, which are written and read as a whole. So they have no foreign keys, which the
    database would check row by row, and no index: the ledger's own constraints hold once they are posted.

    source_key: the key with which the award is posted, see `scoring.ledger.services.posting.OpeningRow`
    """

    changeover_id = models.BigIntegerField()
    file = models.PositiveSmallIntegerField()  # position of the file
    line = models.PositiveIntegerField()
    player_id = models.BigIntegerField()
    played_on = models.DateField()
    title = models.CharField(max_length=150)
    online = models.BooleanField()
    points = models.IntegerField()
    source_key = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("award of a changeover")
        verbose_name_plural = _("awards of changeovers")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.file}, {self.line}"


class ChangeoverBalance(models.Model):
    """The points of a number in the old list, and those that the awards add up to, where these differ.

    stated: as in the old list; None if it does not have the number
    computed: None if no player has the number
    """

    changeover = models.ForeignKey(Changeover, models.CASCADE, related_name="balances")
    number = models.CharField(max_length=8)
    stated = models.IntegerField(null=True)
    computed = models.IntegerField(null=True)

    class Meta:
        verbose_name = _("difference from the old list")
        verbose_name_plural = _("differences from the old list")
        ordering = ["changeover_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["changeover", "number"], name="changeover_balance_once"),
        ]

    def __str__(self) -> str:
        return self.number
