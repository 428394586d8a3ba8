"""The tokens with which a club's computer sends files."""

from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .people import Club


class ClubTokenQuerySet(models.QuerySet):
    def current(self) -> Self:
        """Return the tokens that are neither revoked nor expired."""
        return self.filter(revoked_at=None, expires_at__gt=timezone.now())


class ClubToken(models.Model):
    """A secret with which a program of a club's computer uploads files for the club.

    Only a digest of the secret is stored. What a token allows also depends on the present roles of the
    account that made it (`players.services.tokens`).

    prefix: the first characters of the secret, by which people recognise the token
    last_used_at: written at most once a minute
    may_confirm: whether the program may confirm uploads that have no errors and no warnings to tick
    """

    club = models.ForeignKey(Club, models.PROTECT, related_name="tokens", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=60)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    may_confirm = models.BooleanField(_("may confirm"), default=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="club_tokens", verbose_name=_("made by")
    )
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    expires_at = models.DateTimeField(_("valid until"))
    last_used_at = models.DateTimeField(_("last used"), null=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True)
    revoked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    objects = ClubTokenQuerySet.as_manager()

    class Meta:
        verbose_name = _("token of a club")
        verbose_name_plural = _("tokens of clubs")
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
