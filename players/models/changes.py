"""The journal of the register: changes of players, clubs and regions."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class RecordChange(models.Model):
    """Base of the lines of the journal of the register. A line is never changed or deleted.

    before, after: {field: value as text, number or boolean} of the fields that changed; `before` is empty
        for what was added, `after` for what was removed
    by: the account that made the change; empty for the command line
    proposal: the approved proposal, if a second person decided
    """

    before = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    after = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("who")
    )
    proposal = models.ForeignKey("players.Proposal", models.PROTECT, null=True, related_name="+")

    class Meta:
        abstract = True


class PlayerChange(RecordChange):
    """A change of a player's entry in the register, or of one of the player's licences.

    The line stays if the player's row is deleted, as when an imported list that added it is undone. So the
    column has no foreign key in the database, and `number` says whom the line was about.

    Erasing a person's data may empty `before`, `after` and `reason`, and nothing else.

    reference: the id of the imported list or of the renewal that made the change
    """

    class Kind(models.TextChoices):
        ADDED = "added", pgettext_lazy("person", "Added to the register")
        CHANGED = "changed", pgettext_lazy("person", "Entry changed")
        LICENCE = "licence", _("Licence")

    class Source(models.TextChoices):
        OFFICE = "office", _("by hand")
        LIST = "list", _("imported list")
        LIST_UNDONE = "list_undone", _("imported list undone")
        REQUEST = "request", _("request of a club")
        RENEWAL = "renewal", _("renewal of licences")
        RENEWAL_UNDONE = "renewal_undone", _("renewal of licences undone")

    player = models.ForeignKey(
        "players.Player", models.DO_NOTHING, related_name="changes", db_constraint=False
    )
    number = models.CharField(_("federation number"), max_length=12)
    kind = models.CharField(_("what"), max_length=8, choices=Kind)
    source = models.CharField(_("how"), max_length=15, choices=Source, default=Source.OFFICE)
    reference = models.CharField(max_length=40, blank=True)

    class Meta:
        verbose_name = _("change of a player")
        verbose_name_plural = _("changes of players")
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["player", "at"], name="player_change_by_player"),
            models.Index(fields=["at", "id"], name="player_change_by_time"),
            models.Index(fields=["number"], name="player_change_by_number"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.kind}"


class OrganisationChange(RecordChange):
    """A change of a club's or a region's entry in the register."""

    club = models.ForeignKey("players.Club", models.PROTECT, null=True, related_name="changes")
    region = models.ForeignKey("players.Region", models.PROTECT, null=True, related_name="changes")

    class Meta:
        verbose_name = _("change of a club or region")
        verbose_name_plural = _("changes of clubs and regions")
        ordering = ["-at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(club__isnull=False, region=None) | Q(club=None, region__isnull=False),
                name="organisation_change_of_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club_id or self.region_id}: {sorted(self.after)}"
