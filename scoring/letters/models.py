"""Letters to be sent, and the language in which an account reads them."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.ledger.models.work import Work


class Letter(Work):
    """An e-mail to one account. Its text is written when it is sent, from `data`, and not stored.

    kind: the code of one of `scoring.letters.kinds.KINDS`
    key: identifies what the letter is about, so that an account gets one letter of a kind about it
    data: what the text needs, without personal data
    uid: makes the Message-ID, so that mail programs recognise a repeated letter
    begun: number of times that sending began and did not end with an answer of the mail server
    """

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting")
        RUNNING = "running", _("Being sent")
        DONE = "done", _("Sent")
        FAILED = "failed", _("Stopped after several attempts")
        DROPPED = "dropped", _("No longer needed")
        LOST = "lost", _("Not delivered")  # refused, too late, or interrupted twice

    kind = models.CharField(max_length=20)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="letters")
    key = models.CharField(max_length=100)
    data = models.JSONField(default=dict)
    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    begun = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)

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


class Reader(models.Model):
    """The language that an account last chose on the site."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="reader"
    )
    language = models.CharField(max_length=7, choices=settings.LANGUAGES)

    class Meta:
        verbose_name = _("reader of letters")
        verbose_name_plural = _("readers of letters")

    def __str__(self) -> str:
        return f"{self.account_id}: {self.language}"
