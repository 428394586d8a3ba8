"""Proposals: acts prepared by one account and decided by another."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Proposal(models.Model):
    """An act that one person prepared and another has to approve before it is performed.

    kind: the kind of act, which is `ProposedAct.kind` of the class that describes and performs it
    key: identifies what the act changes, for example a player; there is at most one pending proposal for the
        same kind and key
    data: the arguments of the act
    result: what `ProposedAct.perform` returned
    clubs: the clubs whose desks list the proposal, if a club asked for the act
    """

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting for approval")
        APPROVED = "approved", pgettext_lazy("act", "Approved")
        RETURNED = "returned", pgettext_lazy("act", "Returned")
        WITHDRAWN = "withdrawn", pgettext_lazy("act", "Withdrawn")

    kind = models.CharField(_("act"), max_length=20)
    key = models.CharField(max_length=100)
    data = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    evidence = models.CharField(_("document"), max_length=300, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PENDING)
    prepared_at = models.DateTimeField(_("prepared at"), auto_now_add=True)
    prepared_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("prepared by")
    )
    decided_at = models.DateTimeField(_("decided at"), null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("decided by")
    )
    decision_reason = models.CharField(_("reason for the decision"), max_length=300, blank=True)
    result = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    # When an erasure of personal data last changed `data` or `result`.
    erased_at = models.DateTimeField(null=True, editable=False)
    clubs = models.ManyToManyField("players.Club", related_name="proposals", verbose_name=_("clubs"))

    class Meta:
        verbose_name = _("act for a second person")
        verbose_name_plural = _("acts for a second person")
        ordering = ["-prepared_at", "-pk"]
        indexes = [
            models.Index(fields=["prepared_at", "id"], condition=Q(state="pending"), name="proposal_waiting"),
            models.Index(fields=["kind", "key"], name="proposal_by_object"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "key"], condition=Q(state="pending"), name="proposal_once_at_a_time"
            ),
            # The database enforces the second person too.
            models.CheckConstraint(
                condition=~Q(state__in=["approved", "returned"])
                | (Q(decided_by__isnull=False) & ~Q(decided_by=F("prepared_by"))),
                name="proposal_second_person",
            ),
            models.CheckConstraint(
                condition=Q(state="pending", decided_at=None) | (~Q(state="pending") & ~Q(decided_at=None)),
                name="proposal_decided_has_date",
            ),
            models.CheckConstraint(
                condition=~Q(state="returned") | ~Q(decision_reason=""), name="proposal_returned_has_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("proposal", args=[self.pk])
