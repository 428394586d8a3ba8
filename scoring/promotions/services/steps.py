"""What every step of a campaign has in common: it is locked, checked against the table of steps, and logged.

    with transaction.atomic():
        campaign = begin(campaign_id, Verb.PUBLISH)  # locked; Refused where its state has no such step
        finish(campaign, Verb.PUBLISH, by, claims_until=day)

The order of locks, everywhere: the campaign, its task, players, the states of the standings.
"""

from dataclasses import dataclass
from datetime import timedelta
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

# Verbs of the log that are no steps: they change no state.
OPENED = "open"
STOPPED = "stop"  # a task ended without doing anything; `detail` says which

# Readers see these on public pages, which are kept under the version of the standings; applying and reversing
# raise it themselves, with the categories.
PUBLIC_STEPS = {Verb.PUBLISH, Verb.WITHDRAW, Verb.APPROVE, Verb.CLAIM, Verb.ANSWER, Verb.CLOSE, Verb.ABANDON}
MAX_AHEAD = timedelta(days=366)  # of a day typed by hand: later ones are slips of the keyboard
LEASE = timedelta(seconds=60)  # a big federation's lists take ten; who takes longer loses the task to another
REASON_LENGTH = 300
OPEN_TASKS = [CampaignTask.State.PENDING, CampaignTask.State.RUNNING]


class Refused(ValidationError):
    """The step is not allowed now; the message says why, for the person who asked for it."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something that has to happen before a step.

    Codes: intake, not_in_force, rule_set, rules (freeze); claims, unanswered, approval (apply).
    """

    code: str
    text: str


def begin(campaign_id: int, verb: Verb) -> PromotionCampaign:
    """The campaign, locked until the surrounding transaction ends. Raises Refused, DoesNotExist."""
    campaign = PromotionCampaign.objects.select_for_update().get(pk=campaign_id)
    if states.after(campaign.state, verb) is None:
        message = _("This is not possible now: the category change of %(year)s is: %(state)s.")
        values = {"year": campaign.year, "state": campaign.get_state_display()}
        raise Refused(message % values, code="state")
    return campaign


def finish(
    campaign: PromotionCampaign, verb: Verb, by, reason: str = "", detail: dict | None = None, **changes: Any
) -> CampaignAct:
    """Move a campaign that `begin` locked to the state that follows, with its `changes`, and log the step."""
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
    """Write a line of the campaign's log; `by` is None for what the clock did."""
    return CampaignAct.objects.create(
        campaign=campaign, verb=verb, by=by, reason=reason, detail=detail or {},
        state_before=before or campaign.state, state_after=campaign.state,
    )  # fmt: skip


def mark_done(task: CampaignTask) -> None:
    """Say that a task's work is written; to be called in the transaction that writes it."""
    queue.held(task).update(
        state=CampaignTask.State.DONE, stage="", error="", lease_until=None, finished_at=queue.now()
    )


def cancel_waiting(campaign: PromotionCampaign) -> list[int]:
    """Cancel what waits for the workers or for its day; ids. What runs finds the other state and stops."""
    waiting = campaign.tasks.filter(state=CampaignTask.State.PENDING)
    # Locked: what a worker takes up between reading and writing would be said to be cancelled, and be done.
    ids = list(waiting.select_for_update().values_list("pk", flat=True))
    campaign.tasks.filter(pk__in=ids).update(state=CampaignTask.State.CANCELLED, finished_at=timezone.now())
    return ids


def required_text(reason: str, field: str = "reason", length: int = REASON_LENGTH) -> str:
    """A text that may not be missing, without its spaces. Raises Refused on that field."""
    reason = reason.strip()
    if not reason:
        raise Refused({field: _("Say why: it stays in the campaign's log.")})
    if len(reason) > length:
        raise Refused({field: _("At most %(length)s characters.") % {"length": length}})
    return reason


def day_in_words(day) -> str:
    """A date in the reader's language."""
    return format_date(day, get_language())


def obstacles(campaign: PromotionCampaign, verb: Verb) -> list[Obstacle]:
    """What is missing before a step that the state allows; empty for most."""
    if verb == Verb.FREEZE:
        return _before_freezing(campaign)
    return _before_applying(campaign) if verb == Verb.APPLY else []


def refuse_obstacles(campaign: PromotionCampaign, verb: Verb) -> None:
    """Raise Refused where something is missing."""
    if found := obstacles(campaign, verb):
        raise Refused(" ".join(each.text for each in found), code=found[0].code)


def rules_to_freeze(campaign: PromotionCampaign) -> PromotionRuleSet:
    """The set that the campaign names; once it is frozen, what has taken its place for that year since."""
    named = campaign.rule_set
    if campaign.state == PromotionCampaign.State.DRAFT or named.holds_on(campaign.last_day):
        return named
    return rule_set_of(campaign.year) or named


def _before_freezing(campaign: PromotionCampaign) -> list[Obstacle]:
    found = []
    if standings.today() <= campaign.intake_until:
        text = _("Late results are taken in until %(day)s.") % {"day": day_in_words(campaign.intake_until)}
        found.append(Obstacle("intake", text))
    rules = rules_to_freeze(campaign)
    if not rules.holds_on(campaign.last_day):
        text = _("The promotion rules %(name)s do not hold at the end of %(year)s any more: choose others.")
        found.append(Obstacle("not_in_force", text % {"name": rules.name, "year": campaign.year}))
    if not rules.confirmed:
        text = _("The promotion rules %(name)s are not confirmed yet.") % {"name": rules.name}
        found.append(Obstacle("rule_set", text))
    if codes := list(unconfirmed(rules).values_list("category__code", flat=True)):
        text = _("The figures of these categories are not confirmed yet: %(codes)s.")
        found.append(Obstacle("rules", text % {"codes": ", ".join(codes)}))
    return found


def _before_applying(campaign: PromotionCampaign) -> list[Obstacle]:
    found = []
    if campaign.claims_until is None or standings.today() <= campaign.claims_until:
        text = _("Players may contest the list until %(day)s.")
        found.append(Obstacle("claims", text % {"day": day_in_words(campaign.claims_until)}))
    if number := campaign.claims.filter(answer=None).count():
        text = ngettext(
            "%(number)s claim has no answer yet.", "%(number)s claims have no answer yet.", number
        )
        found.append(Obstacle("unanswered", text % {"number": number}))
    if campaign.approved_digest != queries.list_digest(campaign):
        text = _("The list has changed since it was approved: it has to be approved again.")
        found.append(Obstacle("approval", text))
    return found
