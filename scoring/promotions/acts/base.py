"""Base classes of the acts of a campaign, and the registry that finds an act by its verb.

    @register
    class Publish(Act):
        verb = Verb.PUBLISH
        logged = _("lists published")

        @transaction.atomic
        def perform(self, campaign_id, by, claims_until=None):
            campaign = self.begin(campaign_id, by)  # locked; raises PermissionDenied, or Refused
            ...
            return self.finish(campaign, by, claims_until=claims_until)  # sets the next state and logs

Every act locks rows in this order: the campaign, its task, the players, the `StandingsState`.

The only texts of an act are its name in the log and the messages that say why it is not possible. The texts,
links and forms of its page are in `scoring.promotions.act_pages`.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from players.access import require, roles_of
from scoring.ledger.services import queue, standings
from scoring.promotions.models import CampaignAct, CampaignTask, PromotionCampaign
from scoring.promotions.pure import states
from scoring.promotions.pure.states import STOPPED
from scoring.promotions.queries.tasks import is_busy, is_due

REASON_LENGTH = CampaignAct._meta.get_field("reason").max_length
MAX_AHEAD = timedelta(days=366)  # for dates entered by hand: a later one is a typing error
LEASE = timedelta(seconds=60)  # then another worker may take over; the lists of a large federation take 10 s
NOT_APPROVED = {"approved_at": None, "approved_by": None, "approved_digest": ""}
NOT_PUBLISHED = {"published_at": None, "claims_until": None}


class Refused(ValidationError):
    """Raised if the act is not allowed now. The message tells the user why."""


class Who(StrEnum):
    """The role that may perform an act."""

    OFFICE = "office"
    COMMITTEE = "committee"
    PLAYER = "player"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why an act cannot be performed yet.

    code: a short name of the obstacle
    text: explains the obstacle to the user
    until: the last day of the obstacle, if it ends by itself
    """

    code: str
    text: str
    until: date | None = None


class Act:
    """An act of a campaign. It holds no data: one instance is registered and serves all campaigns.

    verb: identifies the act, in the state machine and in the log
    logged: name of the act in the campaign's log
    who: the role that may perform the act
    works_on_list: whether the act counts as work on the lists; an account that worked on them may not approve
        them
    public: whether the act changes public pages; if so, `finish` increments the version of the standings,
        because these pages are cached by that version
    """

    verb: str
    logged: Promise
    who = Who.OFFICE
    works_on_list = False
    public = False

    def may(self, user) -> bool:
        """Return whether the account has the role for this act."""
        if self.who is Who.PLAYER:
            return getattr(user, "player", None) is not None
        roles = roles_of(user)
        return roles.committee if self.who is Who.COMMITTEE else roles.office

    def is_open(self, campaign: PromotionCampaign) -> bool:
        """Return whether the state of the campaign allows the act."""
        return states.after(campaign.state, self.verb) is not None

    def obstacles(self, campaign: PromotionCampaign) -> list[Obstacle]:
        """Return the obstacles that prevent the act now, although the campaign's state allows it."""
        return []

    def has_effect(self, campaign: PromotionCampaign, user, scheduled: bool) -> bool:
        """Return whether the account can perform the act now and the act would change something.

        scheduled: whether a worker is to apply the campaign on a later day
        """
        return True

    def why_not(self, campaign: PromotionCampaign, user) -> str:
        """Explain why the account is not offered this act, although the campaign's state allows it."""
        return _("The campaign has moved on meanwhile: this step is not open now.")

    def leads_on(self, missing: set[str]) -> bool:
        """Return whether the campaign's page may show the act as its main button.

        missing: codes of the obstacles that keep the campaign from its next state
        """
        return True

    def next_act(self, missing: set[str]) -> "Act":
        """Return the act that has to be performed next: this act, or one that removes an obstacle to it.

        missing: codes of this act's current obstacles
        """
        return self

    def waits_for(self, campaign: PromotionCampaign, user) -> bool:
        """Return whether the home page should remind this account of the act.

        Called only if the state of the campaign allows the act.
        """
        return self.may(user)

    def perform(self, *args: Any, **kwargs: Any) -> Any:
        """Carry the act out in a transaction, and return what it stored. The arguments depend on the act.

        Raises PermissionDenied if the account may not perform the act, and Refused if the act is not possible
        now.
        """
        raise NotImplementedError

    def take(self, campaign: PromotionCampaign, by, **data: Any) -> Any:
        """Perform the act on a campaign with the cleaned data of its form, and return the result."""
        return self.perform(campaign.pk, by, **data)

    def begin(self, campaign_id: int, by) -> PromotionCampaign:
        """Check the account's role, then lock and return the campaign.

        Raises PermissionDenied, Refused (if the campaign's state does not allow the act) and DoesNotExist.
        """
        require(self.may(by))
        return self.lock(campaign_id)

    def lock(self, campaign_id: int) -> PromotionCampaign:
        """Lock and return the campaign. Raises DoesNotExist, or Refused if its state forbids the act."""
        campaign = PromotionCampaign.objects.select_for_update().get(pk=campaign_id)
        if not self.is_open(campaign):
            raise Refused(not_now(campaign), code="state")
        return campaign

    def refuse_obstacles(self, campaign: PromotionCampaign) -> None:
        """Raise Refused if the act has obstacles."""
        if items := self.obstacles(campaign):
            raise Refused(" ".join(obstacle.text for obstacle in items), code=items[0].code)

    def finish(
        self, campaign: PromotionCampaign, by, reason: str = "", detail: dict | None = None, **changes: Any
    ) -> CampaignAct:
        """Move a locked campaign to the state that follows the act. Log the act, and return the log's line.

        detail: JSON values for the log
        changes: values of further columns of the campaign to save
        """
        before = campaign.state
        campaign.state = states.after(before, self.verb)
        for name, value in changes.items():
            setattr(campaign, name, value)
        campaign.save(update_fields=["state", *changes])
        if self.public:
            standings.bump()
        return log(campaign, self.verb, by, reason, detail, before)


