"""Invitations to direct the tournaments of a club, or to administer it."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .access import Role
from .people import Club

VALID_FOR = timedelta(days=14)
ROLES = [(kind.value, kind.label) for kind in (Role.Kind.DIRECTOR, Role.Kind.CLUB_ADMIN)]


class Invitation(models.Model):
    """An invitation to become a tournament director or an administrator of a club, until used or withdrawn.

    The row is deleted then, so an invitation works once. The journal of accounts keeps who gave the role.

    email: in lower case
    role: what whoever accepts becomes
    digest: of the code in the letter or on the printed page, so that nobody can read a code here
    by_mail: whether the code was sent to the address; then whoever has it reads the letters to that address
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations", verbose_name=_("club"))
    email = models.EmailField(_("e-mail address"))
    role = models.CharField(
        _("role"), max_length=12, choices=ROLES, default=Role.Kind.DIRECTOR, db_default=Role.Kind.DIRECTOR
    )
    digest = models.CharField(max_length=64, unique=True)
    by_mail = models.BooleanField()
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    sent_at = models.DateTimeField(_("sent"), db_index=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["email", "pk"]
        constraints = [models.UniqueConstraint(fields=["club", "email", "role"], name="invitation_once")]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.email}"

    @property
    def administers(self) -> bool:
        """Whether it is an invitation to administer the club."""
        return self.role == Role.Kind.CLUB_ADMIN

    @property
    def expires_at(self) -> datetime:
        """When the code stops working."""
        return self.sent_at + VALID_FOR

    @property
    def expired(self) -> bool:
        return self.expires_at <= timezone.now()
