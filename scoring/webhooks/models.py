"""Webhooks, and the deliveries of events to them.

A webhook is an address of another program, to which this one posts what happens (Standard Webhooks 1.0.0).
"""

import uuid
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Club
from scoring.ledger.models.work import Work


class Webhook(models.Model):
    """The address to which events of a club's tournaments, or of the whole federation, are sent.

    club: the club whose administrators manage it; null for those of the office, which get the events of all
    events: codes of `scoring.webhooks.events.Event`
    secret, former_secret: encrypted (`scoring.webhooks.signing`); the former one also signs `former_until`
    failures: failed attempts in a row
    retry_at: no attempt before this time; null if the last attempt succeeded
    turn_at: of the webhooks for which something waits, the one with the earliest time is next; null before
        the first attempt
    stop: why it is disabled; "" while it is enabled
    """

    class Stop(models.TextChoices):
        PERSON = "person", _("disabled by a person")
        FAILURES = "failures", _("disabled after many failures in a row")
        GONE = "gone", _("disabled because the receiver no longer wants it (410)")

    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="webhooks", verbose_name=_("club"))
    url = models.CharField(_("address"), max_length=500)
    events = models.JSONField(_("events"), default=list)
    secret = models.TextField()
    former_secret = models.TextField(blank=True)
    former_until = models.DateTimeField(null=True)
    failures = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True)
    turn_at = models.DateTimeField(null=True)
    stop = models.CharField(max_length=8, choices=Stop, blank=True)
    stopped_at = models.DateTimeField(null=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("made by")
    )
    made_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "url"], condition=Q(club__isnull=False), name="webhook_once_a_club"
            ),
            models.UniqueConstraint(fields=["url"], condition=Q(club=None), name="webhook_once_in_office"),
            models.CheckConstraint(
                condition=Q(stop="", stopped_at=None) | (~Q(stop="") & Q(stopped_at__isnull=False)),
                name="webhook_stopped_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return self.url

    @property
    def server(self) -> str:
        """The name of the server, for headings."""
        return urlsplit(self.url).hostname or self.url

    @property
    def address_for_readers(self) -> str:
        """The address for those who may not change it: what follows `?` may be a secret of the receiver."""
        start, mark, _query = self.url.partition("?")
        return f"{start}?…" if mark else start


class Delivery(Work):
    """One event to be sent to one webhook. Stored in the transaction of the event.

    key: identifies what happened, so that it is sent once
    uid: makes the header `webhook-id`, the same in every attempt
    body: the JSON to be sent, the same in every attempt
    tries: number of attempts that ended; `tried_at`, `milliseconds`, `status`, `answer` and `problem` are of
        the last one
    status: HTTP status of the answer; null without one
    answer: its first characters
    """

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting")
        RUNNING = "running", _("Being sent")
        DONE = "done", _("Delivered")
        FAILED = "failed", _("Stopped after several attempts")
        DROPPED = "dropped", _("Not sent: the webhook was disabled")
        LOST = "lost", _("Not delivered")  # after the last attempt

    class Problem(models.TextChoices):
        SCHEME = "scheme", _("the address does not begin with https://")
        ADDRESS = "address", _("the address is not complete; a complete one is https://example.org/messages")
        USER = "user", _("the address has a user name before an @, which is not allowed")
        FRAGMENT = "fragment", _("the address has a part after #, which is never sent")
        CHARACTERS = (
            "characters",
            _("the address has a space, an accented letter or the like, which must be percent-encoded"),
        )
        UNKNOWN = "unknown", _("the name of the server has no address")
        PRIVATE = (
            "private",
            _("the server cannot be reached from the internet: it is in a network of your own"),
        )
        CONNECTION = "connection", _("the connection failed")
        CERTIFICATE = "certificate", _("the server's certificate is not valid")
        TIME = "time", _("there was no complete answer in time")
        REDIRECT = "redirect", _("the server redirects, which is not followed")
        STATUS = "status", _("the server refused it")
        SECRET = "secret", _("the secret cannot be read: make a new one")  # noqa: S105

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", db_index=False)
    event = models.CharField(max_length=30)
    key = models.CharField(max_length=100)
    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    body = models.TextField()
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    tries = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True)
    milliseconds = models.PositiveIntegerField(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.TextField(blank=True)
    problem = models.CharField(max_length=11, choices=Problem, blank=True)

    class Meta:
        verbose_name = _("delivery to a webhook")
        verbose_name_plural = _("deliveries to webhooks")
        ordering = ["-pk"]
        indexes = [
            # For the sweeper, which queries unfinished rows every few seconds.
            models.Index(
                fields=["created_at"],
                condition=Q(state__in=["pending", "running"]),
                name="delivery_unfinished",
            ),
            models.Index(fields=["finished_at"], name="delivery_finished"),
            models.Index(fields=["webhook", "-id"], name="delivery_by_webhook"),
        ]
        constraints = [models.UniqueConstraint(fields=["webhook", "event", "key"], name="delivery_once")]

    def __str__(self) -> str:
        return f"{self.webhook_id}: {self.event} {self.key}"
