"""Uploaded results and the issues found in them."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.models import Club, ClubToken, Player
from tournaments.senders import sender_name

from .announcements import Announcement
from .results import Revision
from .tournament import Tournament


class StoredFile(models.Model):
    """The content of an uploaded file, or its name in the storage of BAZA_FILES.

    It has its own table, so that lists of uploads never read it. `tournaments.services.stored_files` writes,
    reads and deletes it.

    content: None if the bytes are in the storage
    key: blank if the bytes are in `content`
    """

    content = models.BinaryField(null=True)
    key = models.CharField(max_length=60, blank=True, default="", db_default="")

    class Meta:
        verbose_name = _("uploaded file")
        verbose_name_plural = _("uploaded files")
        constraints = [
            models.CheckConstraint(
                condition=Q(content__isnull=False, key="") | (Q(content=None) & ~Q(key="")),
                name="stored_file_in_one_place",
            ),
            models.UniqueConstraint(fields=["key"], condition=~Q(key=""), name="stored_file_key_once"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class UploadQuerySet(models.QuerySet):
    def drafts(self) -> Self:
        """Return the drafts: uploads that are neither confirmed nor discarded nor refused."""
        return self.filter(state=Upload.REVIEW)


class Upload(models.Model):
    """Abstract base of the models of uploads. `tournaments.services.pipeline` processes them.

    Every subclass adds a field `state`, whose choices include REVIEW, REFUSED and DISCARDED. `parsed` is the
    JSON form of what was read from the file, including the issues found while reading.
    """

    REVIEW, REFUSED, DISCARDED = "review", "refused", "discarded"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    file_name = models.CharField(max_length=200, blank=True)  # blank if typed by hand
    file_format = models.CharField(max_length=20, blank=True)  # blank until the file has been read
    size = models.PositiveIntegerField(default=0)  # bytes
    sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    file = models.OneToOneField(StoredFile, models.SET_NULL, null=True, related_name="%(class)s")
    file_deleted_at = models.DateTimeField(null=True)  # when the retention rule deleted the file
    parsed = models.JSONField(default=dict)
    ticks = models.JSONField(default=dict)  # see `tournaments.services.ticks`
    discarded_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.file_name or str(self.pk)

    @property
    def is_unread(self) -> bool:
        """Whether nothing was read from the file yet: reading was interrupted or is still running."""
        return bool(self.file_name) and not self.file_format


# Codes of the errors that end when the office states that an upload and a tournament are two events.
REPEATED = ("same_ranking", "same_file")


class ResultUploadQuerySet(UploadQuerySet):
    def with_same_ranking(self) -> "ResultUploadQuerySet":
        """Return the drafts that repeat a confirmed ranking or file.

        Drafts that the office declared to be separate events are left out.
        """
        same = UploadIssue.objects.filter(upload=OuterRef("pk"), code__in=REPEATED)
        return self.drafts().filter(Exists(same))


class ResultUpload(Upload):
    """One or several result files, or a ranking typed by hand, from receipt to confirmation.

    `parsed` is a `ParsedResult` as JSON. `details` is the director's input about the tournament.
    `announcement` is the announced tournament of which this is the result, as proposed or chosen. `revision`
    is the ranking that was stored on confirmation. `columns` is {digest of a layout: `Choice` as JSON} for
    the sheets of which the director chose what their columns mean. `token` is that of the club's computer
    that sent the file; `created_by` is then the account that made the token. `sent_version` is the digest of
    the draft as the computer left it (see `tournaments.services.uploads.version_of`), to tell whether a
    person has changed it since.

    `title`, `played_on`, `errors` and `unticked` are computed from the draft and stored, so that lists of
    uploads need not build each draft. `errors` is the number of errors; `unticked` is the number of ticks
    that are still missing.
    """

    class State(models.TextChoices):
        REVIEW = "review", _("To be reviewed")
        CONFIRMED = "confirmed", _("Confirmed")
        DISCARDED = "discarded", _("Discarded")
        REFUSED = "refused", _("Could not be read")  # the file has nothing to review

    club = models.ForeignKey(Club, models.PROTECT, related_name="uploads", verbose_name=_("club"))
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="uploads")
    token = models.ForeignKey(ClubToken, models.PROTECT, null=True, related_name="uploads")
    sent_version = models.CharField(max_length=32, blank=True, default="", db_default="")
    state = models.CharField(max_length=10, choices=State, default=State.REVIEW)
    details = models.JSONField(default=dict)
    columns = models.JSONField(default=dict, db_default={})
    corrects = models.ForeignKey(Tournament, models.PROTECT, null=True, related_name="corrections")
    correction_reason = models.CharField(max_length=300, blank=True)
    announcement = models.ForeignKey(Announcement, models.SET_NULL, null=True, related_name="uploads")
    revision = models.OneToOneField(Revision, models.PROTECT, null=True, related_name="upload")
    confirmed_at = models.DateTimeField(null=True)
    title = models.CharField(_("tournament"), max_length=150, blank=True, db_default="", default="")
    played_on = models.DateField(_("last day"), null=True)
    errors = models.PositiveIntegerField(default=0, db_default=0)
    unticked = models.PositiveIntegerField(default=0, db_default=0)  # number of ticks still missing

    objects = ResultUploadQuerySet.as_manager()
    # Digests of the draft before and after the last change made through this object.
    step: tuple[str, str] | None = None

    class Meta:
        verbose_name = _("upload")
        verbose_name_plural = _("uploads")
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["created_by", "state", "-created_at"], name="upload_by_person"),
            models.Index(fields=["created_at", "state"], name="upload_by_time"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="confirmed", revision__isnull=False)
                | (~Q(state="confirmed") & Q(revision=None)),
                name="upload_confirmed_has_revision",
            ),
        ]

    def get_absolute_url(self) -> str:
        return reverse("upload_review", args=[self.pk])

    @property
    def sender(self) -> str:
        """The name of the account, or of the club's computer, that sent the upload."""
        return sender_name(self.created_by.get_username(), self.token.name if self.token else None)


