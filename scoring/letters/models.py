"""Notices, the accounts' choices of which come by e-mail, and the letters (e-mails) to be sent."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.ledger.models.work import Work


class Delivery(models.TextChoices):
    """Whether and when the notices of a kind come by e-mail. In the page they come always."""

    NONE = "none", _("no e-mail")
    ONCE = "once", _("at once")
    WEEKLY = "weekly", _("weekly")


class Notice(models.Model):
    """A notice to one account about something that happened. Its text is written when it is read.

    kind: the code of one of `scoring.letters.registry.KINDS`
    key: identifies what the notice is about, so that an account gets one notice of a kind about it
    data: what the text needs
    weekly: the Monday on which the account's weekly letter lists the notice; null if none does
    """

    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=30)
    key = models.CharField(max_length=100)
    data = models.JSONField(default=dict)
    made_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True)
    weekly = models.DateField(null=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["account", "-id"], name="notice_by_account"),
            models.Index(fields=["account"], condition=Q(seen_at=None), name="notice_unseen"),
            models.Index(
                fields=["weekly", "account"], condition=Q(weekly__isnull=False), name="notice_weekly"
            ),
            models.Index(fields=["made_at"], name="notice_made"),
        ]
        constraints = [models.UniqueConstraint(fields=["account", "kind", "key"], name="notice_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Broadcast(Work):
    """A notice to so many accounts that workers make it. The kind knows which (`Kind.concerned`).

    kind, key, data: as in the notices to be made
    reached: the id of the last account that was dealt with
    """

    kind = models.CharField(max_length=30)
    key = models.CharField(max_length=100)
    data = models.JSONField(default=dict)
    reached = models.BigIntegerField(default=0, db_default=0)

    class Meta:
        verbose_name = _("notice to many accounts")
        verbose_name_plural = _("notices to many accounts")
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="broadcast_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Choice(models.Model):
    """An account's choice for one kind of notice. Without a row, the kind's default holds."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_choices")
    kind = models.CharField(max_length=30)
    delivery = models.CharField(max_length=6, choices=Delivery)

    class Meta:
        verbose_name = _("choice about notices")
        verbose_name_plural = _("choices about notices")
        constraints = [models.UniqueConstraint(fields=["account", "kind"], name="choice_once")]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.kind} {self.delivery}"


class Mail(Work):
    """An e-mail that workers send (`scoring.letters.delivery`). Its text is written then, and not stored.

    uid: makes the Message-ID, so that mail programs recognise a repeated e-mail
    begun: number of times that sending began and did not end with an answer of the mail server
    """

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting")
        RUNNING = "running", _("Being sent")
        DONE = "done", _("Sent")
        FAILED = "failed", _("Stopped after several attempts")
        DROPPED = "dropped", _("No longer needed")
        LOST = "lost", _("Not delivered")  # refused, too late, or interrupted twice

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    begun = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)

    class Meta:
        abstract = True

    def note_answer(self, refused: bool) -> None:
        """Note that the mail server took the e-mail or, if `refused`, refused the address for good."""


class Letter(Mail):
    """An e-mail to one account about a notice, or about the notices of a week.

    kind, key: those of the notice; for a weekly letter `WEEKLY` and the ISO date of its Monday
    """

    WEEKLY = "weekly"

    kind = models.CharField(max_length=30)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="letters")
    key = models.CharField(max_length=100)

    class Meta:
        verbose_name = _("letter")
        verbose_name_plural = _("letters")
        ordering = ["pk"]
        indexes = [
            # For the sweeper, which queries unfinished rows every few seconds.
            models.Index(
                fields=["created_at"], condition=Q(state__in=["pending", "running"]), name="letter_unfinished"
            ),
            models.Index(fields=["finished_at"], name="letter_finished"),
        ]
        constraints = [models.UniqueConstraint(fields=["kind", "account", "key"], name="letter_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

    def note_answer(self, refused: bool) -> None:
        """Remember for the account's page of notices that its address was refused, or forget it."""
        if refused:
            address = {"refused": self.account.email}
            Reader.objects.update_or_create(account=self.account, defaults=address)
        else:
            Reader.objects.filter(account=self.account_id).exclude(refused="").update(refused="")


class Reader(models.Model):
    """The language that an account last chose on the site, and whether its address takes letters.

    refused: the address, if the mail server refused it for good when a letter was last sent to it
    """

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="reader"
    )
    language = models.CharField(max_length=7, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE)
    refused = models.EmailField(blank=True)

    class Meta:
        verbose_name = _("reader of letters")
        verbose_name_plural = _("readers of letters")

    def __str__(self) -> str:
        return f"{self.account_id}: {self.language}"
