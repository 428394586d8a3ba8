"""The year-end category change: one campaign a year, its frozen lists, and the log of its steps.

A snapshot never changes: it stores each category's list as canonical JSON. Decisions are stored as separate
rows, so the current lists are the snapshot plus the decisions. The committee approves a digest of both.
"""

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.models import Category, CategoryAssignment, Player
from scoring.ledger.models.work import Work
from scoring.promotions.pure import states

from .rules import PromotionRuleSet

USER = settings.AUTH_USER_MODEL


class PromotionCampaign(models.Model):
    """The category change of one year. `scoring.promotions.pure.states` defines how its state may change."""

    class State(models.TextChoices):
        DRAFT = states.State.DRAFT, _("Opened")
        FROZEN = states.State.FROZEN, _("Frozen, under review")
        APPROVED = states.State.APPROVED, _("Approved")
        PUBLISHED = states.State.PUBLISHED, _("Published")
        APPLIED = states.State.APPLIED, _("Applied")
        REVERSED = states.State.REVERSED, _("Reversed")
        ABANDONED = states.State.ABANDONED, _("Abandoned")

    family = models.CharField(max_length=12, default="aeb")
    year = models.PositiveSmallIntegerField(_("year"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.DRAFT)
    rule_set = models.ForeignKey(PromotionRuleSet, models.PROTECT, related_name="campaigns")
    intake_until = models.DateField(_("last day for late results"))
    claims_until = models.DateField(_("last day for claims"), null=True)
    effective_on = models.DateField(_("the new categories hold from"))
    snapshot = models.OneToOneField(
        "promotions.CampaignSnapshot", models.PROTECT, null=True, related_name="+"
    )
    opened_at = models.DateTimeField(auto_now_add=True)
    opened_by = models.ForeignKey(USER, models.PROTECT, related_name="+")
    frozen_by = models.ForeignKey(USER, models.PROTECT, null=True, related_name="+")
    approved_at = models.DateTimeField(null=True)
    approved_by = models.ForeignKey(USER, models.PROTECT, null=True, related_name="+")
    approved_digest = models.CharField(max_length=64, blank=True)  # digest of the approved list
    published_at = models.DateTimeField(null=True)
    applied_at = models.DateTimeField(null=True)
    reversed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("category change")
        verbose_name_plural = _("category changes")
        ordering = ["-year", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["family", "year"],
                condition=~Q(state__in=["reversed", "abandoned"]),
                name="campaign_once_a_year",
            ),
            models.CheckConstraint(
                condition=Q(approved_by=None)
                | (~Q(approved_by=F("opened_by")) & ~Q(approved_by=F("frozen_by"))),
                name="campaign_approved_by_another",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "abandoned"])
                | Q(snapshot__isnull=False, frozen_by__isnull=False),
                name="campaign_frozen_has_snapshot",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["approved", "published", "applied", "reversed"])
                | (Q(approved_by__isnull=False, approved_at__isnull=False) & ~Q(approved_digest="")),
                name="campaign_approved_has_digest",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["published", "applied", "reversed"])
                | Q(published_at__isnull=False, claims_until__isnull=False),
                name="campaign_published_has_dates",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["applied", "reversed"]) | Q(applied_at__isnull=False),
                name="campaign_applied_has_date",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.year} ({self.state})"

    def get_absolute_url(self) -> str:
        return reverse("campaign", args=[self.pk])

    @property
    def first_day(self) -> date:
        """The first day whose points count: 1 January of the campaign's year."""
        return date(self.year, 1, 1)

    @property
    def last_day(self) -> date:
        """The last day whose points count: 31 December. The lists use that day's categories and licences."""
        return date(self.year, 12, 31)


class CampaignSnapshot(models.Model):
    """All lists of a campaign as one freeze stored them. Each freeze adds a snapshot with a new version."""

    campaign = models.ForeignKey(PromotionCampaign, models.PROTECT, related_name="snapshots")
    version = models.PositiveSmallIntegerField()
    taken_at = models.DateTimeField(auto_now_add=True)
    taken_by = models.ForeignKey(USER, models.PROTECT, related_name="+")
    rules = models.JSONField()  # the rule set and its rules at that moment
    players = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("frozen list")
        verbose_name_plural = _("frozen lists")
        ordering = ["campaign_id", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "version"], name="snapshot_once"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}/{self.version}"


class SnapshotList(models.Model):
    """The frozen list of one category in a snapshot, as canonical JSON (`pure.documents`).

    body: the list
    sessions: the sessions from which the players' modified averages were computed
    """

    snapshot = models.ForeignKey(CampaignSnapshot, models.PROTECT, related_name="lists")
    category = models.ForeignKey(Category, models.PROTECT, related_name="+")
    body = models.TextField()
    sessions = models.TextField()

    class Meta:
        verbose_name = _("frozen list of a category")
        verbose_name_plural = _("frozen lists of categories")
        ordering = ["snapshot_id", "category__order"]
        constraints = [
            models.UniqueConstraint(fields=["snapshot", "category"], name="snapshot_list_once"),
        ]

    def __str__(self) -> str:
        return f"{self.snapshot_id}: {self.category_id}"


