"""Lists that the office imports, and what searches of the database keep for its inbox."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Value
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.models import Club, Licence, Player, Proposal
from scoring.ledger.models import ScoringRun
from scoring.ledger.models.work import UNDER_WAY, Work
from tournaments.models import Upload, UploadQuerySet


class OfficeImport(Upload):
    """A list that the office uploaded to import. It is previewed, then applied part by part.

    A worker reads it into parts and rows, and compares these with the register. `parsed` holds what was read
    of the file except its rows.

    columns: what the office chose for the columns of this file, as `tournaments.formats.types.Choice`
    compared: what applying the list would change, as `scoring.office.lists.plan.Comparison`; empty until a
        worker has compared it
    applied_at, undone_at: when a worker began to write. It ends when the state is `APPLIED` or `UNDONE`
    written: what was written, except what its parts hold: how many changes count towards the daily limit
        (`alone`, and of undoing `undone_alone`), `conflicts`, and after undoing, `back`
    """

    class Kind(models.TextChoices):
        PLAYERS = "players", _("Players")
        LICENCES = "licences", _("Licences")
        CATEGORIES = "categories", _("Categories")
        OPENING = "opening", _("Opening awards")

    class State(models.TextChoices):
        REVIEW = "review", _("To be reviewed")
        WAITING = "waiting", _("Waiting for a second person")
        APPLYING = "applying", _("Being applied")
        APPLIED = "applied", _("Applied")
        DISCARDED = "discarded", _("Discarded")
        UNDOING = "undoing", _("Being undone")
        UNDONE = "undone", _("Undone")
        REFUSED = "refused", _("Could not be read")

    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.REVIEW)
    # The numbers of lines that added, changed and repeated data; set when the list is applied.
    counts = models.JSONField(default=dict)
    columns = models.JSONField(default=dict, db_default={})
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    applied_at = models.DateTimeField(null=True)
    applied_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    by_two = models.BooleanField(default=False)  # applied with a second person's approval
    compared = models.JSONField(default=dict, db_default={})
    compared_at = models.DateTimeField(null=True)
    written = models.JSONField(default=dict)
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    undone_reason = models.CharField(max_length=300, blank=True)

    objects = UploadQuerySet.as_manager()

    class Meta:
        verbose_name = _("office import")
        verbose_name_plural = _("office imports")
        ordering = ["-created_at", "-pk"]

    def get_absolute_url(self) -> str:
        return reverse("office_import_review", args=[self.pk])


class ListPart(models.Model):
    """Rows of an imported list that are compared and written together, so that few are in memory at a time.

    All rows about one number are in the same part.

    compared: what applying the part would change, as `scoring.office.lists.plan.Comparison`; empty until then
    written: the stored fields of `scoring.office.lists.plan.Written`, to undo the part; empty until the part
        is applied
    undone: the same of undoing the part; empty until then
    """

    batch = models.ForeignKey(OfficeImport, models.CASCADE, related_name="parts")
    position = models.PositiveIntegerField()
    compared = models.JSONField(default=dict)
    written = models.JSONField(default=dict)
    undone = models.JSONField(default=dict, db_default={})

    class Meta:
        verbose_name = _("part of an imported list")
        verbose_name_plural = _("parts of imported lists")
        ordering = ["batch_id", "position"]
        constraints = [models.UniqueConstraint(fields=["batch", "position"], name="list_part_once")]

    def __str__(self) -> str:
        return f"{self.batch_id}: {self.position}"


class ListRow(models.Model):
    """A row of an imported list, with what applying it would change, or has changed.

    values: its cells, {column key: text}; empty once the list is applied
    change: what the row does; "" if it changes nothing, has an error or is not compared yet
    number: the normalised federation number; "" if the cell has none
    name: the player's name when the row was compared; "" once the list is applied
    details: what changes, as `scoring.office.lists.plan.Detail`
    """

    class Change(models.TextChoices):
        ADD = "add", _("adds")
        CHANGE = "change", _("changes")

    batch = models.ForeignKey(OfficeImport, models.CASCADE, related_name="rows")
    part = models.ForeignKey(ListPart, models.CASCADE, related_name="rows")
    line = models.PositiveIntegerField()
    values = models.JSONField(default=dict)
    change = models.CharField(max_length=6, choices=Change, blank=True)
    number = models.CharField(max_length=8, blank=True)
    name = models.CharField(max_length=300, blank=True)
    details = models.JSONField(default=list)

    class Meta:
        verbose_name = _("row of an imported list")
        verbose_name_plural = _("rows of imported lists")
        ordering = ["batch_id", "line"]
        constraints = [models.UniqueConstraint(fields=["batch", "line"], name="list_row_once")]
        indexes = [
            models.Index(fields=["batch", "line"], condition=~Q(change=""), name="list_row_by_line"),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id}: {self.line}"


class ListTask(Work):
    """A task for the workers: to read and compare an imported list, to apply it, or to undo it.

    From when applying or undoing is asked for until it is over, the list's state is `APPLYING` or `UNDOING`,
    and nothing else changes the list. A worker compares the whole list again before it writes the first part.
    A list goes back to its former state, and stays as it was, if the task is stopped before a worker has
    begun to write, or if the worker finds that the list would change something else than what was asked.
    Comparing leaves the state as it is, but meanwhile nothing else can be asked for.

    digest: digest of the comparison that was asked for, computed in `language`
    by: the account that asked, or that approves `proposal`
    proposal: the proposal that the task carries out; None if no second person is needed
    number: how many lines are compared, written or undone; 0 until the file is read
    done: how many lines are compared; after `begun_at`, how many are written or undone
    begun_at: when the first part was written; None until then. From then on the task goes on to its end
    refusal: why the list went back: a code, see `scoring.office.lists.tasks.REFUSALS`
    """

    class Verb(models.TextChoices):
        COMPARE = "compare"
        APPLY = "apply"
        UNDO = "undo"

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting")
        RUNNING = "running", _("Under way")
        DONE = "done", _("Done")
        FAILED = "failed", _("Stopped after several attempts")
        RETURNED = "returned", _("Not done: the list went back")
        STOPPED = "stopped", _("Stopped before it began")

    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    batch = models.ForeignKey(OfficeImport, models.PROTECT, related_name="tasks")
    verb = models.CharField(max_length=10, choices=Verb)
    digest = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=10)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    proposal = models.ForeignKey(Proposal, models.PROTECT, null=True, related_name="+")
    number = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0, db_default=0)
    begun_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=300, blank=True)  # for undoing alone
    refusal = models.CharField(max_length=10, blank=True)
    stopped_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    # States in which the list belongs to the task. The office may have a failed task tried again.
    OPEN = (*UNDER_WAY, State.FAILED)

    class Meta:
        verbose_name = _("task of an imported list")
        verbose_name_plural = _("tasks of imported lists")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["batch"],
                condition=Q(state__in=["pending", "running", "failed"]),
                name="list_task_one_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id}: {self.verb}"

    @property
    def is_open(self) -> bool:
        """Whether the task is not over; one that failed is not."""
        return self.state in self.OPEN


class ListLayout(models.Model):
    """What the columns of a kind of list mean, as chosen for one file and used for all with equal headings.

    digest, meanings: as in `tournaments.formats.types.SheetLayout`
    """

    kind = models.CharField(max_length=10, choices=OfficeImport.Kind)
    digest = models.CharField(max_length=32)
    meanings = models.JSONField()
    updated_at = models.DateTimeField(auto_now=True)
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("column layout of a list")
        verbose_name_plural = _("column layouts of lists")
        constraints = [models.UniqueConstraint(fields=["kind", "digest"], name="list_layout_once")]

    def __str__(self) -> str:
        return self.digest


class Evidence(models.TextChoices):
    """What says that two numbers are one person. The label is what the office reads."""

    SAME_NAME = "same_name", _("same name")
    ALIKE = "alike", _("names spelt alike")
    EMAIL = "email", _("same e-mail address")
    BIRTH_YEAR = "birth_year", _("same year of birth")
    CLUB = "club", _("same club")
    SEASONS = "seasons", _("licences in different seasons")


class DuplicatePair(models.Model):
    """Two numbers that are probably one person, or that somebody has found to be two people.

    A search for duplicates writes the pairs. It replaces those on which nobody has decided.

    evidence: values of `Evidence`
    weight: how strong the evidence is; pairs with the strongest come first
    first_tournaments, second_tournaments: the number of tournaments of each when the pair was found
    separate_at, separate_by: when the office said that they are two people, and who did
    """

    first = models.ForeignKey(Player, models.CASCADE, related_name="+")
    second = models.ForeignKey(Player, models.CASCADE, related_name="+")
    evidence = models.JSONField(default=list)
    weight = models.PositiveSmallIntegerField()
    first_tournaments = models.PositiveIntegerField(default=0)
    second_tournaments = models.PositiveIntegerField(default=0)
    found_at = models.DateTimeField(auto_now_add=True)
    separate_at = models.DateTimeField(null=True)
    separate_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    class Meta:
        verbose_name = _("probable duplicate")
        verbose_name_plural = _("probable duplicates")
        ordering = ["-weight", "found_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="duplicate_pair_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="duplicate_pair_ordered"),
            models.CheckConstraint(
                condition=Q(separate_at=None, separate_by=None)
                | Q(separate_at__isnull=False, separate_by__isnull=False),
                name="duplicate_pair_decided_by",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_id}, {self.second_id}"

    @property
    def both(self) -> tuple[Player, Player]:
        """The players with the two numbers."""
        return self.first, self.second


class DuplicateSearch(Work):
    """One search of the whole register for numbers that are probably one person.

    number: how many pairs it found
    """

    number = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("search for duplicates")
        verbose_name_plural = _("searches for duplicates")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                Value(1),
                condition=Q(state__in=["pending", "running"]),
                name="duplicate_search_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {self.state}"


class CountableRun(models.Model):
    """A tournament that did not count because too few participants held a licence, and by now enough do.

    A search writes these rows (`scoring.office.services.countable`).

    licensed: how many participants held a licence that is valid on the tournament's last day
    needed: how many have to hold one
    as_of: the time of the licences that were counted
    """

    run = models.OneToOneField(ScoringRun, models.CASCADE, related_name="+")
    licensed = models.PositiveIntegerField()
    needed = models.PositiveIntegerField()
    as_of = models.DateTimeField()

    class Meta:
        verbose_name = _("tournament that could count now")
        verbose_name_plural = _("tournaments that could count now")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.licensed}"


class CountableSearch(Work):
    """A search for tournaments that could count now, asked for every day and after each change of licences.

    since: tournaments that ended before this day are left as they are
    """

    since = models.DateField()

    class Meta:
        verbose_name = _("search for tournaments that could count now")
        verbose_name_plural = _("searches for tournaments that could count now")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.since}: {self.state}"


class Look(models.Model):
    """A mark that somebody of the committee, an auditor or the office has looked at what changed.

    until: changes up to this moment were on the page that was marked
    """

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    until = models.DateTimeField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("look at what changed")
        verbose_name_plural = _("looks at what changed")
        ordering = ["-until", "-pk"]
        indexes = [models.Index(fields=["by", "-until"], name="look_by_person")]

    def __str__(self) -> str:
        return f"{self.by_id}: {self.until}"


class LicenceRenewal(Work):
    """A renewal of the licences of a season: last year's list, of all clubs or of one, in one act.

    A worker gives the licences; a small renewal is done at once. Undoing it is work on the same row.

    first, last: the days of the new licences
    club: only its members; None for everybody
    foreign: whether licences of other federations that count are renewed too
    chosen: ids of the players, if only some were chosen; otherwise empty
    total, done: how many licences are to be given, or taken back, and how many have been
    """

    season = models.PositiveSmallIntegerField(_("season"))
    first = models.DateField(_("valid from"))
    last = models.DateField(_("valid to"))
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="+", verbose_name=_("club"))
    foreign = models.BooleanField(default=False)
    chosen = models.JSONField(default=list)
    reason = models.CharField(_("reason"), max_length=300)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    undo_asked_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    undone_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name = _("renewal of licences")
        verbose_name_plural = _("renewals of licences")
        ordering = ["-pk"]
        constraints = [
            # Two renewals at once would count the same players; the database lets one begin at a time.
            models.UniqueConstraint(
                Value(1), condition=Q(state__in=["pending", "running"]), name="licence_renewal_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season}: {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("licence_renewal", args=[self.pk])

    @property
    def is_undone(self) -> bool:
        """Whether all its licences were taken back."""
        return self.undo_asked_at is not None and self.state == self.State.DONE


class RenewedLicence(models.Model):
    """A licence that a renewal gave."""

    renewal = models.ForeignKey(LicenceRenewal, models.PROTECT, related_name="licences")
    licence = models.OneToOneField(Licence, models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("renewed licence")
        verbose_name_plural = _("renewed licences")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.renewal_id}: {self.licence_id}"
