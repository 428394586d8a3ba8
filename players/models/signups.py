"""The keys with which members make an account for their federation number."""

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .people import Player


class SignUpKey(models.Model):
    """A key with which a player makes an account, or joins the number to the one that they have.

    The row is deleted when it is used, so a key works once. A player has one link and one code at most: a new
    code replaces the one before it.

    uid: part of the link (`players.services.signups.token_of`)
    digest: of the printed code, so that nobody can read a code here; empty for a link
    made_by: the account that invited the player or printed the code; empty if the player asked for the link
    """

    class Way(models.TextChoices):
        LINK = "link", _("a link in a letter")
        CODE = "code", _("a printed code")

    player = models.ForeignKey(Player, models.CASCADE, related_name="sign_up_keys", verbose_name=_("player"))
    way = models.CharField(max_length=4, choices=Way)
    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    digest = models.CharField(max_length=64, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    made_at = models.DateTimeField(_("made"), db_index=True)

    class Meta:
        verbose_name = _("key to make an account")
        verbose_name_plural = _("keys to make an account")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["player", "way"], name="sign_up_key_once"),
            models.UniqueConstraint(fields=["digest"], condition=~Q(digest=""), name="sign_up_code"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.way}"

    @property
    def expires_at(self) -> datetime:
        """When the key stops working."""
        is_link = self.way == self.Way.LINK
        days = settings.SIGN_UP_LINK_DAYS if is_link else settings.SIGN_UP_CODE_DAYS
        return self.made_at + timedelta(days=days)

    @property
    def expired(self) -> bool:
        return self.expires_at <= timezone.now()