class CampaignClaim(models.Model):
    """A player's objection to the published list. Append-only. A `ClaimAnswer` stores the answer."""

    campaign = models.ForeignKey(PromotionCampaign, models.PROTECT, related_name="claims")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    text = models.TextField(_("what you contest, and why"), max_length=2000)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(USER, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("claim")
        verbose_name_plural = _("claims")
        ordering = ["campaign_id", "pk"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="claim_has_text")]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.player_id}"


class ClaimAnswer(models.Model):
    """The office's answer to a claim. Append-only."""

    claim = models.OneToOneField(CampaignClaim, models.PROTECT, related_name="answer")
    accepted = models.BooleanField()
    text = models.TextField(_("answer"), max_length=2000)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(USER, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("answer to a claim")
        verbose_name_plural = _("answers to claims")
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="answer_has_text")]

    def __str__(self) -> str:
        return f"{self.claim_id}: {self.accepted}"


class CampaignDecision(models.Model):
    """A decision that overrules the list for one player. Append-only: the player's last decision is in force.

    `target` is the category that the player moves to, null if the player stays.
    """

    campaign = models.ForeignKey(PromotionCampaign, models.PROTECT, related_name="decisions")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    target = models.ForeignKey(Category, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(_("reason"), max_length=300)
    answer = models.OneToOneField(ClaimAnswer, models.PROTECT, null=True, related_name="decision")
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(USER, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("decision")
        verbose_name_plural = _("decisions")
        ordering = ["campaign_id", "pk"]
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="decision_has_reason")]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.player_id}"


class CampaignAct(models.Model):
    """A line of a campaign's log: an act, its date and reason. Append-only.

    `by` is null if no account performed the act, for example if it was scheduled.
    """

    campaign = models.ForeignKey(PromotionCampaign, models.PROTECT, related_name="acts")
    verb = models.CharField(max_length=12)
    state_before = models.CharField(max_length=10, choices=PromotionCampaign.State)
    state_after = models.CharField(max_length=10, choices=PromotionCampaign.State)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(USER, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=300, blank=True)
    detail = models.JSONField(default=dict)  # figures of the step: versions, digests, counts

    class Meta:
        verbose_name = _("step of a category change")
        verbose_name_plural = _("steps of category changes")
        ordering = ["campaign_id", "-pk"]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.verb}"


class CampaignChange(models.Model):
    """The result for one player of applying a campaign, and of reversing it.

    category: the player's category before the campaign was applied
    target: the category that the player was to get
    assignment: the assignment of `target`; null if there was a problem
    problem: code of the reason why the category was not changed, for example because it had changed meanwhile
    undone: what reversing the campaign did with the change
    restored: the assignment of the former category when the campaign was reversed
    """

    class Undone(models.TextChoices):
        REVOKED = "revoked", _("Revoked before it held")
        RESTORED = "restored", _("Former category given back")
        CONFLICT = "conflict", _("Changed by hand meanwhile: left as it is")

    campaign = models.ForeignKey(PromotionCampaign, models.PROTECT, related_name="changes")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    category = models.ForeignKey(Category, models.PROTECT, related_name="+")
    target = models.ForeignKey(Category, models.PROTECT, related_name="+")
    assignment = models.OneToOneField(CategoryAssignment, models.PROTECT, null=True, related_name="+")
    problem = models.CharField(max_length=20, blank=True)
    undone = models.CharField(max_length=8, choices=Undone, blank=True)
    restored = models.OneToOneField(CategoryAssignment, models.PROTECT, null=True, related_name="+")

    class Meta:
        verbose_name = _("change of a player's category")
        verbose_name_plural = _("changes of players' categories")
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "player"], name="change_once"),
            models.CheckConstraint(
                condition=Q(assignment__isnull=False, problem="") | (Q(assignment=None) & ~Q(problem="")),
                name="change_done_or_not",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.player_id}"


class CampaignTask(Work):
    """A task for the workers: to freeze, apply or reverse a campaign, at once or on a set day.

    Like all work of the queue (`scoring.ledger.services.queue`), it is claimed with a lease, retried after a
    crash and done once.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting")
        RUNNING = "running", _("Under way")
        DONE = "done", _("Done")
        FAILED = "failed", _("Stopped")
        CANCELLED = "cancelled", _("Cancelled")

    campaign = models.ForeignKey(PromotionCampaign, models.PROTECT, related_name="tasks")
    verb = models.CharField(max_length=12)
    due_on = models.DateField(_("on"), null=True)  # null: immediately
    reason = models.CharField(max_length=300, blank=True)
    state = models.CharField(max_length=9, choices=State, default=State.PENDING)
    created_by = models.ForeignKey(USER, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("work of a category change")
        verbose_name_plural = _("work of category changes")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(state__in=["pending", "running"]), name="task_one_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.verb}"
