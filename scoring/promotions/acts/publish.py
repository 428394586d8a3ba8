"""The acts of publishing the approved lists, and of withdrawing the publication."""

from datetime import date, timedelta

from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.promotions.acts.base import (
    MAX_AHEAD,
    NOT_APPROVED,
    NOT_PUBLISHED,
    Act,
    Refused,
    cancel_waiting,
    register,
    required_text,
)
from scoring.promotions.models import CampaignAct, PromotionCampaign
from scoring.promotions.notices import tell_of_lists
from scoring.promotions.pure.states import Verb
from ui.clock import today
from ui.formatting import format_date

# Sent inside the transaction that publishes the lists of a campaign, with `act`, the line of its log.
lists_published = Signal()


@register
class Publish(Act):
    """The act of publishing the approved lists. Players may contest them until the last day for claims."""

    verb = Verb.PUBLISH
    logged = _("lists published")
    public = True

    @transaction.atomic
    def perform(self, campaign_id: int, by, claims_until: date | None = None) -> CampaignAct:
        """Publish the lists and set the last day for claims.

        The default last day is today plus the rule set's `claims_days`. An earlier day is refused: only the
        committee can shorten the claims period, by the act `Close`.
        """
        campaign = self.begin(campaign_id, by)
        first = usual_last_day(campaign)
        last_day = claims_until or first
        if last_day < first:
            text = gettext("The rules let players contest the lists until %(day)s at least.")
            raise Refused({"claims_until": text % {"day": format_date(first, get_language() or "")}})
        if last_day > today() + MAX_AHEAD:
            raise Refused({"claims_until": gettext("That is more than a year away.")})
        detail = {"claims_until": last_day.isoformat(), "digest": campaign.approved_digest}
        changes = {"published_at": timezone.now(), "claims_until": last_day}
        act = self.finish(campaign, by, detail=detail, **changes)
        tell_of_lists(act)
        lists_published.send(sender=CampaignAct, act=act)
        return act


@register
class Withdraw(Act):
    """The act of withdrawing the publication: the lists are no longer public, and return to review."""

    verb = Verb.WITHDRAW
    logged = _("publication withdrawn")
    public = True

    @transaction.atomic
    def perform(self, campaign_id: int, by, reason: str) -> CampaignAct:
        """Remove the approval and the publication, and cancel a scheduled application."""
        campaign = self.begin(campaign_id, by)
        detail = {"cancelled": cancel_waiting(campaign)}
        changes = {**NOT_APPROVED, **NOT_PUBLISHED}
        return self.finish(campaign, by, required_text(reason), detail, **changes)


def usual_last_day(campaign: PromotionCampaign) -> date:
    """Return the last day for claims that the rule set prescribes if the lists are published today."""
    return today() + timedelta(days=campaign.rule_set.claims_days)
