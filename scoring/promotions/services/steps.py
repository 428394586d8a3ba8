"""The frame of every step: lock the campaign, check the step against the table of states, and log it.

    with transaction.atomic():
        campaign = begin(campaign_id, Verb.PUBLISH)  # locked; raises Refused if its state forbids the step
        finish(campaign, Verb.PUBLISH, by, claims_until=day)

Always lock in this order: the campaign, its task, players, the state of the standings.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scoring.ledger.services import queue, standings
from scoring.promotions.models import CampaignAct, CampaignTask, PromotionCampaign, PromotionRuleSet
from scoring.promotions.pure import states
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.candidates import rule_set_of, unconfirmed
from ui.formatting import format_date

# Verbs of the log that are not steps: they change no state.
OPENED = "open"
STOPPED = "stop"  # a task ended without any effect; `detail` names it

# Steps that change public pages, which are cached by the version of the standings. Applying and reversing
# raise that version themselves when they assign categories.
PUBLIC_STEPS = {Verb.PUBLISH, Verb.WITHDRAW, Verb.APPROVE, Verb.CLAIM, Verb.ANSWER, Verb.CLOSE, Verb.ABANDON}
MAX_AHEAD = timedelta(days=366)  # for dates entered by hand: a later one is a typing error
LEASE = timedelta(seconds=60)  # lists of a large federation take 10 s; then another worker may take over
REASON_LENGTH = 300
OPEN_TASKS = [CampaignTask.State.PENDING, CampaignTask.State.RUNNING]


class Refused(ValidationError):
    """The step is not allowed now. The message explains why to the user."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A condition that a step still waits for.

    Codes: intake, not_in_force, rule_set, rules (freeze); claims, unanswered, approval (apply).
    """

    code: str
    text: str


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


def day_in_words(day: date) -> str:
    """Format a date in the reader's language."""
    return format_date(day, get_language())


def obstacles(campaign: PromotionCampaign, verb: Verb) -> list[Obstacle]:
    """Return the conditions that freezing or applying still waits for; other steps have none."""
    if verb == Verb.FREEZE:
        return _before_freezing(campaign)
    return _before_applying(campaign) if verb == Verb.APPLY else []


def refuse_obstacles(campaign: PromotionCampaign, verb: Verb) -> None:
    """Raise Refused if the step has obstacles."""
    if items := obstacles(campaign, verb):
        raise Refused(" ".join(obstacle.text for obstacle in items), code=items[0].code)


def rules_to_freeze(campaign: PromotionCampaign) -> PromotionRuleSet:
    """Return the campaign's rule set or, when freezing again, the set that has replaced it for the year."""
    rule_set = campaign.rule_set
    if campaign.state == PromotionCampaign.State.DRAFT or rule_set.holds_on(campaign.last_day):
        return rule_set
    return rule_set_of(campaign.year) or rule_set


def _before_freezing(campaign: PromotionCampaign) -> list[Obstacle]:
    missing = []
    if standings.today() <= campaign.intake_until:
        text = _("Late results are taken in until %(day)s.") % {"day": day_in_words(campaign.intake_until)}
        missing.append(Obstacle("intake", text))
    rules = rules_to_freeze(campaign)
    if not rules.holds_on(campaign.last_day):
        text = _("The promotion rules %(name)s do not hold at the end of %(year)s any more: choose others.")
        missing.append(Obstacle("not_in_force", text % {"name": rules.name, "year": campaign.year}))
    if not rules.confirmed:
        text = _("The promotion rules %(name)s are not confirmed yet.") % {"name": rules.name}
        missing.append(Obstacle("rule_set", text))
    if codes := list(unconfirmed(rules).values_list("category__code", flat=True)):
        text = _("The figures of these categories are not confirmed yet: %(codes)s.")
        missing.append(Obstacle("rules", text % {"codes": ", ".join(codes)}))
    return missing


def _before_applying(campaign: PromotionCampaign) -> list[Obstacle]:
    missing = []
    if campaign.claims_until is None or standings.today() <= campaign.claims_until:
        text = _("Players may contest the list until %(day)s.")
        missing.append(Obstacle("claims", text % {"day": day_in_words(campaign.claims_until)}))
    if number := campaign.claims.filter(answer=None).count():
        text = ngettext(
            "%(number)s claim has no answer yet.", "%(number)s claims have no answer yet.", number
        )
        missing.append(Obstacle("unanswered", text % {"number": number}))
    if campaign.approved_digest != queries.list_digest(campaign):
        text = _("The list has changed since it was approved: it has to be approved again.")
        missing.append(Obstacle("approval", text))
    return missing
