"""The act of ending the claims period early."""

from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.promotions.acts.approve import may_approve, refuse_held_back
from scoring.promotions.acts.base import PageAct, Refused, Who, register, required_text
from scoring.promotions.acts.claim import refuse_when_over
from scoring.promotions.acts.forms import SureForm
from scoring.promotions.models import CampaignAct, PromotionCampaign
from scoring.promotions.pure.states import Verb
from ui.clock import today


@register
class Close(PageAct):
    """The act of ending the claims period early. Claims already made are still answered.

    The office may not do this, because the claims contest its lists. A committee member who worked on the
    lists or published them may not do it either.
    """

    verb = Verb.CLOSE
    who = Who.COMMITTEE
    label = _("End the time for claims now")
    says = _(
        "From now on nobody can contest the lists, although the last day announced has not come. Claims "
        "already made are still answered."
    )
    done = _("The time for claims is over.")
    danger = True
    logged = _("claims ended early")
    by_another = _(
        "The time for claims is ended by somebody who neither worked on the list nor published it."
    )
    public = True
    form_class = SureForm

    def has_effect(self, campaign: PromotionCampaign, user, scheduled: bool) -> bool:
        return today() <= campaign.claims_until and _may_close(campaign, user)

    def why_not(self, campaign: PromotionCampaign, user) -> str:
        if _may_close(campaign, user):
            return super().why_not(campaign, user)
        return str(self.by_another)

    @transaction.atomic
    def perform(self, campaign_id: int, by, reason: str) -> CampaignAct:
        """Set the last day for claims to yesterday, so that nobody can contest the lists from now on."""
        campaign = self.begin(campaign_id, by)
        refuse_when_over(campaign)
        if not _may_close(campaign, by):
            raise Refused(self.by_another, code="same_person")
        refuse_held_back(by)
        detail = {"claims_until": campaign.claims_until.isoformat()}
        yesterday = today() - timedelta(days=1)  # the last full day for claims
        return self.finish(campaign, by, required_text(reason), detail, claims_until=yesterday)


def _may_close(campaign: PromotionCampaign, by) -> bool:
    """Return whether the account may approve the lists and has not published them."""
    return may_approve(campaign, by) and not campaign.acts.filter(by=by, verb=Verb.PUBLISH).exists()
