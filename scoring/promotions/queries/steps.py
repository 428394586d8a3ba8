"""What the next step of a campaign waits for, and who may take it."""

from dataclasses import dataclass
from datetime import date

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from players.access import roles_of
from scoring.promotions.models import CampaignTask, PromotionCampaign, PromotionRuleSet
from scoring.promotions.pure.states import OPENED, Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.candidates import rule_set_of, unconfirmed
from ui.clock import today
from ui.formatting import format_date

# Whoever took any of these steps may not approve.
WORK_ON_THE_LIST = [OPENED, Verb.EDIT, Verb.FREEZE, Verb.DECIDE, Verb.ANSWER]
OPEN_TASKS = [CampaignTask.State.PENDING, CampaignTask.State.RUNNING]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A condition that a step still waits for.

    Codes: intake, not_in_force, rule_set, rules (freeze); claims, unanswered, approval (apply).
    """

    code: str
    text: str


def obstacles(campaign: PromotionCampaign, verb: Verb) -> list[Obstacle]:
    """Return the conditions that freezing or applying still waits for; other steps have none."""
    if verb == Verb.FREEZE:
        return _before_freezing(campaign)
    return _before_applying(campaign) if verb == Verb.APPLY else []


def rules_to_freeze(campaign: PromotionCampaign) -> PromotionRuleSet:
    """Return the campaign's rule set or, when freezing again, the set that has replaced it for the year."""
    rule_set = campaign.rule_set
    if campaign.state == PromotionCampaign.State.DRAFT or rule_set.holds_on(campaign.last_day):
        return rule_set
    return rule_set_of(campaign.year) or rule_set


def may_approve(campaign: PromotionCampaign, by) -> bool:
    """Whether the account belongs to the committee and took no part in the list."""
    return roles_of(by).committee and not campaign.acts.filter(by=by, verb__in=WORK_ON_THE_LIST).exists()


def day_in_words(day: date) -> str:
    """Format a date in the reader's language."""
    return format_date(day, get_language())


def _before_freezing(campaign: PromotionCampaign) -> list[Obstacle]:
    missing = []
    if today() <= campaign.intake_until:
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
    if campaign.claims_until is None or today() <= campaign.claims_until:
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