class SentKey(models.Model):
    """What identifies a file that a club's computer sent, so that sending it again gives the same upload.

    key: "key " and a digest of the request's Idempotency-Key, or "bytes " and the SHA-256 of the file
    fingerprint: digest of the file and the fields that came with this key
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    key = models.CharField(max_length=70)
    fingerprint = models.CharField(max_length=64)
    upload = models.ForeignKey(ResultUpload, models.CASCADE, related_name="sent_keys")

    class Meta:
        verbose_name = _("key of a sent file")
        verbose_name_plural = _("keys of sent files")
        constraints = [models.UniqueConstraint(fields=["club", "key"], name="sent_key_once")]

    def __str__(self) -> str:
        return self.key


class FurtherFile(models.Model):
    """A file of an upload after the first one, whose name, digest and content are in `Upload`.

    position: 2, 3, …: its place among the files of the upload
    file: None after the retention rule deleted the files of the upload
    """

    upload = models.ForeignKey(ResultUpload, models.CASCADE, related_name="further_files")
    position = models.PositiveSmallIntegerField()
    file_name = models.CharField(max_length=200)
    size = models.PositiveIntegerField()  # bytes
    sha256 = models.CharField(max_length=64, db_index=True)
    file = models.OneToOneField(StoredFile, models.SET_NULL, null=True, related_name="further_file")

    class Meta:
        verbose_name = _("further file")
        verbose_name_plural = _("further files")
        ordering = ["upload_id", "position"]
        constraints = [models.UniqueConstraint(fields=["upload", "position"], name="further_file_once")]

    def __str__(self) -> str:
        return self.file_name


class ColumnLayout(models.Model):
    """What the columns of a club's tables mean, as chosen for one file and used for all with equal headings.

    digest, meanings: as in `tournaments.formats.types.SheetLayout`
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="column_layouts")
    digest = models.CharField(max_length=32)
    meanings = models.JSONField()
    updated_at = models.DateTimeField(auto_now=True)
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("column layout")
        verbose_name_plural = _("column layouts")
        constraints = [models.UniqueConstraint(fields=["club", "digest"], name="column_layout_once")]

    def __str__(self) -> str:
        return self.digest


class RememberedName(models.Model):
    """Who a name in a club's files is, as a director decided on the review of an earlier file.

    `key` is `services.memory.key_of` the name as written. The player may have been merged since: read
    `player.current`. A guest has no player; `country` is the guest's, as in `Seat.guest_country`.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="remembered_names")
    key = models.CharField(max_length=120)
    written = models.CharField(_("name in the files"), max_length=120)
    player = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+", verbose_name=_("player"))
    country = models.CharField(max_length=2, blank=True, db_default="", default="")
    updated_at = models.DateTimeField(auto_now=True)
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("remembered name")
        verbose_name_plural = _("remembered names")
        ordering = ["club_id", "key"]
        constraints = [models.UniqueConstraint(fields=["club", "key"], name="remembered_name_once")]

    def __str__(self) -> str:
        return self.written


class SeparateEvent(models.Model):
    """A statement by the office that an upload and a tournament with a similar ranking are two events.

    `alike` is the number of contestants that had the same people and the same result in both rankings when
    the statement was made. If that number grows later, the statement no longer applies.
    """

    upload = models.ForeignKey(ResultUpload, models.CASCADE, related_name="separate_events")
    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="+")
    alike = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=300)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("separate event")
        verbose_name_plural = _("separate events")
        constraints = [
            models.UniqueConstraint(fields=["upload", "tournament"], name="separate_event_once"),
        ]

    def __str__(self) -> str:
        return f"{self.upload_id}: {self.tournament_id}"


class UploadIssue(models.Model):
    """An issue found in an upload. `tournaments.services.issues.CATALOGUE` has the texts for each `code`."""

    class Severity(models.TextChoices):
        ERROR = "error", _("Error")
        WARNING = "warning", _("Warning")
        INFO = "info", _("Note")

    upload = models.ForeignKey(ResultUpload, models.CASCADE, related_name="issues")
    position = models.PositiveIntegerField()
    code = models.CharField(max_length=40)
    severity = models.CharField(max_length=7, choices=Severity)
    line = models.PositiveIntegerField(null=True)
    field = models.CharField(max_length=60, blank=True)
    value = models.CharField(max_length=100, blank=True)
    params = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("upload issue")
        verbose_name_plural = _("upload issues")
        ordering = ["upload_id", "position"]
        constraints = [models.UniqueConstraint(fields=["upload", "position"], name="upload_issue_once")]

    def __str__(self) -> str:
        return self.code
