"""The roles that accounts hold."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Role(models.Model):
    """A role of an account, for a club, a region or the whole federation."""

    class Kind(models.TextChoices):
        DIRECTOR = "director", _("Tournament director")
        CLUB_ADMIN = "club_admin", _("Club administrator")
        REGION_ADMIN = "region_admin", _("Region administrator")
        OFFICE = "office", _("Federation office")
        COMMITTEE = "committee", _("Category committee")
        AUDITOR = "auditor", _("Auditor")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="roles", verbose_name=_("account")
    )
    kind = models.CharField(_("role"), max_length=12, choices=Kind)
    club = models.ForeignKey(
        "players.Club", models.CASCADE, null=True, blank=True, related_name="roles", verbose_name=_("club")
    )
    region = models.ForeignKey(
        "players.Region",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="roles",
        verbose_name=_("region"),
    )

    class Meta:
        verbose_name = _("role")
        verbose_name_plural = _("roles")
        ordering = ["user", "kind", "pk"]
        constraints = [
            # Three constraints, because SQLite has no NULLS NOT DISTINCT.
            models.UniqueConstraint(
                fields=["user", "kind", "club"], condition=Q(club__isnull=False), name="role_once_a_club"
            ),
            models.UniqueConstraint(
                fields=["user", "kind", "region"],
                condition=Q(region__isnull=False),
                name="role_once_a_region",
            ),
            models.UniqueConstraint(
                fields=["user", "kind"], condition=Q(club=None, region=None), name="role_once_everywhere"
            ),
            # Directors and club administrators have a club, region administrators a region, the rest neither.
            models.CheckConstraint(
                name="role_scope",
                condition=Q(kind__in=["director", "club_admin"], club__isnull=False, region=None)
                | Q(kind="region_admin", club=None, region__isnull=False)
                | Q(kind__in=["office", "committee", "auditor"], club=None, region=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind}"

    @property
    def words(self) -> str:
        """The role in the reader's language, with the name of its club or region if it has one."""
        return role_in_words(self.kind, str(self.club or self.region or ""))


def role_in_words(kind: str, scope: str = "") -> str:
    """Return the label of a role, with the name of its club or region if it has one."""
    label = str(Role.Kind(kind).label)
    return f"{label} ({scope})" if scope else label