class LongAct(Act):
    """An act that a worker carries out (`scoring.promotions.services.work`). `perform` only enqueues a task.

    needs_reason: whether `perform` requires a reason
    """

    needs_reason = False

    @transaction.atomic
    def perform(self, campaign_id: int, by, reason: str = "") -> CampaignTask:
        """Create and enqueue a task for the act. Obstacles are checked now, and again by the worker."""
        campaign = self.begin(campaign_id, by)
        refuse_if_busy(campaign)
        if self.needs_reason:
            reason = required_text(reason)
        self.refuse_obstacles(campaign)
        return new_task(campaign, self.verb, by, reason)

    def work(self, task: CampaignTask) -> None:
        """Carry out the task, and store its effects in one transaction.

        Raises Refused if the act is not possible now, and LeaseLost if another worker has taken over the
        task.
        """
        raise NotImplementedError


# --- Registry -----------------------------------------------------------------------------------------------
_ACTS: dict[str, Act] = {}
Kind = TypeVar("Kind", bound=type[Act])


def register(kind: Kind) -> Kind:
    """Register an act by its verb (class decorator). Raises ValueError if another act has the same verb."""
    if kind.verb in _ACTS:
        raise ValueError(f"there already is an act {kind.verb!r}")
    _ACTS[kind.verb] = kind()
    return kind


def act_by_verb(verb: str) -> Act:
    """Return the act with this verb. Raises KeyError."""
    return _ACTS[verb]


def logged_words(verb: str) -> str:
    """Return the name of an act as shown in the log. If the act no longer exists, return its verb."""
    if verb == STOPPED:
        return _("stopped: nothing was done")
    return str(_ACTS[verb].logged) if verb in _ACTS else verb


def acts_on_list() -> list[str]:
    """Return the verbs of the acts that count as work on the lists.

    An account that performed such an act may not approve the lists.
    """
    return [verb for verb, act in _ACTS.items() if act.works_on_list]


# --- Shared helpers -----------------------------------------------------------------------------------------
def not_now(campaign: PromotionCampaign) -> str:
    """Return the message that the campaign's current state does not allow the act."""
    message = _("This is not possible now: the category change of %(year)s is: %(state)s.")
    return message % {"year": campaign.year, "state": campaign.get_state_display()}


def log(
    campaign: PromotionCampaign, verb: str, by, reason: str = "", detail: dict | None = None, before: str = ""
) -> CampaignAct:
    """Write a line of the campaign's log, and return it. `by` is None if no account performed the act.

    before: the campaign's state before the act; "" if the act does not change it
    """
    return CampaignAct.objects.create(
        campaign=campaign,
        verb=verb,
        by=by,
        reason=reason,
        detail=detail or {},
        state_before=before or campaign.state,
        state_after=campaign.state,
    )


def required_text(text: str, field: str = "reason", length: int = REASON_LENGTH) -> str:
    """Return the text without surrounding whitespace. Raises Refused if it is empty or too long.

    field: the form field to which the error belongs
    """
    text = text.strip()
    if not text:
        raise Refused({field: _("Say why: it stays in the campaign's log.")})
    if len(text) > length:
        raise Refused({field: _("At most %(length)s characters.") % {"length": length}})
    return text


def refuse_if_busy(campaign: PromotionCampaign) -> None:
    """Raise Refused if the campaign has a running, pending or scheduled task."""
    if is_busy(campaign):
        raise Refused(_("Another step is under way, or waits for its day."), code="busy")


def new_task(
    campaign: PromotionCampaign, verb: str, by, reason: str, due_on: date | None = None
) -> CampaignTask:
    """Create and return a pending task. Enqueue it on commit, unless its day is in the future.

    due_on: the day on which the task is to run; None for immediately
    """
    task = CampaignTask.objects.create(
        campaign=campaign, verb=verb, due_on=due_on, reason=reason.strip(), created_by=by
    )
    if is_due(task):
        queue.enqueue_on_commit(task)
    return task


def mark_done(task: CampaignTask) -> None:
    """Mark a task as done. Call it in the transaction that writes the task's results."""
    queue.held(task).update(
        state=CampaignTask.State.DONE, error="", lease_until=None, finished_at=queue.now()
    )


def cancel_waiting(campaign: PromotionCampaign) -> list[int]:
    """Cancel the campaign's pending and scheduled tasks, and return their ids.

    Running tasks are not cancelled; they stop when they find that the state of the campaign has changed.
    """
    pending = campaign.tasks.filter(state=CampaignTask.State.PENDING)
    # Lock: otherwise a worker could start a task between our read and our write, and still run it.
    ids = list(pending.select_for_update().values_list("pk", flat=True))
    campaign.tasks.filter(pk__in=ids).update(state=CampaignTask.State.CANCELLED, finished_at=timezone.now())
    return ids
