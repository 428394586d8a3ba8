"""The frame of every step: lock the campaign, check the step against the table of states, and log it.

    with transaction.atomic():
        campaign = begin(campaign_id, Verb.PUBLISH)  # locked; raises Refused if its state forbids the step
        finish(campaign, Verb.PUBLISH, by, claims_until=day)

Always lock in this order: the campaign, its task, players, the state of the standings.
"""

from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.ledger.services import queue, standings
from scoring.promotions.models import CampaignAct, CampaignTask, PromotionCampaign
from scoring.promotions.pure import states
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.steps import obstacles

# Steps that change public pages, which are cached by the version of the standings. Applying and reversing
# raise that version themselves when they assign categories.
PUBLIC_STEPS = {Verb.PUBLISH, Verb.WITHDRAW, Verb.APPROVE, Verb.CLAIM, Verb.ANSWER, Verb.CLOSE, Verb.ABANDON}
MAX_AHEAD = timedelta(days=366)  # for dates entered by hand: a later one is a typing error
LEASE = timedelta(seconds=60)  # lists of a large federation take 10 s; then another worker may take over
REASON_LENGTH = 300


class Refused(ValidationError):
    """The step is not allowed now. The message explains why to the user."""


def begin(campaign_id: int, verb: Verb) -> PromotionCampaign:
    """Lock and return the campaign, until the current transaction ends. Raises Refused, DoesNotExist."""
    campaign = PromotionCampaign.objects.select_for_update().get(pk=campaign_id)
    if states.after(campaign.state, verb) is None:
        message = _("This is not possible now: the category change of %(year)s is: %(state)s.")
        values = {"year": campaign.year, "state": campaign.get_state_display()}
        raise Refused(message % values, code="state")
    return campaign


def finish(
    campaign: PromotionCampaign, verb: Verb, by, reason: str = "", detail: dict | None = None, **changes: Any
) -> CampaignAct:
    """Move a campaign locked by `begin` to the next state, save `changes` and log the step."""
    before = campaign.state
    campaign.state = states.after(before, verb)
    for name, value in changes.items():
        setattr(campaign, name, value)
    campaign.save(update_fields=["state", *changes])
    if verb in PUBLIC_STEPS:
        standings.bump()
    return log(campaign, verb, by, reason, detail, before)


def log(
    campaign: PromotionCampaign, verb: str, by, reason: str = "", detail: dict | None = None, before: str = ""
) -> CampaignAct:
    """Write a line of the campaign's log. `by` is None for scheduled steps."""
    return CampaignAct.objects.create(
        campaign=campaign,
        verb=verb,
        by=by,
        reason=reason,
        detail=detail or {},
        state_before=before or campaign.state,
        state_after=campaign.state,
    )


def mark_done(task: CampaignTask) -> None:
    """Mark a task as done. Call it in the transaction that writes the task's results."""
    queue.held(task).update(
        state=CampaignTask.State.DONE, stage="", error="", lease_until=None, finished_at=queue.now()
    )


def cancel_waiting(campaign: PromotionCampaign) -> list[int]:
    """Cancel the campaign's pending tasks and return their ids. Running ones stop at the changed state."""
    pending = campaign.tasks.filter(state=CampaignTask.State.PENDING)
    # Lock: otherwise a worker could start a task between our read and our write, and still run it.
    ids = list(pending.select_for_update().values_list("pk", flat=True))
    campaign.tasks.filter(pk__in=ids).update(state=CampaignTask.State.CANCELLED, finished_at=timezone.now())
    return ids


def required_text(text: str, field: str = "reason", length: int = REASON_LENGTH) -> str:
    """Return a text stripped of surrounding spaces. Raises Refused for `field` if it is empty or too long."""
    text = text.strip()
    if not text:
        raise Refused({field: _("Say why: it stays in the campaign's log.")})
    if len(text) > length:
        raise Refused({field: _("At most %(length)s characters.") % {"length": length}})
    return text


def refuse_obstacles(campaign: PromotionCampaign, verb: Verb) -> None:
    """Raise Refused if the step has obstacles."""
    if items := obstacles(campaign, verb):
        raise Refused(" ".join(obstacle.text for obstacle in items), code=items[0].code)
